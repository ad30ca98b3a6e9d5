import type { ExactHeaders, ForEachStatus, OwnAnswer, SentHeaders } from "../core/responses/reply_arguments.ts";
import type { Answer, AnyAnswer, HeaderValue, Reply, SentAs } from "../core/responses/reply_type.ts";
import type { EventsBody, LinesBody, StreamBody } from "../core/responses/responses.ts";
import type { DataIn, EachOf, ItemIn } from "../core/responses/stream_items.ts";
import { describeKind, requireOptions } from "../core/values/assert.ts";
import { pairsOf } from "../core/values/pairs.ts";
import { TEXTS } from "./text.ts";
import { encodeEvent, encodeLine, requireFields, type UnencodedEvent } from "./encode.ts";
import { COMMENT, createStreamBody, type StreamSource } from "./stream_body.ts";

/** The options of {@linkcode replyLines}. */
export interface ReplyLinesOptions {
  /** Headers of the response. A header whose value is `undefined` is not sent. */
  readonly headers?: { readonly [name: string]: HeaderValue | undefined } | undefined;
  /**
   * Ends the stream when it is aborted, as if the source had ended. Pass the signal that is aborted when the server
   * stops. On Cloudflare Workers, pass `c.request.signal`: nothing else shows that the client has disconnected.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives an error of the source, or of an item that cannot be sent. The client sees that the stream broke off, but
   * not the error. Errors of this function are ignored.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The options of {@linkcode replyEvents}. */
export interface ReplyEventsOptions extends ReplyLinesOptions {
  /**
   * The number of seconds without an event after which a comment is sent, so that servers and proxies keep the
   * connection: from 0.001 to 300, and less than their time-outs. Bun waits 10 seconds, unless you set `idleTimeout` of
   * `Bun.serve`. The first comment is sent at once, since Bun sends the headers with the first text. No comment is sent
   * while the client does not read.
   */
  readonly heartbeat?: number | undefined;
  /**
   * After how many seconds a client that was disconnected connects again: a number from 0 to 300. It is sent before the
   * first event, in milliseconds.
   */
  readonly retry?: number | undefined;
}

/** Items, in order. */
export type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

/**
 * An event that `event(name, data)` has made.
 *
 * @typeParam Name Its name.
 * @typeParam Data Its data.
 */
export interface MadeEvent<out Name, out Data> extends UnencodedEvent {
  /** Type-only, absent at run time. */
  readonly "~made by event(name, data)": {
    /** The name. */
    readonly name: Name;
    /** The data. */
    readonly data: Data;
  };
}

/**
 * Makes an event to yield.
 *
 * @typeParam Events The data of the declared events by name.
 */
export type MakeEvent<Events> = <const Name extends keyof Events & string, const Data>(
  name: Name,
  data: DataIn<Data, Events, Name>,
  options?: { readonly id?: string | undefined },
) => MadeEvent<Name, Data>;

/**
 * Makes a batch of items to yield: they are sent at once.
 *
 * @typeParam Item The declared item.
 */
export type MakeBatch<Item> = <const Given extends readonly unknown[]>(
  items: Given & readonly ItemIn<Given[number], Item>[],
) => Batch<Given[number]>;

/** @internal The data of made events by name. */
type EventsOf<Made extends MadeEvent<string, unknown>> = {
  readonly [Each in Made as Each["~made by event(name, data)"]["name"]]: Each["~made by event(name, data)"]["data"];
};

/** @internal The data by name of the events that a status is declared with; any, where no responses are declared. */
export type EventsIn<Answers, Status, Statuses = Status, All = Answers> = Answers extends
  Answer<infer Declared, infer Body, unknown>
  ? Status extends Declared
    ? Body extends StreamBody<"events"> ? [Statuses] extends [Declared] ? Required<Omit<Body, "~stream">>
      : EventsOfEach<Statuses extends unknown ? [Statuses, EventsIn<All, Statuses>] : never>
    : never
  : never
  : { readonly [name: string]: unknown };

/**
 * The events that all statuses are declared with.
 *
 * @typeParam Pairs A pair of status and events for each.
 */
type EventsOfEach<Pairs extends readonly [unknown, unknown]> = {
  readonly [Name in keyof Pairs[1]]: EachOf<
    Pairs extends readonly [infer Status, infer Events] ? [Status, Events[Name & keyof Events]] : never
  >;
};

/** @internal The item that a status is declared with; any, where no responses are declared. */
export type LineIn<Answers, Status, Statuses = Status, All = Answers> = Answers extends
  Answer<infer Declared, infer Body, unknown>
  ? Status extends Declared ? Body extends LinesBody<infer Item> ? [Statuses] extends [Declared] ? Item
      : EachOf<Statuses extends unknown ? [Statuses, LineIn<All, Statuses>] : never>
    : never
  : never
  : unknown;

/** @internal The statuses that are declared as such a stream; any, where no responses are declared. */
export type StreamStatus<Answers, Kind> = Answers extends Answer<infer Status, infer Body, unknown>
  ? Body extends StreamBody<Kind> ? Status : never
  : number;

/**
 * @internal The options, which are required if the declared response has required headers.
 *
 * @typeParam Given The headers that are given.
 */
export type OptionsIn<Answers, Kind, Status, Options, Given, Statuses = Status, All = Answers> = Answers extends
  Answer<infer Declared, infer Body, SentAs<unknown, infer Headers>>
  ? Status extends Declared
    ? Body extends StreamBody<Kind> ? [Statuses] extends [Declared] ? keyof Headers extends never ? [options?: Options]
        : Record<never, never> extends Headers ? [
            options?: WithHeaders<Options, ExactHeaders<SentHeaders<{ readonly headers: Given }>, Headers> | undefined>,
          ]
        : [
          options: Omit<Options, "headers"> & {
            readonly headers: ExactHeaders<SentHeaders<{ readonly headers: Given }>, Headers>;
          },
        ]
      : OptionsOfEach<Statuses extends unknown ? [Statuses, OptionsIn<All, Kind, Statuses, Options, Given>] : never>
    : never
  : never
  : [options?: WithHeaders<Options, Given>];

/**
 * The options that fit all statuses.
 *
 * @typeParam Pairs A pair of status and options for each.
 */
type OptionsOfEach<Pairs extends readonly [unknown, readonly unknown[]]> = [RequiredIn<Pairs>] extends [never]
  ? [options?: ForEachStatus<OptionsPair<Pairs>>]
  : [options: ForEachStatus<OptionsPair<Pairs>>];

/** A status with its options, without what says whether they are required. */
type OptionsPair<Pair extends readonly [unknown, readonly unknown[]]> = Pair extends unknown
  ? readonly [Pair[0], Exclude<Pair[1][0], undefined>]
  : never;

/** The statuses whose options are required. */
type RequiredIn<Pair extends readonly [unknown, readonly unknown[]]> = Pair extends unknown
  ? [] extends Pair[1] ? never : Pair[0]
  : never;

/** The options with these headers. */
type WithHeaders<Options, Headers> = Omit<Options, "headers"> & {
  /** The headers. */
  readonly headers?: Headers;
};

/**
 * Replies with server-sent events. In a route that declares its `responses`, TypeScript checks each event that the
 * source makes: its name, and its data as the body of a `reply`.
 *
 * - The server requests the next event from the source when the client has read the previous one. Nothing is made
 *   ahead.
 * - When the client disconnects, `signal` is aborted, and the generator returns: its `finally` runs, at the latest when
 *   the promise that it awaits has settled. The same happens when the signal of the options is aborted, and after an
 *   event that cannot be sent.
 * - An error breaks the stream off. `onError` of the options receives it, not `onError` of `setup`: the response has
 *   begun.
 *
 * @param status The status.
 * @param source Creates the events: a generator function. `event(name, data, { id })` makes an event to yield. Events
 * without a name are called `message`. The name and the id must have no CR, LF or NUL.
 * @param rest The options: headers, heartbeats, and what ends the stream.
 * @returns The response.
 * @throws A `TypeError` if an option is unknown, or if `heartbeat` or `retry` is not a number of seconds within its
 * bounds.
 *
 * @example A stream that ends with the server, and tells what went wrong
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { events, replyEvents } from "@fw/core/events";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const stopping = new AbortController(); // aborted on SIGTERM
 * const ticks = route.get("/ticks", {
 *   responses: { 200: events(z.int()) },
 *   resolve: () =>
 *     replyEvents(200, async function* (signal, event) {
 *       for (let tick = 1; !signal.aborted && tick <= 2; tick++) yield event("message", tick, { id: `${tick}` });
 *     }, { heartbeat: 5, signal: stopping.signal, onError: (error) => console.error("Ticks:", error) }),
 * });
 *
 * const app = setup({ handlers: [ticks] });
 * const response = await app.fetch(new Request("http://localhost/ticks"));
 * assertEquals(await response.text(), ":\n\nid: 1\ndata: 1\n\nid: 2\ndata: 2\n\n");
 * ```
 */
export function replyEvents<
  const Status extends StreamStatus<Context, "events">,
  Made extends MadeEvent<string, unknown>,
  const Given extends ReplyLinesOptions["headers"] = Record<never, never>,
  Context extends AnyAnswer = AnyAnswer,
  Answers extends AnyAnswer = OwnAnswer<
    Status,
    EventsBody<EventsOf<Made>>,
    SentAs<"text/event-stream", SentHeaders<{ readonly headers: Given }>>
  >,
>(
  status: Status,
  source: (signal: AbortSignal, event: MakeEvent<EventsIn<Context, Status>>) => Items<Made>,
  ...rest: OptionsIn<Context, "events", Status, ReplyEventsOptions, Given>
): Reply<Answers> & Reply<Context>;
// `extends never`: with wider types, TypeScript would say at each mistake that the call fits this signature (TS2793).
export function replyEvents<Any extends never>(status: Any, source: Any, options: ReplyEventsOptions = {}): Response {
  requireOptions(options, "replyEvents", [], ["heartbeat", "retry", ...OPTIONS]);
  const { headers, heartbeat, retry, ...others } = options;
  requireSeconds("heartbeat", heartbeat, 0.001);
  requireSeconds("retry", retry, 0);
  const defaults = { "cache-control": "no-store", "x-accel-buffering": "no" };
  // The declaration adds to it before the stream is read: `replyEvents` does not know the route.
  const texts = new Set<string>();
  const response = send<UnencodedEvent>(status, "text/event-stream", { ...defaults, ...headers }, source, makeEvent, {
    ...others,
    encode: (event) => encodeEvent(event, texts),
    // Some servers send the headers with the first chunk.
    first: retry !== undefined ? `retry: ${Math.round(retry * 1000)}\n\n` : heartbeat ? COMMENT : "",
    heartbeat: heartbeat && heartbeat * 1000,
  });
  return Object.defineProperty(response, TEXTS, { value: texts });
}

/**
 * Replies with JSON lines. In a route that declares its `responses`, TypeScript checks each item as the body of a
 * `reply`.
 *
 * It asks for items, ends and fails as {@linkcode replyEvents} does. Each item is one chunk. For many small items,
 * yield batches, which are sent at once: `yield batch(rows)` is several times faster than one `yield` for each row.
 *
 * @param status The status.
 * @param source The items, or a generator function, which receives a signal and `batch`.
 * @param rest The options: headers, and what ends the stream.
 * @returns The response.
 * @throws A `TypeError` if an option is unknown.
 *
 * @example Rows of a database, page by page
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { lines, replyLines } from "@fw/core/events";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const readPage = (after: number) => Promise.resolve(after < 4 ? [{ id: after + 1 }, { id: after + 2 }] : []);
 *
 * const exported = route.get("/export", {
 *   responses: { 200: lines(z.object({ id: z.int() })) },
 *   resolve: () =>
 *     replyLines(200, async function* (_signal, batch) {
 *       for (let page = await readPage(0); page.length > 0;) {
 *         yield batch(page);
 *         page = await readPage(page.at(-1)?.id ?? 0);
 *       }
 *     }),
 * });
 *
 * const app = setup({ handlers: [exported] });
 * const response = await app.fetch(new Request("http://localhost/export"));
 * assertEquals(await response.text(), '{"id":1}\n{"id":2}\n{"id":3}\n{"id":4}\n');
 * ```
 */
export function replyLines<
  const Status extends StreamStatus<Context, "lines">,
  const Item,
  const Given extends ReplyLinesOptions["headers"] = Record<never, never>,
  Context extends AnyAnswer = AnyAnswer,
  Answers extends AnyAnswer = OwnAnswer<
    Status,
    LinesBody<ItemOf<Item>>,
    SentAs<"application/jsonl", SentHeaders<{ readonly headers: Given }>>
  >,
>(
  status: Status,
  source:
    | Items<ItemIn<Item, LineIn<Context, Status>>>
    | ((
      signal: AbortSignal,
      batch: MakeBatch<LineIn<Context, Status>>,
    ) => Items<LineOrBatch<Item, LineIn<Context, Status>>>),
  ...rest: OptionsIn<Context, "lines", Status, ReplyLinesOptions, Given>
): Reply<Answers> & Reply<Context>;
export function replyLines<Any extends never>(status: Any, source: Any, options: ReplyLinesOptions = {}): Response {
  requireOptions(options, "replyLines", [], OPTIONS);
  const { headers, ...others } = options;
  return send(status, "application/jsonl", headers, source, (items: readonly unknown[]) => new Batch(items), {
    ...others,
    encode: (item) => item instanceof Batch ? item.items.map(encodeLine).join("") : encodeLine(item),
  });
}

/** @internal An item that a generator yields, or a batch of items. */
export type LineOrBatch<Item, Declared> = Item extends Batch<unknown> ? Item : ItemIn<Item, Declared>;

/** @internal The items without batches. */
type ItemOf<Item> = Item extends Batch<infer Batched> ? Batched : Item;

/** Items that are sent at once. `batch(items)` makes it. */
export class Batch<out Item> {
  /** The items. */
  declare readonly items: readonly Item[];

