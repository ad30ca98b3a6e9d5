/** The endpoints as they were released. In place of this file: the package, or `openapi.json`. */
import { endpoint } from "@fw/core";
import { z } from "zod";

const note = z.object({ id: z.string(), text: z.string() });

export const listNotes = endpoint.get("/notes", {
  request: { query: z.object({ text: z.string().optional() }) },
  responses: { 200: { schema: z.array(note) } },
});

export const addNote = endpoint.post("/notes", {
  request: { body: z.object({ text: z.string().min(1).max(1000) }) },
  responses: { 201: { schema: note }, 400: {} },
});
