// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json examples/recipes/validation_errors.ts
//
// Responds to invalid input in one place for all routes: problem details (RFC 9457) with 400, 413, 415 or 422, one message per
// field, translated.
//
// curl -i -H 'accept-language: de' -d '{"title":"","year":99}' 'http://localhost:8000/books?copies=0'
// curl -i -d 'title=' http://localhost:8000/wishes

import { type App, denyInvalid, reply, route, setup } from "@fw/core";
import { form } from "@fw/core/body";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { describeInvalid, problem, say } from "./validation_errors/validation_errors.ts";

const title = z.string(say("bookTitle")).trim().min(1, say("bookTitle")).max(200, say("bookTitle"));
const newBook = z.object({
  title,
  year: z.int(say("year")).min(1000, say("year")).max(2100, say("year")),
  authors: z.array(z.object({ name: z.string() })).max(10).default([]),
});
// Digits, then a number: `z.coerce.number` also accepts "", which it takes for 0, and "0x10" and "1e1".
const copies = z.string(say("copies")).regex(/^[1-9]\d?$/, say("copies")).transform(Number);

/** The routes of this scope have valid input only, and the responses to other input. */
const api = route.with({
  responses: { 400: problem, 413: problem, 415: problem, 422: problem },
  guards: [denyInvalid(describeInvalid)],
});

const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    api.post("/books", {
      request: { query: z.object({ copies: copies.prefault("1") }), body: newBook },
      responses: { 201: { schema: newBook.extend({ copies: z.int() }) } },
      resolve: ({ input: { body, query } }) => reply(201, { ...body, ...query }),
    }),

    api.post("/wishes", {
      request: { body: z.object({ title }), bodyReader: form },
      responses: { 201: { schema: z.object({ title: z.string() }) } },
      resolve: ({ input: { body } }) => reply(201, body),
    }),
  ],
  onError: ({ error, context }) => {
    console.error(`${context.request.method} ${context.route?.path} failed:`, error);
    return reply(500, { type: "about:blank", title: "Internal server error", status: 500 }, {
      contentType: "application/problem+json",
    });
  },
});

export default app;
