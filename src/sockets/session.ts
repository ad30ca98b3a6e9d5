import type { ValidationIssue } from "../core/input/input.ts";
import { requireResult } from "../core/input/validate.ts";
import type { DeclaredMessages } from "../core/responses/declared_socket.ts";
import type { MatchedRoute } from "../core/routing/matched_route.ts";
import { describeKind, hasProperties } from "../core/values/assert.ts";
import { andThen, type MaybePromise } from "../core/values/maybe_promise.ts";
import { onAbort } from "../core/values/on_abort.ts";
import { fits, requireCode } from "./close_code.ts";
import type { InvalidMessage } from "./handlers.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import type { RuntimeSocket, SocketEvents, SocketPolicy } from "./runtime.ts";

/** Untyped view of a peer. */
interface UntypedPeer {
  readonly signal: AbortSignal;
  send(name: string, data: unknown, options?: { readonly id?: string | undefined }): Promise<void>;
  close(code?: number, reason?: string): void;
}

/** Untyped view of the handlers: the compiler has checked them where they were written. */
export interface UntypedHandlers {
  readonly send?: ((signal: AbortSignal, message: typeof makeMessage) => Items) | undefined;
  readonly receive: { readonly [name: string]: (data: unknown, peer: UntypedPeer) => MaybePromise<void> };
  readonly invalid: (invalid: InvalidMessage, peer: UntypedPeer) => MaybePromise<void>;
  readonly closed?: ((code: number, reason: string) => MaybePromise<void>) | undefined;
}

/** A message to send. */
interface UntypedMessage {
  readonly name: string;
  readonly data: unknown;
  readonly id?: string | undefined;
}

type Items = AsyncIterable<UntypedMessage> | Iterable<UntypedMessage>;

/**
 * Creates what happens to one socket, from the handshake to its end.
 *
 * @param policy The bounds.
 * @param messages The declared messages.
 * @param handlers The handlers of the application.
 * @param route The route, for messages.
 * @returns What the runtime calls.
 */
