import { observeRequest } from "../../core/values/request_observer.ts";
import { isPromise } from "../../core/values/maybe_promise.ts";
import { checkResponse } from "../check_response.ts";
import { standardValidator } from "../standard_validator.ts";
import { checkMessages, createLine, talk } from "./talk.ts";
import type { Actors } from "./actors.ts";
import type { FuzzableApp } from "./app.ts";
import type { Operation } from "./operations.ts";
import { createPool, type Pool, type Ways } from "./pool.ts";
import { HANDSHAKE, type Prepared } from "./prepare.ts";
import { ORIGIN } from "./requests.ts";

/** One run: requests to one app, each of which may use what earlier responses had. */
export interface Run {
  /** The values of earlier responses. */
  readonly pool: Pool;
  /** The actors. */
  readonly actors: Actors;
  /** Sends a request, and checks that its response is declared. */
  send(prepared: Prepared): Promise<Result>;
  /** Sends a request that is not part of the report. */
  probe(prepared: Prepared): Promise<Result>;
  /** The requests so far. */
  readonly sent: readonly Sent[];
}

/** A request that has been sent. */
export interface Sent {
  /** The request. */
  readonly prepared: Prepared;
  /** The status of the response; 0 if there was none. */
  readonly status: number;
  /** Whether it was sent again an hour later, since a limit had refused it. */
  readonly isLater: boolean;
}

/** What came of a request. */
export interface Result {
  /** The status; 0 if there is no response. */
  readonly status: number;
  /** The headers. */
  readonly headers: Headers;
  /** The text of the body, or its beginning. */
  readonly text: string;
  /** The JSON of the body, or an array of the items of a stream. */
  readonly json: unknown;
  /** What the app has thrown. */
  readonly thrown: { readonly error: unknown } | undefined;
  /** What has reached `onError`. */
  readonly errors: readonly unknown[];
  /** Why the response is not a declared one. */
  readonly undeclared: string | undefined;
  /** The code with which the server has closed the socket. */
  readonly code: number | undefined;
  /** Whether the app has used the sockets that it got. */
  readonly usesSockets: boolean;
  /** Whether it is the response to a second try, an hour later, since a limit had refused the first. */
  readonly isLater: boolean;
}

/**
 * Starts a run.
 *
 * @param app The app, without anything of earlier runs.
 * @param actors The actors.
 * @param pass Moves the clock of the app on, by milliseconds.
 * @param ways What leads from a response to a request.
 * @param watch Gives up where the app does not respond.
 * @returns The run.
 */
