/** The endpoints that the tests of the client share. */
import { z } from "zod";
import { endpoint } from "../../../mod.ts";

export const book = z.object({
  id: z.string(),
  title: z.string(),
  added: z.date(),
  tags: z.array(z.string()).optional(),
});
const missing = z.object({ code: z.literal("missing") });
const issue = z.object({ path: z.array(z.string()), message: z.string() });
const invalid = z.object({ code: z.literal("invalid"), issues: z.array(issue) });

const v1 = endpoint.with({ prefix: "/v1", responses: { 401: { schema: z.object({ code: z.literal("who") }) } } });

export const showBook = v1.get("/books/:id", { responses: { 200: { schema: book }, 404: { schema: missing } } });

export const listBooks = v1.get("/books", {
  request: { query: z.object({ limit: z.coerce.number().default(20), after: z.string().optional() }) },
  responses: { 200: { schema: z.array(book) }, 400: { schema: invalid } },
});

export const searchBooks = v1.get("/search", {
  request: {
    query: z.object({
      q: z.string(),
      sort: z.enum(["title", "added"]).optional(),
      tag: z.union([z.string(), z.array(z.string())]).optional(),
    }),
  },
  responses: { 200: { schema: z.array(book) }, 400: { schema: invalid } },
});

export const createBook = v1.post("/books", {
  request: { body: z.object({ title: z.string(), year: z.number().default(2000) }) },
  responses: { 201: { schema: book }, 400: { schema: invalid } },
});

export const deleteBook = v1.delete("/books/:id", { responses: { 204: {}, "4XX": { schema: missing } } });

export const whoami = endpoint.get("/whoami", {
  request: {
    headers: z.object({ authorization: z.string(), "x-trace": z.string().optional() }),
    cookies: z.object({
      theme: z.enum(["dark", "light"]),
      seen: z.union([z.string(), z.array(z.string())]).optional(),
    }),
  },
  responses: { 200: { schema: z.unknown() } },
});

export const health = endpoint.get("/health");

export const file = endpoint.get("/files/*", {
  responses: { 200: { schema: z.string(), contentType: "text/plain" }, 404: {} },
});

export const both = endpoint.on(["GET", "HEAD"], "/both", { responses: { 204: {} } });
