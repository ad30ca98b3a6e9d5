import type { Known } from "./known.ts";
import type { Operation } from "./operations.ts";
import type { Call } from "./plan.ts";
import { prepare, type Prepared } from "./prepare.ts";
import { toCode } from "./requests.ts";
import type { Result, Run } from "./run.ts";

/** A kind of faults: {@linkcode fuzz} says what each of them means. */
export type FaultKind =
  | "throws"
  | "fails"
  | "undeclared"
  | "accepts invalid input"
  | "refuses valid input"
  | "lets nobody in"
  | "is there after DELETE"
  | "needs no credentials"
  | "crosses owners";

/** A fault, without the requests that show it. */
export interface Finding {
  /** The kind. */
  readonly kind: FaultKind;
  /** The endpoint. */
  readonly operation: Operation;
  /** What is wrong, in words. */
  readonly what: string;
  /** Findings with the same key are one fault. */
  readonly key: string;
}

/** Judges the responses of one run. */
export interface Judge {
  /** Sends a call, and lists what is wrong with its response. */
  judge(call: Call): Promise<readonly Finding[]>;
}

/** What does not change from run to run. */
export interface Rules {
  /** All operations. */
  readonly operations: readonly Operation[];
  /** The names of the endpoints that all actors may use with everything. */
  readonly shared: ReadonlySet<string>;
}

/** A thing that is gone. */
interface Gone {
  readonly known: Known | undefined;
  readonly actor: string | undefined;
  readonly operation: Operation;
}

/**
 * Creates the judge of a run.
 *
 * @param run The run.
 * @param rules The operations, and what is shared.
 * @returns The judge.
 */
