import type { InferOutput, TypePredicate } from "../core/input/input.ts";
import { essenceOf } from "../core/responses/media_type.ts";
import { isText } from "../core/responses/text_schema.ts";
import type { ResponseHeader } from "../core/responses/responses.ts";
import type { DeclaredStream, EventsBody, LinesBody, ReceivedStream } from "../core/responses/responses.ts";
import { parseEvents, type StreamState } from "./parse_events.ts";
import { readLines } from "./read_lines.ts";
import { TEXTS, type TextSchema } from "./text.ts";

/** The options of {@linkcode events} and {@linkcode lines}. */
export interface StreamOptions {
  /** What the response means, as CommonMark. */
  readonly description?: string | undefined;
  /** The headers, by name. */
  readonly headers?: { readonly [name: string]: ResponseHeader } | undefined;
  /**
   * The most characters of an event or of a line that a client reads; 1,048,576 by default. Longer ones are an
   * `UnexpectedResponse`.
   */
  readonly maxLength?: number | undefined;
}

/**
 * A declared response that is a stream.
 *
 * @typeParam Type The media type.
 * @typeParam Body What the stream consists of.
 */
export interface StreamResponse<out Type extends string, out Body> {
  /** The media type. */
  readonly contentType: Type;
  /** Not the schema of an item: for types, and for documents that cannot describe items. It validates nothing. */
  readonly schema: StreamSchema<Body>;
  /** How clients read the stream, and the type of its items. */
  readonly "~stream": DeclaredStream;
}

/**
 * A Standard Schema of a stream as a whole.
 *
 * @typeParam Body What the stream consists of.
 */
export interface StreamSchema<out Body> {
  /** As in a Standard Schema. */
  readonly "~standard": {
    /** As in a Standard Schema. */
    readonly version: 1;
    /** As in a Standard Schema. */
    readonly vendor: string;
    /** As in a Standard JSON Schema. */
    readonly jsonSchema: {
      /** As in a Standard JSON Schema. */
      output(): object;
    };
    /** As in a Standard Schema. */
    readonly types?: {
      /** What the stream consists of. */
      readonly output: Body;
    };
  };
}

/** A schema: a Standard Schema, one with `safeParse`, or a type predicate. */
export type ItemSchema =
  | { readonly "~standard": object }
  | { safeParse(input: unknown): unknown }
  | TypePredicate<
    unknown
  >;

/** @internal The options that are part of the type of a declared stream. */
export type HeadersOption<Options> = Options extends { readonly headers: infer Headers } ? { readonly headers: Headers }
  : unknown;

/** The schemas of events by name. */
export type EventSchemas = { readonly [name: string]: ItemSchema };

/** @internal The data of events by name. */
type OutputsOf<Schemas> = { readonly [Name in keyof Schemas]: InferOutput<Schemas[Name]> };

/**
 * Declares a response of server-sent events that have no names: `events(z.object({ text: z.string() }))`.
 *
 * @param schema The schema of the data, which is JSON (its output type), or `text()`.
 * @param options Description, headers and the bound of clients.
 * @returns An entry of `responses`.
 */
export function events<const Schema extends ItemSchema, const Options extends StreamOptions = StreamOptions>(
  schema: Schema,
  options?: Options,
):
  & StreamResponse<"text/event-stream", EventsBody<{ readonly message: InferOutput<Schema> }>>
  & HeadersOption<Options>;
/**
 * Declares a response of server-sent events, with a schema of the data for each name.
 *
 * @param schemas The schemas of the data, which is JSON (their output types), by the name of the event. Data of
 * `text()` is sent as text, not as JSON. The name `message` is for events without a name. A client ends at an event with
 * `[DONE]` whose data is declared as JSON.
 * @param options Description, headers and the bound of clients.
 * @returns An entry of `responses`.
 *
 * @example Events from the declaration to the client
 * ```ts
 * import { endpoint, route, setup } from "@fw/core";
 * import { createClient } from "@fw/core/client";
 * import { events, replyEvents } from "@fw/core/events";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = {
 *   chat: endpoint.get("/chat", {
 *     responses: { 200: events({ token: z.object({ text: z.string() }), done: z.object({ tokens: z.int() }) }) },
 *   }),
 * };
 *
 * const chat = route.on(api.chat, {
 *   resolve: () =>
 *     replyEvents(200, async function* (_signal, event) {
 *       for (const text of ["Hello", "Ada"]) yield event("token", { text });
 *       yield event("done", { tokens: 2 });
 *     }),
 * });
 *
 * const client = createClient(api, { fetch: setup({ handlers: [chat] }).fetch });
 * const { body } = await client.chat();
 * const told: unknown[] = [];
 * for await (const item of body) told.push(item.event === "token" ? item.data.text : item.data.tokens);
 * assertEquals(told, ["Hello", "Ada", 2]);
 * ```
 */
