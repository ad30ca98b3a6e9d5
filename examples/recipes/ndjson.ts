// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/ndjson.ts
//
// Reads lines of JSON by a body reader of its own, within a bound in bytes, and validates them like any body.
// It also runs on Bun and Node.js.
//
// printf '{"title":"Emma"}\n{"title":"Ulysses"}\n' | \
//   curl -i -H 'content-type: application/x-ndjson' --data-binary @- http://localhost:8000/books

import { type BodyReader, denyInvalid, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";

/** Reads one JSON value per line. Empty lines are ignored. */
export const ndjson: BodyReader = {
  contentTypes: ["application/x-ndjson"],
  async read({ body, headers }, maxBytes) {
    if (headers.get("content-type") !== "application/x-ndjson") return refuse("Not NDJSON", "unsupported_media_type");
    const decoder = new TextDecoder();
    let [text, bytes] = ["", 0];
    for await (const chunk of body ?? []) {
      bytes += chunk.length;
      if (bytes > maxBytes) return refuse("Body too large", "body_too_large");
      text += decoder.decode(chunk, { stream: true });
    }
    try {
      const lines = (text + decoder.decode()).split("\n");
      return { value: lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line)) };
    } catch {
      return refuse("A line is not JSON", "invalid_ndjson");
    }
  },
};

/** An issue is for what the client can correct. An error while reading, such as a disconnect, goes to `onError`. */
function refuse(message: string, code: string) {
  return { issue: { message, code } };
}

const app = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    route.post("/books", {
      request: { body: z.array(z.object({ title: z.string().min(1) })).min(1), bodyReader: ndjson },
      guards: [denyInvalid(({ issues }) => Response.json({ issues }, { status: 400 }))],
      resolve: ({ input }) => Response.json({ created: input.body.length }, { status: 201 }),
    }),
  ],
});

export default app;
