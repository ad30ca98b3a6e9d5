// The endpoint of a book, as its server has it.

import { endpoint } from "@fw/core";
import { z } from "zod";

const book = z.object({ id: z.string(), title: z.string() });
const failure = z.object({ code: z.literal("missing") });

export const showBook = endpoint.get("/books/:id", { responses: { 200: { schema: book }, 404: { schema: failure } } });