export function events<const Schemas extends EventSchemas, const Options extends StreamOptions = StreamOptions>(
  schemas: Schemas,
  options?: Options,
): StreamResponse<"text/event-stream", EventsBody<OutputsOf<Schemas>>> & HeadersOption<Options>;
export function events(
  schemas: ItemSchema | EventSchemas,
  options?: StreamOptions,
): StreamResponse<"text/event-stream", never> {
  const items: Partial<EventSchemas> = isSchema(schemas) ? { message: schemas } : schemas;
  const texts = Object.keys(items).filter((name) => isText(items[name]));
  const declared = declare("text/event-stream", items, Object.values(items), options, (received, maxLength) => {
    const { method, headers } = received.request;
    const stream: StreamState & AsyncIterable<unknown> = {
      "~method": method,
      lastEventId: headers.get("last-event-id") ?? "",
      retry: undefined,
      async *[Symbol.asyncIterator]() {
        for await (const { event, data } of parseEvents(received, stream, maxLength)) {
          // Unknown events are skipped, as `EventSource` does.
          if (Object.hasOwn(items, event)) {
            const isSentAsItIs = texts.includes(event);
            // So OpenAI and others end a stream. Whoever checks what is sent sees that it is not JSON.
            if (data === "[DONE]" && !isSentAsItIs && received.skip === undefined) return;
            const json = isSentAsItIs ? JSON.stringify(data) : data;
            yield { event, data: await received.parse(items[event], json), id: stream.lastEventId };
          } else {
            received.skip?.(event);
          }
        }
      },
    };
    return stream;
  });
  if (texts.length === 0) return declared;
  const sent = (response: Response) => {
    const told: Set<string> | undefined = Object(response)[TEXTS];
    for (const name of texts) told?.add(name);
  };
  return { ...declared, "~stream": { ...declared["~stream"], sent } };
}

/**
 * Declares a response of JSON lines: one JSON value on each line.
 *
 * @param schema The schema of a value (its output type).
 * @param options Description, headers and the bound of clients.
 * @returns An entry of `responses`.
 *
 * @example Rows of a table
 * ```ts
 * import { endpoint, route, setup } from "@fw/core";
 * import { createClient } from "@fw/core/client";
 * import { lines, replyLines } from "@fw/core/events";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = { listBooks: endpoint.get("/books", { responses: { 200: lines(z.object({ title: z.string() })) } }) };
 * const listBooks = route.on(api.listBooks, {
 *   resolve: () => replyLines(200, [{ title: "Emma" }, { title: "Ulysses" }]),
 * });
 *
 * const client = createClient(api, { fetch: setup({ handlers: [listBooks] }).fetch });
 * const titles: string[] = [];
 * for await (const { title } of (await client.listBooks()).body) titles.push(title);
 * assertEquals(titles, ["Emma", "Ulysses"]);
 * ```
 */
export function lines<const Schema extends ItemSchema, const Options extends StreamOptions = StreamOptions>(
  schema: Schema & (Schema extends TextSchema ? "Lines are JSON: text() is for events" : unknown),
  options?: Options,
): StreamResponse<"application/jsonl", LinesBody<InferOutput<Schema>>> & HeadersOption<Options>;
export function lines(schema: ItemSchema, options?: StreamOptions): StreamResponse<"application/jsonl", never> {
  if (isText(schema)) throw new TypeError("Schema of lines must not be text(), which is for events: lines are JSON");
  return declare("application/jsonl", schema, [schema], options, async function* (received, maxLength) {
    for await (const line of readLines(received, maxLength, /\n/)) {
      if (line.trim() !== "") yield received.parse(schema, line);
    }
  });
}

function isSchema(value: ItemSchema | EventSchemas): value is ItemSchema {
  // `undefined`, as an import cycle leaves it, is a missing schema.
  return value === undefined || typeof value === "function" || "~standard" in value ||
    typeof value.safeParse === "function";
}

const STRING = {
  "~standard": { version: 1, vendor: "fw", jsonSchema: { output: () => ({ type: "string" }) } },
} as const;

/**
 * A declared response. Its schema is that of a string: OpenAPI 3.1 cannot describe the items of a stream. If a schema
 * of its items is missing, so is its own, which the route or the endpoint rejects.
 */
function declare<Type extends string>(
  contentType: Type,
  items: unknown,
  schemas: readonly unknown[],
  { maxLength = 2 ** 20, ...described }: StreamOptions = {},
  read: (received: ReceivedStream, maxLength: number) => AsyncIterable<unknown>,
): StreamResponse<Type, never> {
  return {
    contentType,
    schema: (schemas.includes(undefined) ? undefined : STRING) as typeof STRING,
    ...described,
    "~stream": {
      items,
      maxLength,
      read(received) {
        // Another body, such as the page of a proxy, would be a stream without items.
        if (essenceOf(`${received.response.headers.get("content-type")}`) !== contentType) throw received.unexpected();
        return read(received, maxLength);
      },
    },
  };
}
