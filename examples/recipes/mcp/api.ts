import { endpoint } from "@fw/core";
import { z } from "zod";

const note = z.object({ id: z.string(), text: z.string() });
const refused = { schema: z.object({ error: z.string() }) };

export const listNotes = endpoint.get("/notes", {
  docs: { summary: "Lists the notes" },
  responses: { 200: { schema: z.array(note) }, 401: refused },
});

export const deleteNote = endpoint.delete("/notes/:id", {
  docs: { summary: "Deletes a note. Only admins may." },
  responses: { 204: {}, 401: refused, 403: refused, 404: refused },
});
