import type { EventStream } from "../core/responses/responses.ts";
import { requireOptions, requireThat } from "../core/values/assert.ts";
import { pause } from "../core/values/pause.ts";

/** What {@linkcode resume} passes to a call: options of the client's function. */
export interface ResumedCall {
  /** The header `last-event-id`, once an event with an id has come. */
  readonly headers: { readonly "last-event-id"?: string };
  /** The signal of the options. */
  readonly signal: AbortSignal | null;
}

/** The options of {@linkcode resume}. */
export interface ResumeOptions {
  /** How often to call again without anything received in between: an event, or a comment as a heartbeat. */
  readonly retries: number;
  /** Ends the calls, and the pauses between them. The loop then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a call of a client. */
export interface AnyReceived {
  /** The status. */
  readonly status: number;
  /** The body. */
  readonly body: unknown;
  /** The response. */
  readonly response: Response;
}

/** @internal The events of the responses that are streams. */
export type EventIn<Answer> = Answer extends { readonly body: EventStream<infer Event> } ? Event : never;

/**
 * Receives events, and calls again when the stream ends or breaks off, with the id of the last event in the header
 * `last-event-id`.
 *
 * - Before each call it pauses for the `retry` of the server, one second by default, and 100 milliseconds at least.
 *   After calls in which nothing arrived, not even a heartbeat, it pauses up to twice as long each time, to half a minute.
 * - An id that cannot be the value of a header ends the loop with an error, since the server would never receive it.
 * - A network error, a response of 429 or from 500, and the end of the stream are followed by another call. Any other
 *   response and an invalid event are errors.
 * - A response of 204 ends the loop, as in `EventSource`. So does `break`.
 * - Only a call by GET is made again: a server may do the work of another method twice.
 *
 * @param call Calls the endpoint with these options.
 * @param options How often to call again, and what ends it.
 * @yields The events of all calls.
 * @throws The error of the last call. A `TypeError` if an option is unknown, or if the method is not GET.
 *
 * @example A stream that continues after the last event
 * ```ts
 * import { endpoint, route, setup } from "@fw/core";
 * import { createClient } from "@fw/core/client";
 * import { events, replyEvents, resume } from "@fw/core/events";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = { count: endpoint.get("/count", { responses: { 200: events({ number: z.int() }) } }) };
 * const count = route.on(api.count, {
 *   resolve: ({ request }) =>
 *     replyEvents(200, function* (_signal, event) {
 *       const next = Number(request.headers.get("last-event-id") ?? 0) + 1;
 *       yield event("number", next, { id: `${next}` });
 *     }, { retry: 0.1 }),
 * });
 *
 * const client = createClient(api, { fetch: setup({ handlers: [count] }).fetch });
 * const numbers: number[] = [];
 * for await (const { data } of resume((init) => client.count(init), { retries: 5 })) {
 *   if (numbers.push(data) === 3) break;
 * }
 * assertEquals(numbers, [1, 2, 3]);
 * ```
 */
export function resume<Answer extends AnyReceived>(
  call: (init: ResumedCall) => Promise<Answer>,
  options: ResumeOptions,
): AsyncGenerator<EventIn<Answer>, void, void> {
  requireOptions(options, "resume", ["retries"], ["signal"]);
  const { retries } = options;
  requireThat(typeof retries === "number" && retries >= 0, "Option retries of resume", "a number from 0", retries);
  return callAgain(call, options);
}

async function* callAgain<Answer extends AnyReceived>(
  call: (init: ResumedCall) => Promise<Answer>,
  { retries, signal }: ResumeOptions,
): AsyncGenerator<EventIn<Answer>, void, void> {
  let id = "";
  let retry = 1000;
  for (let failures = 0;; failures++) {
    let stream: EventStream<EventIn<Answer>> | undefined;
    let failure: unknown;
    try {
      const headers = id === "" ? {} : { "last-event-id": toHeader(id) };
      const answer = await call({ headers, signal: signal ?? null });
      if (answer.status === 204) return;
      stream = requireEvents<EventIn<Answer>>(answer);
      for await (const event of stream) {
        failures = 0;
        yield event;
      }
      failure = new Error("The stream has ended");
    } catch (error) {
      failure = error;
    }
    signal?.throwIfAborted();
    // The server lives: a proxy may cut a quiet stream off each minute.
    if (stream?.["~isAlive"]) failures = 0;
    if (!isTransient(failure) || failures >= retries) throw failure;
    if (stream !== undefined) {
      id = requireSendable(stream.lastEventId);
      retry = Math.max(stream.retry ?? retry, LEAST_PAUSE);
    }
    // Up to half as long again, so that the clients of a server that was restarted do not call all at once.
    await pause(Math.min(retry * 2 ** failures, Math.max(retry, 30_000)) * (1 + Math.random() / 2), signal);
    signal?.throwIfAborted();
  }
}

/** In milliseconds. A server may say 0, and then end each stream at once. */
const LEAST_PAUSE = 100;

/**
 * Rejects an id that a request cannot have as the value of a header (RFC 9110, 5.5): with control characters, with white
 * space around it, which would be removed, or too long for servers.
 */
function requireSendable(id: string): string {
  // deno-lint-ignore no-control-regex
  if (!/[\0-\x08\n-\x1f\x7f]|^[ \t]|[ \t]$/.test(id) && id.length <= MAX_ID_LENGTH) return id;
  throw new TypeError(
    `The id of an event must fit into a header, without control characters and spaces around it, and of at most ` +
      `${MAX_ID_LENGTH} characters: received one of ${id.length} characters`,
  );
}

/** Servers accept 8 to 16 KB of headers, and a character may take 3 bytes. */
const MAX_ID_LENGTH = 2000;

/** Encodes an id as UTF-8, as `EventSource` does: a header has only characters up to U+00FF. */
function toHeader(id: string): string {
  return String.fromCharCode(...new TextEncoder().encode(id));
}

/** A response of another kind has a status, by which {@linkcode isTransient} judges it. */
function requireEvents<Event>({ status, body, response }: AnyReceived): EventStream<Event> {
  const stream = body as EventStream<Event> | undefined;
  const method = stream?.["~method"];
  if (stream !== undefined && method === "GET") return stream;
  if (!response.bodyUsed) response.body?.cancel().catch(() => {});
  const message = method === undefined
    ? `resume() needs a response of events: received status ${status}`
    : `resume() may repeat GET only: received ${method}`;
  throw Object.assign(new TypeError(message), { status });
}

/** Whether another call may have another outcome: not if there was a response, and the fault is not the server's. */
function isTransient(error: unknown): boolean {
  const { status, name } = Object(error);
  return name !== "AbortError" && (status === undefined || status === 429 || status >= 500);
}