  /**
   * Creates a batch. `replyLines` calls this.
   *
   * @param items The items.
   */
  constructor(items: readonly Item[]) {
    this.items = items;
  }
}

function makeEvent(event: string, data: unknown, { id }: { readonly id?: string } = {}): UnencodedEvent {
  // Also checked when it is encoded. Here, the stack of the error names the line.
  requireFields(event, id);
  return { event, data, id };
}

const OPTIONS = ["headers", "signal", "onError"];

/** The bound is low, so that milliseconds are found. Proxies close a connection that is silent for so long. */
function requireSeconds(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (typeof value === "number" && value >= least && value <= 300)) return;
  throw new TypeError(
    `Option ${name} of replyEvents must be seconds from ${least} to 300: received ${
      typeof value === "number" ? value : describeKind(value)
    }`,
  );
}

/** Replies with what the source makes, which is the items, or a function that receives what makes items to yield. */
function send<Item>(
  status: number,
  type: string,
  headers: ReplyLinesOptions["headers"] = {},
  source: unknown,
  make: unknown,
  body: Omit<StreamSource<Item>, "open">,
): Response {
  const sent = new Headers();
  for (const [name, value] of pairsOf<HeaderValue | undefined>(headers)) {
    if (value !== undefined) sent.set(name, `${value}`);
  }
  sent.set("content-type", type);
  const open = (signal: AbortSignal) => typeof source === "function" ? source(signal, make) : source;
  return new Response(createStreamBody({ ...body, open }), { status, headers: sent });
}
