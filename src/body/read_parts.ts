import type { ValidationIssue } from "../core/input/input.ts";
import { essenceOf, fitsMediaType } from "../core/responses/media_type.ts";
import type { MultipartParser, PartEvent } from "./multipart_parser.ts";
import type { PartHead } from "./part_head.ts";
import type { PartRule } from "./part_rule.ts";

/** The bounds of a body whose parts are read one by one. */
export interface PartsBounds {
  /** The largest body, in bytes. */
  readonly maxBytes: number;
  /** The largest number of parts. */
  readonly maxParts: number;
  /** The largest field, in bytes. */
  readonly maxFieldBytes: number;
  /** How many bytes are discarded so that the client gets the response. */
  readonly drainBytes: number;
}

/** A part, as the handler gets it. */
interface Part {
  readonly name: string | undefined;
  readonly value?: unknown;
  readonly fileName?: string;
  readonly contentType?: string;
  readonly stream?: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly issues?: readonly ValidationIssue[];
}

type Rules = ReadonlyMap<string, PartRule>;

/**
 * Reads the parts of a body one by one, as they are asked for.
 *
 * @param request The request, its body unread.
 * @param parser The parser of its body.
 * @param rules What each part must be, by name.
 * @param bounds The bounds.
 * @returns The parts, and a function that discards what was not read. It must be called before the response is sent.
 */
export function readParts(
  request: Request,
  parser: MultipartParser,
  rules: Rules,
  bounds: PartsBounds,
): { readonly body: AsyncIterable<Part>; readonly end: () => Promise<void> } {
  const source = createSource(request, parser, bounds.maxBytes);
  const body = iterate(source, rules, bounds);
  return { body, end: () => source.drain(bounds.drainBytes) };
}

/** The events of a body, in their order. */
interface Source {
  /** The next event; an issue of the whole body; `undefined` at its end. Rejects once the body was drained. */
  next(): Promise<PartEvent | BodyIssue | undefined>;
  /** The event that `next` will return. */
  peek(): Promise<PartEvent | BodyIssue | undefined>;
  /** Reads so many bytes more, and ends. */
  drain(bytes: number): Promise<void>;
}

interface BodyIssue {
  readonly kind: "issue";
  readonly code: string;
  readonly message: string;
}

function createSource(request: Request, parser: MultipartParser, maxBytes: number): Source {
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  let events: Iterator<PartEvent> | undefined;
  let peeked: PartEvent | BodyIssue | undefined;
  let isOver = false;
  let isDrained = false;
  let issue: BodyIssue | undefined;
  let bytes = 0;
  const fail = (code: string, message: string) => issue = { kind: "issue", code, message };

  const read = async () => {
    if (reader === undefined) {
      // `text()` rejects a body that was read before.
      if (request.body === null || request.bodyUsed) await request.text();
      reader = request.body?.getReader() as typeof reader;
    }
    return await reader?.read() ?? { done: true, value: undefined } as const;
  };
  const receive = async (): Promise<PartEvent | BodyIssue | undefined> => {
    for (;;) {
      // Else, a handler that goes on would get a file with gaps.
      if (isDrained) throw new TypeError("The parts of a body must be read before the handler returns");
      if (issue !== undefined) return issue;
      const event = events?.next();
      if (event !== undefined && !event.done) return event.value;
      if (parser.state === "malformed") return fail("invalid_form", "Invalid form");
      if (isOver) {
        return parser.state === "complete" ? undefined : fail("invalid_form", "Invalid form");
      }
      try {
        const { done, value } = await read();
        if (done) {
          isOver = true;
          // An adapter for Node.js has an empty body for a request that was cut off before its body was opened.
          if (bytes === 0 && request.signal?.aborted) return fail("incomplete_body", "Incomplete body");
          continue;
        }
        bytes += value.byteLength;
        if (bytes > maxBytes) return fail("body_too_large", "Body too large");
        events = parser.push(value)[Symbol.iterator]();
      } catch (error) {
        // A body that is locked, or was read before, is no mistake of the client.
        if (reader === undefined) throw error;
        isOver = true;
        return fail("incomplete_body", "Incomplete body");
      }
    }
  };

  return {
    next() {
      const event = peeked;
      peeked = undefined;
      return event === undefined ? receive() : Promise.resolve(event);
    },
    peek: async () => peeked ??= await receive(),
    async drain(most) {
      isDrained = true;
      if (isOver || request.body === null) return;
      if (reader === undefined && request.bodyUsed) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timeout = new Promise<undefined>((resolve) => timer = setTimeout(() => resolve(undefined), DRAIN_TIME));
      try {
        for (let left = most; left > 0;) {
          const result = await Promise.race([read(), timeout]);
          if (result === undefined) break;
          if (result.done) return;
          left -= result.value.byteLength;
        }
      } catch {
        // The client is gone.
      } finally {
        clearTimeout(timer);
        isOver = true;
        // Not awaited: on a cloned request, `cancel()` settles only when the other branch is done.
        if (reader !== undefined) reader.cancel().catch(() => {});
        else request.body.cancel().catch(() => {});
      }
    },
  };
}

/** For how many milliseconds a client is waited for that must still send what nobody reads. */
const DRAIN_TIME = 2000;

