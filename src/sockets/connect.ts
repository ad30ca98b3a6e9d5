import type { Endpoint, EndpointTypes } from "../core/declare/typed_endpoint.ts";
import type { ParamsPart, StringPart, TextValue } from "../core/input/text_parts.ts";
import type { JsonOf } from "../core/responses/json_of.ts";
import type { DataIn } from "../core/responses/stream_items.ts";
import type { ParameterNames } from "../core/routing/pattern.ts";
import { splitPath, writeUrl } from "../core/routing/write_url.ts";
import { hasProperties, requireOptions, requireThat } from "../core/values/assert.ts";
import { requireCode } from "./close_code.ts";
import { type ClientSocket, createLink, type Link } from "./link.ts";
import { messagesOf, type SocketAt, type WithSocket } from "./socket.ts";
import { SocketClosed } from "./socket_closed.ts";

/**
 * A message that a client has received.
 *
 * @typeParam Name Its name.
 * @typeParam Data Its data, as JSON has it.
 */
export interface ReceivedMessage<out Name, out Data> {
  /** The name. */
  readonly name: Name;
  /** The data. */
  readonly data: Data;
  /** The id, if the server has given one. */
  readonly id: string | undefined;
}

/**
 * A client's end of a socket: `for await (const { name, data } of connection)`. Only one loop can read it. The connection
 * opens when the loop begins, and closes when the loop ends.
 *
 * @typeParam Sent What the client sends, by name.
 * @typeParam Received What the server sends, by name.
 */
export interface Connection<Sent, Received> extends
  AsyncIterable<
    { readonly [Name in keyof Received & string]: ReceivedMessage<Name, JsonOf<Received[Name]>> }[
      & keyof Received
      & string
    ]
  > {
  /**
   * Sends a message.
   *
   * @param name The name.
   * @param data The data.
   * @returns Whether the connection is open. If the socket is not open, the message is neither sent nor kept.
   */
  send<const Name extends keyof Sent & string, const Data>(name: Name, data: DataIn<Data, Sent, Name>): boolean;
  /** The id of the last message that had one. */
  readonly lastId: string | undefined;
  /**
   * Closes the connection. The loop ends.
   *
   * @param code 1000, the default, or a code of your own from 3000 to 4999.
   * @param reason At most 123 bytes.
   * @throws A `TypeError` for any other code, or for a longer reason.
   */
  close(code?: number, reason?: string): void;
}

/** The options of {@linkcode connect} that do not depend on the endpoint. */
export interface ConnectOptions {
  /** The beginning of the url: `https://api.example.com/v1`. It becomes `wss:`. */
  readonly baseUrl: string | URL;
  /**
   * After how many seconds without anything from the server the client connects again: more than 0, at most 86,400; 60 by
   * default. More than the `heartbeat` of the server.
   */
  readonly silence?: number | undefined;
  /**
   * The pauses before the client connects again, in seconds: the first, which then doubles, and the most. More than 0, at
   * most 86,400; 0.5 and 30 by default.
   */
  readonly pause?: { readonly first: number; readonly most: number } | undefined;
  /** Closes the connection. The loop then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** The class `WebSocket`. On Node.js 20, pass the class of `ws`. By default the global one. */
  readonly WebSocket?: (new (url: string) => ClientSocket) | undefined;
  /**
   * After a failed handshake, requests the url again without a handshake, to find out the response, which browsers
   * hide. By default the global `fetch`, with credentials. The signal is aborted after `silence`, and when the
   * connection is closed.
   */
  readonly fetch?: ((url: string, init: { readonly signal: AbortSignal }) => Promise<Response>) | undefined;
}

/**
 * @internal The options of {@linkcode connect} that the endpoint demands: `params` and `query`. A function for `query`
 * receives the id of the last message, for each connection anew: put it where the server reads on.
 *
 * @typeParam E The endpoint.
 */
export type ConnectParts<E> = E extends { readonly path: infer Path extends string }
  ? E extends { readonly "~types"?: EndpointTypes<infer Inputs, unknown> }
    ? ParamsPart<ParameterNames<Path>, Inputs> & QueryPart<StringPart<"query", Inputs>>
  : never
  : never;

