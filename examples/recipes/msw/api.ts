// The endpoints of some books, as their server has them.

import { endpoint } from "@fw/core";
import { z } from "zod";

const book = z.object({ id: z.string(), title: z.string() });
const failure = z.object({ error: z.string() });

export const showBook = endpoint.get("/books/:id", { responses: { 200: { schema: book }, 404: { schema: failure } } });

export const addBook = endpoint.post("/books", {
  request: { body: z.object({ title: z.string().trim().min(1).max(200) }) },
  responses: { 201: { schema: book }, 400: { schema: failure } },
});
