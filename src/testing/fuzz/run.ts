import { EVENT_STREAM, isJsonLines, isStreamType } from "../../core/responses/media_type.ts";
import { observeRequest } from "../../core/values/request_observer.ts";
import { isPromise } from "../../core/values/maybe_promise.ts";
import { checkResponse, type Expectation } from "../check_response.ts";
import { standardValidator } from "../standard_validator.ts";
import { checkMessages, createLine, talk } from "./talk.ts";
import type { Actors } from "./actors.ts";
import type { FuzzableApp } from "./app.ts";
import { createCookieJar } from "./cookie_jar.ts";
import type { Operation } from "./operations.ts";
import { createPool, type Pool, type Ways } from "./pool.ts";
import { HANDSHAKE, type Prepared } from "./prepare.ts";
import { type Reading, startReading } from "./reading.ts";
import { ORIGIN } from "./requests.ts";

/** One run: requests to one app, each of which may use what earlier responses had. */
export interface Run {
  /** The values of earlier responses. */
  readonly pool: Pool;
  /** The actors. */
  readonly actors: Actors;
  /**
   * Sends a request, and checks that its response is declared.
   *
   * @param prepared The request.
   * @param staysOpen Whether a stream stays open until `hangUp` is called.
   */
  send(prepared: Prepared, staysOpen: boolean): Promise<Result>;
  /** Reads on of the stream that is open, and returns what is wrong with it: nothing where it is a declared one. */
  listen(): Promise<Broken | undefined>;
  /** Closes the stream. */
  hangUp(): void;
  /** Sends a request that is not part of the report. */
  probe(prepared: Prepared): Promise<Result>;
  /** Does something as if it was done by milliseconds earlier, by the clock of the app. */
  earlier<Value>(time: number, act: () => Value | Promise<Value>): Promise<Value>;
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
  /** Whether its stream stayed open. */
  readonly staysOpen: boolean;
}

/** What is wrong with a stream: the app has thrown, or what came is not declared. */
export type Broken = Pick<Result, "thrown" | "undeclared" | "text">;

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
  const jar = createCookieJar();
  /** Whether the app uses the sockets that it gets; `undefined` until that is known. */
  let usesSockets: boolean | undefined;
  /** The stream that stays open. */
  let open: Reading | undefined;

  async function request(
    { operation, actor, path, query, headers, body, messages }: Prepared,
    keep?: (reading: Reading) => void,
  ): Promise<Result> {
    const { method } = operation;
    // Without given actors, one user keeps the cookies that the app sets.
    const hasCookies = actors.size === 0 && actor !== undefined;
    if (hasCookies) jar.addTo(headers);
    const url = ORIGIN + path + query;
    const make = () => {
      const made = new Request(url, { method, headers, ...body !== undefined && { body } });
      // A `Request` may drop the headers of a handshake.
      return headers.has("upgrade") ? Object.defineProperty(made, "headers", { value: new Headers(headers) }) : made;
    };
    const dropHandshake = () => HANDSHAKE.forEach(([name]) => headers.delete(name));
    if (usesSockets === false) dropHandshake();
    let result = await respond(app, make(), operation, messages, watch, keep);
    if (result.usesSockets) usesSockets = true;
    else if (usesSockets === undefined && [result.thrown?.error, ...result.errors].some(lacksSockets)) {
      // A function around the app keeps the sockets to itself.
      usesSockets = false;
      dropHandshake();
      result = await respond(app, make(), operation, messages, watch, keep);
    }
    pass(1000);
    if (result.status === 429) { // A limit hides what lies behind it: an hour later, the request may pass.
      pass(3_600_000);
      result = { ...await respond(app, make(), operation, messages, watch, keep), isLater: true };
    }
    if (hasCookies) jar.keep(result.headers);
    return result;
  }

  const hangUp = () => {
    open?.cancel();
    open = undefined;
  };

  return {
    pool: createPool(ways),
    actors,
    sent,
    probe: (prepared) => request(prepared),
    async earlier(time, act) {
      pass(-time);
      try {
        return await act();
      } finally {
        pass(time);
      }
    },
    async send(prepared, staysOpen) {
      const result = await request(prepared, staysOpen ? (reading) => void (open = reading) : undefined);
      sent.push({
        prepared,
        status: result.status,
        isLater: result.isLater,
        staysOpen: open !== undefined && staysOpen,
      });
      return result;
    },
    async listen() {
      try {
        if (await open?.read(IDLE_LATER) === false) hangUp();
        return undefined;
      } catch (error) {
        return { ...wrongBy(error), text: String(open?.text()) };
      }
    },
    hangUp,
  };
}

