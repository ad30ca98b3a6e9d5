// What clients see of the books: plain data, which the server and its clients import. In a package of its own it is all
// that a client needs.

import { endpoint } from "@fw/core";
import { z } from "zod";

const book = z.object({ id: z.string(), title: z.string() });

// Each failure has a `code` that is a literal: documents and generated clients tell them apart by it.
const invalid = z.object({
  code: z.literal("invalid"),
  issues: z.array(z.object({ path: z.array(z.string()), message: z.string() })),
});
const taken = z.object({ code: z.literal("taken"), id: z.string() });
const missing = z.object({ code: z.literal("missing") });

export const showBook = endpoint.get("/books/:id", {
  docs: { operationId: "showBook" },
  responses: {
    200: { schema: book, examples: { emma: { id: "emma", title: "Emma" } } },
    404: { schema: missing },
  },
});

export const addBook = endpoint.post("/books", {
  docs: { operationId: "addBook" },
  request: { body: z.object({ title: z.string().trim().min(1).max(200) }) },
  responses: { 201: { schema: book }, 400: { schema: invalid }, 409: { schema: taken } },
});