async function* iterate(source: Source, rules: Rules, bounds: PartsBounds): AsyncGenerator<Part> {
  const seen = new Set<string>();
  for (let count = 0;;) {
    const event = await source.next();
    if (event === undefined) break;
    if (event.kind === "issue") return yield wholeIssue(event);
    if (event.kind !== "part") continue;
    if (++count > bounds.maxParts) {
      return yield wholeIssue({ kind: "issue", code: "too_many_parts", message: "Too many parts" });
    }
    const { head } = event;
    const rule = rules.get(head.name);
    if (rule === undefined) continue;
    // A browser sends it for a file that was not chosen.
    if (rule.kind === "file" && head.fileName === "" && (await source.peek())?.kind === "end") continue;
    seen.add(head.name);
    const issue = issueOf(rule, head);
    if (issue !== undefined) yield partIssue(head.name, issue);
    else if (rule.kind === "file") yield* receiveFile(source, head, rule.file.maxBytes);
    else yield* receiveField(source, head.name, rule, bounds.maxFieldBytes);
  }
  for (const [name, rule] of rules) {
    if (seen.has(name)) continue;
    if (rule.kind === "field") {
      const { issues } = await rule.validate(undefined);
      if (issues) yield { name, issues: issues.map((issue) => fieldIssue(name, issue)) };
    } else if (!rule.isOptional) yield partIssue(name, { code: "missing", message: "Missing file" });
  }
}

/** What is wrong with the header of a part. */
function issueOf(rule: PartRule, { fileName, contentType }: PartHead): Omit<BodyIssue, "kind"> | undefined {
  if (rule.kind === "field") {
    return fileName === undefined ? undefined : { code: "invalid_type", message: "Expected a field, received a file" };
  }
  if (fileName === undefined) return { code: "invalid_type", message: "Expected a file, received a field" };
  const { contentTypes } = rule.file;
  const fits = contentTypes === undefined ||
    contentTypes.some((type) => type === "*/*" || fitsMediaType(type, essenceOf(contentType)));
  return fits ? undefined : { code: "unsupported_media_type", message: "Unsupported media type" };
}

async function* receiveField(
  source: Source,
  name: string,
  rule: PartRule & { readonly kind: "field" },
  maxBytes: number,
): AsyncGenerator<Part> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let bytes = 0;
  for (;;) {
    const event = await source.next();
    if (event === undefined || event.kind === "issue") return;
    if (event.kind !== "content") break;
    bytes += event.bytes.byteLength;
    if (bytes > maxBytes) return yield partIssue(name, { code: "field_too_large", message: "Field too large" });
    text += decoder.decode(event.bytes, { stream: true });
  }
  const { value, issues } = await rule.validate(text + decoder.decode());
  yield issues ? { name, issues: issues.map((issue) => fieldIssue(name, issue)) } : { name, value };
}

/** Yields a file, then what was found to be wrong while it was read. */
async function* receiveFile(source: Source, { name, fileName = "", contentType }: PartHead, maxBytes: number) {
  let left = maxBytes;
  let isOver = false;
  let isPassed = false;
  let isLeft = false;
  let issue: Part | undefined;
  let pulling: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined;
  const next = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const event = await source.next();
    if (event?.kind === "content") {
      left -= event.bytes.byteLength;
      if (left >= 0) return event.bytes;
      issue = partIssue(name, { code: "file_too_large", message: "File too large" });
    } else if (event?.kind === "issue") issue = wholeIssue(event);
    isOver = true;
    return undefined;
  };
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (isPassed) throw new TypeError("The stream of a part must be read before the next part is asked for");
      const chunk = await (pulling = next());
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (isLeft && issue !== undefined) throw new TypeError(NOT_WHOLE);
      else controller.close();
    },
  }, { highWaterMark: 0 });
  let isTold = false;
  try {
    yield { name, fileName, contentType, stream } satisfies Part;
    isPassed = true;
    await pulling;
    while (!isOver) await next();
    isTold = true;
    // What is wrong with the body as a whole is told by whoever asks for the next part.
    if (issue?.name !== undefined) yield issue;
  } finally {
    isLeft = true;
    // A handler that leaves the loop has not been told that its file is not whole. An error of the handler's own takes
    // precedence: `for await` drops this one then.
    if (!isTold && issue !== undefined) {
      // deno-lint-ignore no-unsafe-finally
      throw new TypeError(NOT_WHOLE);
    }
  }
}

const NOT_WHOLE = "The loop over parts was left after a file that is not whole: ask for the next part first";

function wholeIssue({ code, message }: BodyIssue): Part {
  return { name: undefined, issues: [{ part: "body", path: [], message, code }] };
}

function partIssue(name: string, { code, message }: Omit<BodyIssue, "kind">): Part {
  return { name, issues: [{ part: "body", path: [name], message, code }] };
}

function fieldIssue(
  name: string,
  { message, path = [], code }: {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly code?: unknown;
  },
): ValidationIssue {
  const keys = path.map((key) => String(typeof key === "object" && key !== null && "key" in key ? key.key : key));
  return { part: "body", path: [name, ...keys], message, ...typeof code === "string" && { code } };
}