/** The query, or a function that makes it; any query, if the endpoint has no schema for it. */
type QueryPart<Part> = unknown extends Part ? { readonly query?: QueryOrFunction<AnyQuery> }
  : Part extends { readonly query: infer Query } ? { readonly query: QueryOrFunction<Query> }
  : Part extends { readonly query?: infer Query } ? { readonly query?: QueryOrFunction<Exclude<Query, undefined>> }
  : never;

type QueryOrFunction<Query> = Query | ((lastId: string | undefined) => Query);

type AnyQuery = { readonly [key: string]: TextValue | undefined };

/**
 * Connects to a socket as its client. TypeScript checks the messages that it sends and reads.
 *
 * - When the connection breaks, or the server goes away, it connects again, after a pause that doubles with each failure.
 *   If the response to the handshake has `Retry-After` in seconds, it waits so long first, at most an hour.
 *   `query` receives the id of the last message: with an event log at the server, each message arrives once, in order.
 * - The loop ends after 1000. It throws {@linkcode SocketClosed} after a code from 4000 on and after one that another
 *   attempt would meet again, such as 1008; and if the handshake is denied with 400 to 499, except 408, 425, 426 and 429.
 * - Messages with a name that is not declared are skipped.
 * - If the endpoint declares a `window`, the server waits until the loop has read: a slow loop slows the server down.
 *
 * @typeParam E The endpoint.
 * @param endpoint The endpoint, which declares `101: socket({ client, server })`.
 * @param options Where to connect, and the parameters.
 * @returns The connection.
 * @throws A `TypeError` if an option is wrong, or if the endpoint declares no socket.
 *
 * @example A loop that survives restarts of the server
 * ```ts
 * import { endpoint } from "@fw/core";
 * import { connect, socket } from "@fw/core/sockets";
 * import { z } from "zod";
 *
 * const chat = endpoint.get("/rooms/:id", {
 *   request: { query: z.object({ after: z.string().optional() }) },
 *   responses: { 101: socket({ client: { say: z.string() }, server: { said: z.string() } }), 400: {}, 403: {}, 426: {} },
 * });
 *
 * export async function listen(show: (text: string) => void, signal: AbortSignal): Promise<void> {
 *   const room = connect(chat, {
 *     baseUrl: "https://api.example.com",
 *     params: { id: 7 },
 *     query: (after) => ({ after }),
 *     signal,
 *   });
 *   for await (const { name, data } of room) {
 *     if (name === "said") show(data);
 *   }
 * }
 * ```
 */
export function connect<E extends Endpoint>(
  endpoint: E & WithSocket<E>,
  options: ConnectOptions & ConnectParts<E>,
): Connection<SocketAt<E>["sent"], SocketAt<E>["server"]>;
// `extends never`: with wider types, TypeScript would say at each mistake that the call fits this signature (TS2793).
export function connect<Any extends never>(endpoint: Any, options: Any): Connection<never, never> {
  return connectUntyped(endpoint, options) as Connection<never, never>;
}

/** Untyped view of the options. */
interface UntypedOptions extends ConnectOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object | ((lastId: string | undefined) => object);
}

/** Untyped view of a connection. */
interface UntypedConnection extends AsyncIterable<ReceivedMessage<string, unknown>> {
  readonly lastId: string | undefined;
  send(name: string, data: unknown): boolean;
  close(code?: number, reason?: string): void;
}