/** Sends a request, checks the response, and reads its body to a bound. */
async function respond(
  app: FuzzableApp,
  request: Request,
  { expectation, messages: declared }: Operation,
  messages: readonly (string | Uint8Array)[],
  watch: Watch,
  keep?: (reading: Reading) => void,
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
  const read = await readBody(response, request, expectation, watch, keep);
  const events = line.events();
  if (events !== undefined && (status !== 101 || declared === undefined)) events.close(1006, ""); // a hook has replaced it
  else if (events !== undefined && declared !== undefined) {
    const { received, code } = await talk(events, messages, declared.isWindowed);
    const undeclared = read.undeclared ?? await checkMessages(received, declared.server, expectation.name);
    const json = received.map((text) => JSON.parse(text).data);
    return { ...nothing, ...read, undeclared, status, headers, code, text: received.join("\n"), json };
  }
  return { ...nothing, ...read, status, headers, json: parse(read.text, headers.get("content-type") ?? "") };
}

/** Checks a response, and reads its text: to a bound, if it may never end. Items of a stream are checked as they are read. */
async function readBody(
  response: Response,
  request: Request,
  expectation: Expectation,
  watch: Watch,
  keep?: (reading: Reading) => void,
): Promise<Pick<Result, "text" | "thrown" | "undeclared">> {
  const contentType = response.headers.get("content-type") ?? "";
  const mayEnd = contentType.includes("json") && !isStreamType(contentType);
  let text = "";
  try {
    if (mayEnd) text = await watch.within(response.text());
    const readable = mayEnd ? repeatable(response, text) : response;
    const [, checked] = await checkResponse(readable, request, expectation, standardValidator);
    if (!mayEnd) {
      const reading = startReading(checked);
      const isOpen = await reading.read(IDLE);
      text = reading.text();
      if (isOpen && keep !== undefined) keep(reading);
      else reading.cancel();
    }
    return { text, thrown: undefined, undeclared: undefined };
  } catch (error) {
    response.body?.cancel().catch(() => {});
    return { text, ...wrongBy(error) };
  }
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

/** A response whose text has been read. A clone of the response itself takes twice as long. */
function repeatable({ status, headers, body }: Response, text: string): Response {
  return { status, headers, body, clone: () => ({ text: () => Promise.resolve(text) }) } as Response;
}

/** What is wrong with a response by an error: that the response is not a declared one, or what the app has thrown. */
function wrongBy(error: unknown): Pick<Result, "thrown" | "undeclared"> {
  return isRule(error)
    ? { thrown: undefined, undeclared: error.message }
    : { thrown: { error }, undeclared: undefined };
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

/** The milliseconds that each chunk of a body may take, and of a stream that stays open after a request. */
const IDLE = 5;
const IDLE_LATER = 1;

/** The JSON of a body; the items of a stream as an array. */
function parse(text: string, contentType: string): unknown {
  try {
    if (contentType.startsWith(EVENT_STREAM)) {
      return Array.from(text.matchAll(/^data: ?(.*)$/gm), ([, data = ""]) => dataOf(data));
    }
    if (isJsonLines(contentType)) return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
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