export function createJudge(run: Run, { operations, shared }: Rules): Judge {
  const { pool, actors } = run;
  const hasActors = actors.size > 0;
  const gone = new Map<string, Gone>();

  async function judge(call: Call): Promise<readonly Finding[]> {
    const { operation, actor } = call;
    const { method, segments, security } = operation;
    const prepared = await prepare(call, pool, actors);
    const { used, path } = prepared;
    const isWrite = !SAFE.has(method);
    const foreign = hasActors && actor !== undefined && security !== "none" && !isShared(operation)
      ? used.find(({ owner }) => owner !== undefined && owner !== actor)
      : undefined;
    const reader = foreign && isWrite ? readerOf(prepared, foreign) : undefined;
    const before = reader && await run.probe(reader);

    const result = await run.send(prepared);
    const { status, json, headers } = result;
    const isOk = status >= 200 && status < 300;
    if (actor !== undefined) {
      const { count, accepted, request } = operation.seen.get(status) ?? { count: 0, accepted: 0, request: prepared };
      const isAccepted = prepared.isValid !== false;
      operation.seen.set(status, {
        count: count + 1,
        accepted: accepted + Number(isAccepted),
        request: isAccepted ? prepared : request,
      });
    }
    const findings: Finding[] = [];
    const find = (kind: FaultKind, what: string, key = kind as string) => {
      findings.push({ kind, operation, what, key: `${operation.name} ${key}` });
    };

    if (result.thrown !== undefined) {
      const { error } = result.thrown;
      const { name, message, at } = describe(error);
      find("throws", `throws ${name}: ${message}${at && ` at ${at}`}`, `throws ${name} ${at || message}`);
    } else if (status >= 500 && !(isDeclared(operation, status) && status === 503 && headers.has("retry-after"))) {
      find("fails", `responds with ${status}`, `fails ${status}`);
    } else if (result.undeclared !== undefined) {
      const what = result.undeclared.replace(` of ${operation.name}`, "").replace(
        /^[IR]/,
        (first) => first.toLowerCase(),
      );
      find("undeclared", what, keyOf(what));
    }
    if (prepared.isValid === false) {
      if (isOk) find("accepts invalid input", `accepts invalid ${prepared.invalid.join(" and ")} with ${status}`);
      else if (status >= 400 && status < 500 && !OTHER_REFUSALS.has(status)) operation.refusals.add(shapeOf(result));
    } else if (prepared.isValid && (status === 400 || status === 422) && operation.refusals.has(shapeOf(result))) {
      find("refuses valid input", `refuses valid input with ${status}, as if it were invalid`);
    }
    if (isOk && actor === undefined && security === "some") {
      find("needs no credentials", `responds with ${status} to a request without credentials, and declares security`);
    }
    if (isOk) {
      const what = await crosses(call, prepared, result, foreign, reader, before);
      if (what !== undefined) find("crosses owners", what);
      const still = await remains(call, prepared, result);
      if (still) find("is there after DELETE", "is still there after its DELETE");
    }

    for (const known of used) if (pool.all.includes(known)) pool.touch(known);
    if (isOk || status === 303) {
      // What the request had is no new id.
      const text = path + prepared.query + (prepared.body ?? "");
      const isSent = (value: string | number) => String(value).length > 3 && text.includes(String(value));
      const location = /([^/?#]+)[/?#]*$/.exec(headers.get("location") ?? "")?.[1];
      const made = isWrite && method !== "DELETE" && status !== 303 ? actor : undefined;
      if (location !== undefined) pool.add(operation, { id: location }, made, isSent);
      pool.add(operation, json, made, isSent);
    }
    if (isOk && isWrite) {
      for (const [other, { known }] of gone) {
        if (path.startsWith(other) || known !== undefined && result.text.includes(String(known.value))) {
          gone.delete(other);
        }
      }
      const isItem = segments.at(-1)?.startsWith(":") === true;
      const [known] = used.slice(-1);
      if (method === "DELETE" && isItem && status !== 202 && (known?.owner === undefined || known.owner === actor)) {
        gone.set(path, { known, actor, operation });
      }
    }
    return findings;
  }

  function isShared({ name }: Operation): boolean {
    return shared.has(name);
  }

  /** Whether a thing is still there after its DELETE: by its own path, or in the list that its path is below. */
  async function remains({ actor }: Call, prepared: Prepared, { json }: Result): Promise<boolean> {
    const { operation, path } = prepared;
    if (operation.method !== "GET") return false;
    const own = gone.get(path);
    if (own !== undefined && own.actor === actor) {
      if (isChanged(own.known?.object, json)) return false;
      // What responds to any id, such as settings with defaults, says nothing about this one.
      const other = await run.probe({ ...prepared, path: path.replace(/[^/]+$/, mutate) });
      return other.status < 200 || other.status > 299;
    }
    for (const [other, { known, actor: remover }] of gone) {
      if (known === undefined || remover !== actor || other.replace(/\/[^/]+$/, "") !== path) continue;
      const found = objectsIn(json).find((object) => object[known.key] === known.value);
      if (found !== undefined && !isChanged(known.object, found)) return true;
    }
    return false;
  }

  /** The request by which the owner reads what another actor is about to change. */
  function readerOf(prepared: Prepared, { owner }: Known): Prepared | undefined {
    const reader = operations.find(({ method, segments }) =>
      method === "GET" && segments.join("/").replace(/:[^/]*/g, ":") ===
        prepared.operation.segments.join("/").replace(/:[^/]*/g, ":")
    );
    if (reader === undefined || owner === undefined) return undefined;
    return {
      ...prepared,
      operation: reader,
      actor: owner,
      headers: new Headers(actors.get(owner)),
      query: "",
      body: undefined,
    };
  }

  /** Who reads or changes what another actor has made. */
  async function crosses(
    call: Call,
    prepared: Prepared,
    result: Result,
    foreign: Known | undefined,
    reader: Prepared | undefined,
    before: Result | undefined,
  ): Promise<string | undefined> {
    const { operation, actor } = call;
    if (!hasActors || actor === undefined || operation.security === "none" || isShared(operation)) return undefined;
    const says = (verb: string, { owner, maker }: Known) => `${actor} ${verb} what ${owner} has made by ${maker.name}`;
    const isWrite = !SAFE.has(operation.method);
    if (foreign !== undefined) {
      const swap = { from: foreign.value, to: mutated(foreign.value) };
      const control = await run.probe(await prepare(call, pool, actors, swap));
      const isSame = control.status === result.status &&
        control.text.replaceAll(String(swap.to), "") === result.text.replaceAll(String(swap.from), "");
      if (!isSame) {
        if (isWrite) return says("changes", foreign);
        if (!await isOpen(prepared)) return says("reads", foreign);
      } else if (reader !== undefined && before !== undefined) {
        const after = await run.probe(reader);
        if (after.status !== before.status || after.text !== before.text) return says("changes", foreign);
      }
    }
    for (const object of objectsIn(result.json)) {
      // What the same operation makes has an id of its own, even if that was the id of a thing that is gone.
      const leaked = pool.all.find(({ key, value, owner, maker, object: made }) =>
        owner !== undefined && owner !== actor && maker !== operation && object[key] === value && made !== undefined &&
        isLike(made, object)
      );
      if (leaked !== undefined && !await isOpen(prepared)) return says("reads", leaked);
    }
    return undefined;
  }

  /** Whether anybody may send a request: the documentation demands no credentials, and it passes without. */
  async function isOpen(prepared: Prepared): Promise<boolean> {
    if (prepared.operation.security === "some" || !SAFE.has(prepared.operation.method)) return false;
    const { status } = await run.probe({ ...prepared, actor: undefined, headers: new Headers() });
    return status >= 200 && status < 300;
  }

  return { judge };
}

/** What is the same for each item of a list, and for each value. */
function keyOf(what: string): string {
  const [rule = "", faults = ""] = what.replace(/: received .*/, "").replace(/^item \d+/, "item").split(" schema: ");
  return `${rule} ${[...new Set(faults.replace(/\b\d+: /g, "").split("; "))].join()}`;
}

const SAFE = /* @__PURE__ */ new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** Statuses that say something else than that input is invalid. */
const OTHER_REFUSALS = /* @__PURE__ */ new Set([401, 403, 404, 405, 409, 429]);

function isDeclared({ expectation: { responses } }: Operation, status: number): boolean {
  return responses !== undefined && Object.hasOwn(responses, status);
}

/** The status and the keys of a refusal. */
function shapeOf({ status, json, text }: Result): string {
  return `${status} ${typeof json === "object" && json !== null ? Object.keys(json).toSorted().join() : text === ""}`;
}

/** Another id of the same form. */
function mutated(value: string | number): string | number {
  return typeof value === "number" ? value + 7919 : mutate(value);
}

function mutate(text: string): string {
  if (/^\d+$/.test(text)) return String(Number(text.slice(-9)) + 7919);
  return text.replace(
    /[\da-z](?=[^\da-z]*$)/i,
    (last) => /[0-8a-eg-yA-Y]/.test(last) ? String.fromCharCode(last.charCodeAt(0) + 1) : last === "9" ? "0" : "a",
  );
}

/** The objects in a JSON value, itself included. */
function objectsIn(value: unknown, depth = 0): readonly { readonly [key: string]: unknown }[] {
  if (typeof value !== "object" || value === null || depth > 4) return [];
  const below = Object.values(value).slice(0, 50).flatMap((item) => objectsIn(item, depth + 1));
  return Array.isArray(value) ? below : [value as { readonly [key: string]: unknown }, ...below];
}

/** Whether an object says of itself that it has changed: a cancelled order is there, and its status is another one. */
function isChanged(before: object | undefined, after: unknown): boolean {
  const known: { readonly [key: string]: unknown } = { ...before };
  return Object.entries(Object(after)).some(([key, value]) =>
    typeof value !== "object" && Object.hasOwn(known, key) && known[key] !== value
  );
}

/** Whether two objects are the same thing: more than a number is equal, and nothing differs. */
function isLike(made: object, other: { readonly [key: string]: unknown }): boolean {
  const shared = Object.entries(made).filter(([key, value]) => Object.hasOwn(other, key) && typeof value !== "object");
  return shared.every(([key, value]) => other[key] === value) &&
    (shared.length > 1 || shared.some(([, value]) => String(value).length > 7));
}

/** The name, the message and the place of what was thrown. */
function describe(error: unknown): { readonly name: string; readonly message: string; readonly at: string } {
  if (!(error instanceof Error)) return { name: "what is no error", message: String(error).slice(0, 100), at: "" };
  const frames = Array.from((error.stack ?? "").matchAll(FRAME), ([, place]) => place as string);
  const own = frames.find((place) => !place.startsWith(OURS) && !LIBRARY.test(place)) ?? "";
  const message = error.message.replace(/\n[^]*/, "");
  return { name: error.name, message: message.slice(0, 200), at: own.replace(/^file:\/\//, "").replace(/:\d+$/, "") };
}

/** A place in a stack, on V8 and JavaScriptCore. */
const FRAME = /(?:\(|@|at (?:async )?)((?:[a-z]+:\/\/)?[^\s()@]*\/[^\s()@]+:\d+:\d+)\)?$/gm;

/** Where the framework is: the folder `src/`, or nowhere if it is in a bundle with the app. */
const OURS =
  /* @__PURE__ */ (() =>
    String(import.meta.url).replace(/(?<=\/src\/)testing\/fuzz\/judge\.\w+$/, "").replace(
      /(?<!\/src\/)$/,
      "?nowhere",
    ))();

const LIBRARY = /node_modules|\/deno\/npm\/|^(?:ext|node|jsr|https?):/;

/**
 * Says that an operation has refused all requests of actors, for their credentials or for something that its schemas do
 * not say, so that nothing behind its guards is tested.
 *
 * @param operation The operation, after all requests.
 * @returns What is wrong, and a request that shows it; `undefined` if one was let in, or if there were too few.
 */
export function letsNobodyIn(
  { method, seen }: Operation,
): { readonly fault: string; readonly request: string } | undefined {
  const statuses = [...seen].sort(([, one], [, other]) => other.count - one.count);
  const count = statuses.reduce((sum, [, each]) => sum + each.count, 0);
  const [most] = statuses;
  if (most === undefined || statuses.some(([status]) => !REFUSALS.has(status))) return undefined;
  const isClosed = most[0] === 401 || most[0] === 403;
  const accepted = statuses.reduce((sum, [, each]) => sum + each.accepted, 0);
  if ((isClosed ? count : accepted) < ENOUGH_REFUSED) return undefined;
  const { path, query, headers, body } = most[1].request;
  const listed = statuses.map(([status, each]) => `${status} (${each.count})`).join(", ");
  return {
    fault: `lets none of ${count} requests in, with ${listed}: ${
      isClosed
        ? "add an actor whom it lets in, or skip it"
        : "declare what else it needs, such as a header, in the schemas of its request, or skip it"
    }`,
    request: toCode(method, path + query, headers, body),
  };
}

/** Statuses of who is not let in. A thing that is not found, or that conflicts, lies behind the guards. */
const REFUSALS = /* @__PURE__ */ new Set([400, 401, 403, 422, 429]);

/** How many refused requests say that nobody is let in. */
const ENOUGH_REFUSED = 20;