export function startRun(
  app: FuzzableApp,
  actors: Actors,
  pass: (time: number) => void,
  ways: Ways,
  watch: Watch,
): Run {
  const sent: Sent[] = [];
  const jar = new Map<string, string>();
  const hasActors = actors.size > 0;
  /** Whether the app uses the sockets that it gets; `undefined` until that is known. */
  let usesSockets: boolean | undefined;

  async function probe({ operation, actor, path, query, headers, body, messages }: Prepared): Promise<Result> {
    const { method } = operation;
    // Without given actors, one user keeps the cookies that the app sets.
    if (!hasActors && actor !== undefined && jar.size > 0 && !headers.has("cookie")) {
      headers.set("cookie", Array.from(jar, ([name, value]) => `${name}=${value}`).join("; "));
    }
    const url = ORIGIN + path + query;
    const request = () => {
      const made = new Request(url, { method, headers, ...body !== undefined && { body } });
      // A `Request` may drop the headers of a handshake.
      return headers.has("upgrade") ? Object.defineProperty(made, "headers", { value: new Headers(headers) }) : made;
    };
    const dropHandshake = () => HANDSHAKE.forEach(([name]) => headers.delete(name));
    if (usesSockets === false) dropHandshake();
    let result = await respond(app, request(), operation, messages, watch);
    if (result.usesSockets) usesSockets = true;
    else if (usesSockets === undefined && [result.thrown?.error, ...result.errors].some(lacksSockets)) {
      // A function around the app keeps the sockets to itself.
      usesSockets = false;
      dropHandshake();
      result = await respond(app, request(), operation, messages, watch);
    }
    pass(1000);
    if (result.status === 429) { // A limit hides what lies behind it: an hour later, the request may pass.
      pass(3_600_000);
      result = { ...await respond(app, request(), operation, messages, watch), isLater: true };
    }
    for (const cookie of actor === undefined || hasActors ? [] : result.headers.getSetCookie()) {
      const pair = cookie.replace(/;[^]*/, "");
      const name = pair.replace(/=[^]*/, "");
      const value = pair.slice(name.length + 1);
      if (value === "" || /max-age=0/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    return result;
  }

  return {
    pool: createPool(ways),
    actors,
    sent,
    probe,
    async send(prepared) {
      const result = await probe(prepared);
      sent.push({ prepared, status: result.status, isLater: result.isLater });
      return result;
    },
  };
}

/** Sends a request, checks the response, and reads its body to a bound. */
async function respond(
  app: FuzzableApp,
  request: Request,
  { expectation, messages: declared }: Operation,
  messages: readonly (string | Uint8Array)[],
  watch: Watch,
): Promise<Result> {
  const errors: unknown[] = [];
  observeRequest(request, { onError: (error) => void errors.push(error) });
  const line = createLine(errors);
  const nothing = {
    status: 0,
    headers: NO_HEADERS,
    text: "",
    json: undefined,
    thrown: undefined,
    errors,
    undeclared: undefined,
    code: undefined,
    isLater: false,
    get usesSockets() {
      return line.isUsed();
    },
  };
  let response: Response;
  try {
    const responded = app.fetch(request, line.sockets);
    response = isPromise(responded) ? await watch.within(responded) : responded;
  } catch (error) {
    return { ...nothing, thrown: { error } };
  }
  const { status, headers } = response;
  const contentType = headers.get("content-type") ?? "";
  let text = "";
  let result: Pick<Result, "thrown" | "undeclared"> = nothing;
  try {
    // Bodies that may never end are read to a bound. Items of a stream are checked as they are read.
    const mayEnd = contentType.includes("json") && !STREAMED.test(contentType);
    if (mayEnd) text = await watch.within(response.text());
    const readable = mayEnd ? repeatable(response, text) : response;
    const [, checked] = await checkResponse(readable, request, expectation, standardValidator);
    if (!mayEnd) text = await readText(checked);
  } catch (error) {
    result = isRule(error)
      ? { thrown: undefined, undeclared: error.message }
      : { thrown: { error }, undeclared: undefined };
    response.body?.cancel().catch(() => {});
  }
  const events = line.events();
  if (events !== undefined && (status !== 101 || declared === undefined)) events.close(1006, ""); // a hook has replaced it
  else if (events !== undefined && declared !== undefined) {
    const { received, code } = await talk(events, messages, declared.isWindowed);
    const undeclared = result.undeclared ?? await checkMessages(received, declared.server, expectation.name);
    const json = received.map((text) => JSON.parse(text).data);
    return { ...nothing, ...result, undeclared, status, headers, code, text: received.join("\n"), json };
  }
  return { ...nothing, ...result, status, headers, text, json: parse(text, contentType) };
}

/** Whether an error is that of `accept`, which got no sockets. */
function lacksSockets(error: unknown): boolean {
  return error instanceof TypeError && error.message.startsWith("Sockets of accept");
}

/** Whether a status says that the request has succeeded: also one that has opened a socket. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300 || status === 101;
}

const NO_HEADERS = /* @__PURE__ */ new Headers();

/** Media types of streams. */
const STREAMED = /event-stream|jsonl|ndjson|json-seq/;

/** A response whose text has been read. A clone of the response itself takes twice as long. */
function repeatable({ status, headers, body }: Response, text: string): Response {
  return { status, headers, body, clone: () => ({ text: () => Promise.resolve(text) }) } as Response;
}

/** Whether an error says that a response is not a declared one. */
function isRule(error: unknown): error is Error {
  return error instanceof Error && /^(?:Response|Item \d+ of response) \d+ of /.test(error.message);
}

/** Rejects promises that take too long. */
export interface Watch {
  /** The promise, or a rejection in time. */
  within<Value>(promise: Promise<Value>): Promise<Value>;
  /** Ends the watch. */
  stop(): void;
}

/** Starts a watch: one timer for all requests, which come one after another. */
export function startWatch(): Watch {
  let since = 0;
  let giveUp: ((error: Error) => void) | undefined;
  const timer = setInterval(() => {
    if (performance.now() - since > PATIENCE) giveUp?.(new Error(`No response within ${PATIENCE / 1000} s`));
  }, 1000);
  return {
    within: (promise) => {
      since = performance.now();
      return new Promise((resolve, reject) => {
        giveUp = reject;
        promise.then(resolve, reject);
      });
    },
    stop: () => clearInterval(timer),
  };
}

/** Milliseconds. */
const PATIENCE = 10_000;

/** The most characters and chunks of a body that are read, and the milliseconds that each chunk may take. */
const MOST_TEXT = 65_536;
const MOST_CHUNKS = 50;
const IDLE = 5;

/** Reads a body, up to a bound: a stream may never end. */
async function readText(response: Response): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let chunks = 0; chunks < MOST_CHUNKS && text.length < MOST_TEXT; chunks++) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const idle = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), IDLE);
    });
    const read = await Promise.race([reader.read(), idle]).finally(() => clearTimeout(timer));
    if (read === undefined) break;
    if (read.done) return text;
    text += decoder.decode(read.value, { stream: true });
  }
  reader.cancel().catch(() => {});
  return text;
}

/** The JSON of a body; the items of a stream as an array. */
function parse(text: string, contentType: string): unknown {
  try {
    if (contentType.startsWith("text/event-stream")) {
      return Array.from(text.matchAll(/^data: ?(.*)$/gm), ([, data = ""]) => dataOf(data));
    }
    if (/jsonl|ndjson/.test(contentType)) return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    return contentType.includes("json") ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The data of an event: JSON, or the text that is sent as it is. */
function dataOf(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
