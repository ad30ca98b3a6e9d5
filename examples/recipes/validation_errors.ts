// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json examples/recipes/validation_errors.ts
//
// Answers invalid input in one place for all routes: problem details (RFC 9457), one message per field, translated.
// Nothing here is Deno's: it also runs on Bun and Node.js.
//
// curl -i -H 'accept-language: de' -d '{"title":"","year":99}' 'http://localhost:8000/books?copies=0'

import { type Context, denyInvalid, type InvalidInput, reply, route, setup, type ValidationIssue } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { acceptsLanguages } from "@std/http/negotiation";
import { z } from "zod";
import { MESSAGES, type Messages } from "./validation_errors/messages.ts";

/** The text of an issue is the key of its message. One that does not exist does not compile. */
const say = (key: keyof Messages): string => key;

const newBook = z.object({
  title: z.string(say("bookTitle")).trim().min(1, say("bookTitle")).max(200, say("bookTitle")),
  year: z.int(say("year")).min(1000, say("year")).max(2100, say("year")),
  authors: z.array(z.object({ name: z.string() })).max(10).default([]),
});
const copies = z.coerce.number(say("copies")).int(say("copies")).min(1, say("copies")).max(99, say("copies"));

const problem = {
  contentType: "application/problem+json",
  schema: z.object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    errors: z.array(z.object({ pointer: z.string(), parameter: z.string(), detail: z.string() }).partial()).optional(),
  }),
};

/** The routes of this scope have valid input only, and the responses to other input. */
const api = route.with({ guards: [denyInvalid(describeInvalid)], responses: { 400: problem, 413: problem } });

const app = setup({
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

function describeInvalid({ issues }: InvalidInput, { request }: Context) {
  const language = acceptsLanguages(request, ...Object.keys(MESSAGES)) ?? "en";
  const messages = MESSAGES[language] ?? MESSAGES.en;
  const details = new Map(Object.entries(messages));
  const tooLarge = issues.some(({ code }) => code === "body_too_large");

  // One for each field, however many issues it has.
  const errors = new Map<string, { readonly detail: string }>();
  for (const issue of issues) {
    const place = placeOf(issue);
    const key = Object.values(place).join();
    // Messages of a library are not shown: they are not translated, and some quote the input.
    const message = issue.code === "invalid_json" ? "notJson" : issue.message;
    errors.set(key, { ...place, detail: details.get(message) ?? messages.other });
  }

  const status = tooLarge ? 413 : 400;
  return reply(status, {
    type: `https://example.com/problems/${tooLarge ? "too-large" : "invalid-input"}`,
    title: tooLarge ? messages.tooLarge : messages.title,
    status,
    ...!tooLarge && { errors: [...errors.values()] },
  }, {
    headers: { "content-type": "application/problem+json", "content-language": language, "vary": "accept-language" },
  });
}

/** Where in the request the issue is: a JSON Pointer into the body, or the name of a parameter. */
function placeOf({ part, path }: ValidationIssue): { readonly pointer: string } | { readonly parameter: string } {
  if (part !== "body") return { parameter: path.join(".") };
  // A key may be half of a surrogate pair, which cannot be encoded.
  const keys = path.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1").toWellFormed()));
  return { pointer: `#${keys.map((key) => `/${key}`).join("")}` };
}
