// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json examples/recipes/validation_errors/app.ts
//
// curl -i -H 'accept-language: de' -d '{"title":"","year":99}' 'http://localhost:8000/books?copies=0'

import { type App, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { describeInvalid, problem, say } from "./validation_errors.ts";

const newBook = z.object({
  title: z.string(say("bookTitle")).trim().min(1, say("bookTitle")).max(200, say("bookTitle")),
  year: z.int(say("year")).min(1000, say("year")).max(2100, say("year")),
  authors: z.array(z.object({ name: z.string() })).max(10).default([]),
});
const copies = z.coerce.number(say("copies")).int(say("copies")).min(1, say("copies")).max(99, say("copies"));

/** The routes of this scope have valid input only, and the responses to other input. */
const api = route.with({ guards: [denyInvalid(describeInvalid)], responses: { 400: problem, 413: problem } });

const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    api.post("/books", {
      request: { query: z.object({ copies: copies.default(1) }), body: newBook },
      responses: { 201: { schema: newBook.extend({ copies }) } },
      resolve: ({ input: { body, query } }) => reply(201, { ...body, ...query }),
    }),
  ],
});

export default app;
