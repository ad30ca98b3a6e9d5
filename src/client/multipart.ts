import { appendPairs } from "../core/routing/write_url.ts";

/** A file that is sent as a stream, as `StreamedFile` of `@fw/core/body` declares it. */
interface StreamedFile {
  readonly stream: ReadableStream<Uint8Array>;
  readonly size: number;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

/** A form whose files are read while it is sent. */
export interface StreamedForm {
  /** The body. */
  readonly body: ReadableStream<Uint8Array>;
  /** Its headers: the type with the boundary, and the length. */
  readonly headers: { readonly "content-type": string; readonly "content-length": string };
}

/**
 * Writes the fields and files of a form as a stream, for files that are streams. `FormData` takes none.
 *
 * @param fields The fields and files by name.
 * @returns The form; `undefined` if no file is a stream.
 */
export function streamForm(fields: object): StreamedForm | undefined {
  const pairs: [name: string, value: unknown][] = [];
  appendPairs({ append: (name: string, value: unknown) => void pairs.push([name, value]) } as FormData, fields);
  if (!pairs.some(([, value]) => isStreamed(value))) return undefined;
  const boundary = `form-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  const parts = pairs.map(([name, value]) => {
    if (isStreamed(value) && !(Number.isInteger(value.size) && value.size >= 0)) {
      throw new TypeError(
        `The file ${JSON.stringify(name)} is a stream: write { stream, size }, with the number of bytes`,
      );
    }
    const content = isStreamed(value) || value instanceof Blob ? value : encoder.encode(withLineBreaks(`${value}`));
    const head = encoder.encode(`--${boundary}\r\n${headOf(name, content)}\r\n\r\n`);
    return { name, head, content, size: content instanceof Uint8Array ? content.length : content.size };
  });
  const end = encoder.encode(`--${boundary}--\r\n`);
  const length = parts.reduce((sum, { head, size }) => sum + head.length + size + LINE_BREAK.length, end.length);

  async function* write(): AsyncGenerator<Uint8Array, undefined> {
    for (const { name, head, content, size } of parts) {
      yield head;
      if (content instanceof Uint8Array) yield content;
      else yield* readWhole(name, content instanceof Blob ? content.stream() : content.stream, size);
      yield LINE_BREAK;
    }
    yield end;
    return undefined;
  }

  const chunks = write();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = await chunks.next();
      if (value === undefined) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  }, { highWaterMark: 0 });
  return {
    body,
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": `${length}` },
  };
}

const LINE_BREAK = /* @__PURE__ */ Uint8Array.of(13, 10);

/** Also a stream alone, which lacks everything else. */
function isStreamed(value: unknown): value is StreamedFile {
  const { stream = value } = value as { stream?: unknown };
  return typeof (stream as { getReader?: unknown } | null)?.getReader === "function";
}

/** The headers of a part, with the escapes that browsers write (HTML standard, multipart form data). */
function headOf(name: string, content: Blob | StreamedFile | Uint8Array): string {
  const disposition = `content-disposition: form-data; name="${escapeQuoted(withLineBreaks(name))}"`;
  if (content instanceof Uint8Array) return disposition;
  const { name: fileName = "blob", type = "" } = content as { readonly name?: string; readonly type?: string };
  if (/[\r\n]/.test(type)) throw new TypeError(`The media type of the file ${JSON.stringify(name)} has a line break`);
  return `${disposition}; filename="${escapeQuoted(fileName)}"\r\ncontent-type: ${type || "application/octet-stream"}`;
}

/** As `FormData` sends the line breaks of names and fields. */
function withLineBreaks(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

function escapeQuoted(text: string): string {
  return text.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
}

/** Reads a stream, which must have as many bytes as its size: else, the rest of the form would be somewhere else. */
async function* readWhole(
  name: string,
  stream: ReadableStream<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  let length = 0;
  try {
    for (let { value } = await reader.read(); value !== undefined; { value } = await reader.read()) {
      length += value.length;
      if (length > size) break;
      yield value;
    }
    if (length === size) return;
  } finally {
    reader.cancel().catch(() => {}); // also of a stream that has failed
  }
  const count = length > size ? "more" : length;
  throw new TypeError(
    `The stream of the file ${JSON.stringify(name)} has ${count} bytes, not ${size} as its size says`,
  );
}
