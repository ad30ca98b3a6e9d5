import { appendValue } from "../core/input/query.ts";
import { createMultipartParser } from "./multipart_parser.ts";
import type { PartHead } from "./part_head.ts";

/** The fields and files of a form, by name. A name that repeats has an array of its values, in order. */
export type FormValues = Record<string, string | File | (string | File)[]>;

/**
 * Reads the body of a form of type `multipart/form-data`. Every 1,000 parts, it lets the process do something else.
 *
 * @param bytes The body.
 * @param contentType The content type, with the boundary.
 * @param maxParts The largest number of parts.
 * @returns A null-prototype object; or the code of the issue: the body is malformed or incomplete, or has too many
 * parts.
 */
export async function readMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  maxParts: number,
): Promise<FormValues | "invalid_form" | "too_many_parts"> {
  const parser = createMultipartParser(contentType);
  if (parser === undefined) return "invalid_form";
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const values: FormValues = Object.create(null);
  let head: PartHead | undefined;
  let content: Uint8Array<ArrayBuffer> = bytes.subarray(0, 0);
  let count = 0;
  for (const event of parser.push(bytes)) {
    if (event.kind === "part") {
      if (++count > maxParts) return "too_many_parts";
      if (count % TURN === 0) await new Promise((resolve) => setTimeout(resolve));
      head = event.head;
      content = bytes.subarray(0, 0);
    } else if (event.kind === "content") content = event.bytes;
    else if (head !== undefined) appendValue(values, head.name, valueOf(head, content, decoder));
  }
  return parser.state === "complete" ? values : "invalid_form";
}

/** How many parts are read in one piece: it takes 2 to 5 milliseconds. */
const TURN = 1000;

function valueOf(head: PartHead, content: Uint8Array<ArrayBuffer>, decoder: TextDecoder): string | File {
  return head.fileName === undefined
    ? decoder.decode(content)
    : new File([content], head.fileName, { type: head.contentType });
}
