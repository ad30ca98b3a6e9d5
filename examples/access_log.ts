// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/access_log.ts
//
// Logs one line of JSON for each request.
//
// A line names the route by its pattern, not by the path, so that it contains no text from the client.
//
// curl http://localhost:8000/books/emma

import { type HookContext, reply, route, setup } from "@fw/core";
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

  onRequest: () => ({ startedAt: performance.now() }),

  // Runs once for each response, including the 404 when no route matches and the response of onError.
  onResponse: ({ context, response, locals: { startedAt } }) => {
    // The time until the response starts. The server may need longer to send the body.
    const durationMs = startedAt === undefined ? null : Number((performance.now() - startedAt).toFixed(1));
    console.log(JSON.stringify({ ...describe(context), status: response.status, durationMs }));
  },

  // Logs the error on a separate line. JSON escapes the line breaks of the stack.
  onError: ({ error, context }) => {
    console.error(JSON.stringify({ ...describe(context), error: inspect(error) }));
    return new Response("Internal server error", { status: 500 });
  },
});

export default app satisfies Deno.ServeDefaultExport;

/** Returns the method and the pattern of the route. Clients can invent methods: an unknown one is logged as `other`. */
function describe({ request, route }: HookContext): { readonly method: string; readonly route: string } {
  return { method: METHODS.has(request.method) ? request.method : "other", route: route?.path ?? "none" };
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
