// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/ndjson.ts
//
// Exports rows as JSON lines, page by page. Reads them by a body reader of its own, within a bound in bytes, and
// validates them like any body.
//
// curl -i http://localhost:8000/books
// printf '{"title":"Emma"}\n{"title":"Ulysses"}\n' | \
//   curl -i -H 'content-type: application/jsonl' --data-binary @- http://localhost:8000/books

import { type App, type BodyReader, denyInvalid, reply, route, setup } from "@fw/core";
import { lines, replyLines } from "@fw/core/events";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";

/** Reads one JSON value per line, under both names of the format. Empty lines are ignored. */
export const ndjson: BodyReader = {
  contentTypes: ["application/jsonl", "application/x-ndjson"],
  async read({ body, headers }, maxBytes) {
    if (!NDJSON.test(headers.get("content-type") ?? "")) return refuse("Not JSON lines", "unsupported_media_type");
    const decoder = new TextDecoder(); // keeps the beginning of a character that is cut off at the end of a chunk
    let [text, bytes] = ["", 0];
    try {
      for await (const chunk of body ?? []) { // `return` cancels the rest of the body
        if ((bytes += chunk.length) > maxBytes) return refuse("Body too large", "body_too_large");
        text += decoder.decode(chunk, { stream: true });
      }
    } catch { // the client cut the body off
      return refuse("Incomplete body", "incomplete_body");
    }
    try { // line by line: `[${lines}]` as a whole would take `1,2` for two values
      const lines = (text + decoder.decode()).split("\n");
      return { value: lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line)) };
    } catch {
      return refuse("A line is not JSON", "invalid_ndjson");
    }
  },
};

const NDJSON = /^application\/(?:jsonl|x-ndjson)[ \t]*(;|$)/i;

/** An issue is for what the client can correct. An error of the reader goes to `onError`. */
function refuse(message: string, code: string) {
  return { issue: { message, code } };
}

const title = z.string().min(1);
const issue = z.object({ path: z.array(z.string()), message: z.string(), code: z.string().optional() });

/** The rows, in place of a database: the newest thousand. */
const rows: { readonly id: number; readonly title: string }[] = [{ id: 1, title: "Persuasion" }];
const readPage = (after: number) => Promise.resolve(rows.filter(({ id }) => id > after).slice(0, 500));

/** At most ten issues: each line of two bytes can have one. */
const validLines = denyInvalid(({ issues }) =>
  reply(400, { issues: issues.slice(0, 10).map(({ path, message, code }) => ({ path, message, code })) })
);

const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    // Put a guard before it: an export has all rows.
    route.get("/books", {
      responses: { 200: lines(z.object({ id: z.int(), title })) },
      resolve: () =>
        replyLines(200, async function* (_signal, batch) {
          for (let page = await readPage(0); page.length > 0; page = await readPage(page.at(-1)?.id ?? 0)) {
            yield batch(page);
          }
        }, { onError: (error) => console.error("The export broke off:", error) }),
    }),

    route.post("/books", {
      request: { body: z.array(z.object({ title })).min(1), bodyReader: ndjson },
      responses: {
        201: { schema: z.object({ created: z.int() }) },
        400: { schema: z.object({ issues: z.array(issue) }) },
      },
      guards: [validLines],
      resolve: ({ input }) => {
        for (const { title } of input.body) rows.push({ id: (rows.at(-1)?.id ?? 0) + 1, title });
        rows.splice(0, rows.length - 1000);
        return reply(201, { created: input.body.length });
      },
    }),
  ],
});

export default app;