function connectUntyped(endpoint: Endpoint, options: UntypedOptions): UntypedConnection {
  const { server, window } = messagesOf(endpoint);
  const others = ["params", "query", "silence", "pause", "signal", "WebSocket", "fetch"];
  requireOptions(options, "connect", ["baseUrl"], others);
  const {
    baseUrl,
    params,
    query,
    silence = 60,
    pause = { first: 0.5, most: 30 },
    signal,
    WebSocket: Socket = WebSocket,
    fetch: request = (url, init) => fetch(url, { ...init, credentials: "include" }),
  } = options;
  requirePause("silence", silence);
  requirePause("pause.first", pause.first);
  requirePause("pause.most", pause.most);
  const start = `${baseUrl}`.replace(/\/+$/, "");
  requireThat(/^https?:\/\/[^?#]*$/.test(start), "Option baseUrl of connect", "an http url without ? and #", baseUrl);
  const parts = splitPath(endpoint.path);
  const urlOf = () =>
    writeUrl(start, endpoint.path, parts, params, typeof query === "function" ? query(lastId) : query);

  let lastId: string | undefined;
  let link: Link | undefined;
  let isClosed = false;
  /** Ends what is waited for between two connections. */
  let wake = () => {};

  const close = (code = 1000, reason = "") => {
    requireCode(code, reason);
    isClosed = true;
    link?.close(code, reason);
    wake();
  };
  const abort = () => close();

  async function* read(): AsyncGenerator<ReceivedMessage<string, unknown>> {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", abort);
    try {
      for (let failures = 0; !isClosed; failures++) {
        const current = link = createLink(new Socket(urlOf().replace(/^http/, "ws")), silence);
        try {
          let received = 0;
          for await (const text of current) {
            failures = 0;
            const message = parse(text);
            if (message === undefined) continue;
            received++;
            lastId = message.id ?? lastId;
            if (Object.hasOwn(server, message.name)) yield message;
            // The loop has come back for more.
            if (window !== undefined && received % Math.ceil(window / 2) === 0) current.send(`{"ack":${received}}`);
          }
        } finally {
          current.close(1000, "");
        }
        const { closed, wasOpen } = current;
        if (isClosed || closed === undefined || closed.code === 1000) break;
        const denial = wasOpen ? undefined : await ask();
        if (isClosed) break;
        if (wasOpen ? isFinal(closed.code) : isDenied(denial)) {
          throw new SocketClosed(closed.code, closed.reason, denial);
        }
        denial?.body?.cancel().catch(() => {});
        await wait(secondsUntilNext(failures, pause, denial));
      }
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    signal?.throwIfAborted();
  }

  /** What a handshake is denied with; `undefined` if nobody tells in time. */
  const ask = async () => {
    const aborter = new AbortController();
    const asked = request(urlOf(), aborter).catch(() => undefined);
    const response = await Promise.race([asked, wait(silence)]);
    wake();
    if (response === undefined) aborter.abort();
    return response;
  };

  const wait = (seconds: number) =>
    new Promise<undefined>((resolve) => {
      wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
      const timer = setTimeout(wake, seconds * 1000);
    });

  const messages = read();
  return {
    send: (name, data) => link?.send(JSON.stringify({ name, data })) ?? false,
    get lastId() {
      return lastId;
    },
    close,
    [Symbol.asyncIterator]: () => messages,
  };
}

/** After how many seconds the next connection is tried. */
function secondsUntilNext(
  failures: number,
  { first, most }: { readonly first: number; readonly most: number },
  denial: Response | undefined,
): number {
  const asked = Number(denial?.headers.get("retry-after")) || 0; // not a date
  // Half to all of it, so that the clients of a server that was restarted do not connect all at once.
  const own = Math.min(first * 2 ** failures, most) * (1 + Math.random()) / 2;
  return Math.min(Math.max(asked, 0), MAX_ASKED) + own;
}

/** Whether the server has closed with a code that another connection would meet again. */
function isFinal(code: number): boolean {
  return FINAL.includes(code) || code >= 4000;
}

/** Whether another handshake would be denied again. */
function isDenied(denial: Response | undefined): boolean {
  const status = denial?.status ?? 0;
  return status >= 400 && status < 500 && !PASSING.includes(status);
}

/** Rejects what no timer waits for. */
function requirePause(name: string, value: number): void {
  const isRight = typeof value === "number" && value > 0 && value <= 86_400;
  requireThat(isRight, `Option ${name} of connect`, "a number of seconds, more than 0 and at most 86,400", value);
}

/** For how many seconds a server may make a client wait. */
const MAX_ASKED = 3600;

/** Codes of the protocol that say that something is wrong with what was sent (RFC 6455, 7.4.1). */
const FINAL = [1002, 1003, 1007, 1008, 1009, 1010];

/** Statuses after which a later attempt may succeed. 426 is what a request without a handshake gets. */
const PASSING = [408, 425, 426, 429];

/** Parses a message; `undefined` for a heartbeat. */
function parse(text: string): ReceivedMessage<string, unknown> | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new SocketClosed(1007, "The server has sent a message that is not JSON");
  }
  if (!hasProperties(message) || typeof message.name !== "string") return undefined;
  const { name, data, id } = message;
  return { name, data, id: typeof id === "string" ? id : undefined };
}
