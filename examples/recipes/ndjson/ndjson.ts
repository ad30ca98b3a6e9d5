// Reads lines of JSON by a body reader of its own, within a bound in bytes, and validates them like any body.
// It also runs on Bun and Node.js.

import type { BodyReader } from "@fw/core";

/** Reads one JSON value per line. Empty lines are ignored. */
export const ndjson: BodyReader = {
  contentTypes: ["application/x-ndjson"],
  async read({ body, headers }, maxBytes) {
    const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
    if (type !== "application/x-ndjson") return refuse("Not NDJSON", "unsupported_media_type");
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
