import type { BodyReader } from "@fw/core";

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