export function createSession(
  policy: SocketPolicy,
  messages: DeclaredMessages,
  handlers: UntypedHandlers,
  route: MatchedRoute,
): SocketEvents {
  const { validator, maxMessageBytes, maxWaitingBytes, patience, heartbeat, signal: stopping } = policy;
  const { client, server, window } = messages;
  const ending = new AbortController();
  /** Aborted when the socket has ended, for whatever reason. */
  const ended = ending.signal;
  let socket: RuntimeSocket | undefined;
  let inbox: Inbox | undefined;
  let outbox: Outbox | undefined;
  let items: AsyncIterator<UntypedMessage> | Iterator<UntypedMessage> | undefined;
  let heartbeats: ReturnType<typeof setInterval> | undefined;
  let closing: ReturnType<typeof setTimeout> | undefined;
  let forget = () => {};
  /** Whether nothing was sent since the last beat. */
  let isQuiet = false;

  const report = async (error: unknown) => {
    // What was woken by its signal has not failed.
    if (ended.aborted && (error === ended.reason || Object(error).name === "AbortError")) return;
    try {
      await policy.onError(error);
    } catch {
      // Nobody else is there to receive it.
    }
  };

  /** Runs a function of the application at the end, where no other depends on it. */
  const attempt = async (run: () => unknown) => {
    try {
      await run();
    } catch (error) {
      report(error);
    }
  };

  /** Ends everything on this side, once. */
  const end = (code: number, reason: string) => {
    if (ended.aborted) return;
    forget();
    clearInterval(heartbeats);
    inbox?.clear();
    ending.abort();
    outbox?.wake();
    attempt(() => items?.return?.());
    attempt(() => handlers.closed?.(code, reason));
  };

  /** Closes the socket. The client has a while to agree. */
  const close = (code: number, reason = "") => {
    if (ended.aborted) return;
    end(code, reason);
    closing = setTimeout(() => socket?.terminate(), patience * 1000);
    socket?.close(code, reason);
  };

  const cutOff = () => {
    end(1008, "Too slow");
    socket?.terminate();
  };

  const fail = (error: unknown) => {
    report(error);
    close(1011);
  };

  const peer: UntypedPeer = {
    signal: ended,
    send(name, data, { id } = {}) {
      const text = encode(server, name, data, id);
      if (ended.aborted || outbox === undefined) return Promise.resolve();
      isQuiet = false;
      return outbox.send(text);
    },
    close(code = 1000, reason = "") {
      requireCode(code, reason);
      close(code, reason);
    },
  };

  const handle = (text: string): MaybePromise<void> => {
    const { name, data } = parse(text);
    if (name === undefined) return handlers.invalid({ issues: [INVALID_JSON] }, peer);
    if (!Object.hasOwn(client, name)) return handlers.invalid({ issues: [UNKNOWN_MESSAGE] }, peer);
    return andThen(validator.validate(client[name], data, "body", route), (result) => {
      requireResult(result, "body", route);
      if (ended.aborted) return;
      return result.ok
        ? handlers.receive[name]?.(result.value, peer)
        : handlers.invalid({ name, issues: result.issues }, peer);
    });
  };

  /** Sends what the generator of the application makes, when the client has read what was before. */
  const produce = async (send: NonNullable<UntypedHandlers["send"]>) => {
    try {
      const made = send(ended, makeMessage);
      items = Symbol.asyncIterator in made ? made[Symbol.asyncIterator]() : made[Symbol.iterator]();
      while (!ended.aborted) {
        const { done, value } = await items.next();
        if (done) {
          items = undefined; // it has ended by itself
          return close(1000);
        }
        await peer.send(value.name, value.data, value);
      }
    } catch (error) {
      fail(error);
    }
  };

  const beat = () => {
    const isDue = isQuiet && !outbox?.isCongested();
    if (isDue) socket?.send("{}");
    isQuiet = !isDue;
  };

  return {
    open(opened) {
      if (ended.aborted) return opened.terminate();
      socket = opened;
      inbox = createInbox(maxWaitingBytes, handle, fail);
      outbox = createOutbox(opened, policy, window ?? Infinity, ended, cutOff);
      const stop = () => close(1001, "The server stops");
      if (stopping?.aborted) return stop();
      if (stopping !== undefined) forget = onAbort(stopping, stop);
      heartbeats = setInterval(beat, heartbeat * 500); // a message may have been sent just after the last beat
      if (handlers.send !== undefined) produce(handlers.send);
    },
    message(data) {
      if (ended.aborted || inbox === undefined || outbox === undefined) return;
      if (typeof data !== "string") return close(1003, "Only text");
      if (!fits(data, maxMessageBytes)) return close(1009, "Too long");
      const [, count] = window === undefined ? [] : ACKNOWLEDGEMENT.exec(data) ?? [];
      if (count !== undefined) {
        if (!outbox.acknowledge(Number(count))) close(1008, "Wrong acknowledgement");
      } else if (!inbox.add(data)) {
        close(1008, "Too many messages");
      }
    },
    drain() {
      outbox?.wake();
    },
    close(code, reason) {
      clearTimeout(closing);
      end(code, reason);
    },
  };
}

/** A message for the generator of the application to yield. */
function makeMessage(
  name: string,
  data: unknown,
  options: { readonly id?: string | undefined } = {},
): UntypedMessage {
  return { name, data, id: options.id };
}

/** Encodes a message. */
function encode(server: DeclaredMessages["server"], name: string, data: unknown, id: string | undefined): string {
  if (typeof name !== "string" || !Object.hasOwn(server, name)) {
    throw new TypeError(`Message must have one of the declared names: ${Object.keys(server).join(", ")}`);
  }
  if (id !== undefined && typeof id !== "string") {
    throw new TypeError(`Message id must be a string: received ${describeKind(id)}`);
  }
  return JSON.stringify({ name, data, id });
}

/** Parses a message. A message that is not JSON, or has no name, has none here. */
function parse(text: string): { readonly name?: string; readonly data?: unknown } {
  try {
    const parsed: unknown = JSON.parse(text);
    return hasProperties(parsed) && typeof parsed.name === "string" ? { name: parsed.name, data: parsed.data } : {};
  } catch {
    return {};
  }
}

const ACKNOWLEDGEMENT = /^\{"ack":(\d{1,15})\}$/;

const INVALID_JSON: ValidationIssue = {
  part: "body",
  path: [],
  message: 'Not JSON with a "name"',
  code: "invalid_json",
};

const UNKNOWN_MESSAGE: ValidationIssue = {
  part: "body",
  path: ["name"],
  message: "Unknown message",
  code: "unknown_message",
};
