// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/access_log.ts
//
// Logs one line of JSON for each request.
//
// A line names the route by its pattern, not by the path, so that it contains no text from the client.
//
// curl http://localhost:8000/books/emma

import { reply, route, setup } from "@fw/core";
import { accessLog, compose, requestId } from "@fw/core/hooks";
import { inspect } from "node:util";
import { z } from "zod";

const app = setup({
  handlers: [
    route.get("/books/:id", {
      responses: { 200: { schema: z.object({ id: z.string() }) } },
      resolve: ({ raw }) => reply(200, { id: raw.params.id }),
    }),

    route.get("/broken", {
      resolve: () => {
        throw new Error("The disk is full");
      },
    }),
  ],

  // The time in a line is that until the response starts. The server may need longer to send the body.
  ...compose(requestId(), accessLog({ log: (entry) => console.log(JSON.stringify(entry)) })),

  // Logs the error on a separate line, with the same id. JSON escapes the line breaks of the stack.
  onError: ({ error, context: { locals, route } }) => {
    console.error(JSON.stringify({ requestId: locals.requestId, route: route?.path, error: inspect(error) }));
    return reply(500, { error: "Internal server error" });
  },
});

export default app satisfies Deno.ServeDefaultExport;
