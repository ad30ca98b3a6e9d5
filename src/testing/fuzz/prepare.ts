import { readCookies, readHeaders } from "../../core/input/headers.ts";
import { isPlain } from "../../core/values/assert.ts";
import { type Actors, headersOf } from "./actors.ts";
import { link } from "./link.ts";
import { type Message, writeMessages } from "./messages.ts";
import { isParameter, kindAt, nameOf } from "./names.ts";
import { isSamePath } from "./needs.ts";
import type { Operation } from "./operations.ts";
import type { Part } from "./part.ts";
import type { Call } from "./plan/call.ts";
import type { Known, Pool, Version } from "./pool.ts";
import { createRandom, type Random } from "./random.ts";
import { ORIGIN, write } from "./requests.ts";

/** Another value in place of one that an earlier response had. */
export interface Swap {
  /** What is replaced. */
  readonly from: string | number;
  /** What is sent. */
  readonly to: string | number;
}

/** A request that can be sent. */
export interface Prepared {
  /** The operation. */
  readonly operation: Operation;
  /** Who sends it; `undefined` for nobody. */
  readonly actor: string | undefined;
  /** The path, without the query. */
  readonly path: string;
  /** The query, with its question mark. */
  readonly query: string;
  /** The headers. */
  readonly headers: Headers;
  /** The names of those that sign this request. */
  readonly signed: readonly string[];
  /** The body. */
  readonly body: string | undefined;
  /** What is sent over its socket. */
  readonly messages: readonly (string | Uint8Array)[];
  /** What it takes of earlier responses. */
  readonly used: readonly Known[];
  /** What its path takes of them. */
  readonly usedInPath: readonly Known[];
  /** Whether all parts are valid; `undefined` if nobody but the app can say. */
  readonly isValid: boolean | undefined;
  /** The parts that are invalid. */
  readonly invalid: readonly string[];
  /** What is wrong with them. */
  readonly reasons: readonly string[];
}

/**
 * Writes the request of a call.
 *
 * @param call The call.
 * @param pool The values of earlier responses.
 * @param actors The actors.
 * @param swap Another value in place of one of an earlier response.
 * @returns The request.
 */
export async function prepare(call: Call, pool: Pool, actors: Actors, swap?: Swap): Promise<Prepared> {
  const { operation, actor, values } = call;
  const { segments, parts, ownBody, maxBodyBytes, offers } = operation;
  const random = createRandom(call.seed);
  const used: Known[] = [];
  const raws = new Map<string, unknown>();
  const hasParams = parts.some(({ name }) => name === "params");
  // Whether the schemas alone decide: nothing that only the app knows is in the request.
  let isDecided = parts.length > 0;

  const chosen = chooseParams(call, pool, random);
  for (const { known } of chosen) if (known !== undefined) used.push(known);
  if (!hasParams && chosen.some(({ isKnown }) => !isKnown)) isDecided = false;
  const usedInPath = [...used];
  const params = (await write(
    "params",
    Object.fromEntries(chosen.map(({ name, value }) => [name, swapIn(value, swap)])),
    undefined,
    segments,
  )).raw as Record<string, string>;
  raws.set("params", params);

  const headers = headersOf(actors, actor);
  let query = "";
  let body: string | undefined;
  for (const part of ownBody ? [...parts, ownBody] : parts) {
    if (part.name === "params") continue;
    const linked = link(part, values[part.name], call, pool, random, used);
    const { text, raw, contentType } = await part.write(swapIn(linked.value, swap));
    raws.set(part.name, raw);
    if (linked.isOpaque) isDecided = false;
    if (part.name === "query" && text !== "") query = `?${text}`;
    if (part.name === "cookies" && actor !== undefined && text !== "") {
      headers.set("cookie", [headers.get("cookie"), text].filter(Boolean).join("; "));
    }
    if (part.name === "headers") addOwnHeaders(headers, JSON.parse(text), actors, actor);
    if (part.name === "body") {
      if (part.isSigned && actors.get(actor)?.sign === undefined) isDecided = false;
      body = text;
      if (contentType !== undefined && !headers.has("content-type")) headers.set("content-type", contentType);
      if (text.length * 3 > maxBodyBytes) isDecided = false;
    }
  }
  // One of several media types, or none: then the app chooses.
  const accept = random.of([...offers, undefined]);
  if (accept !== undefined && !headers.has("accept")) headers.set("accept", accept);
  const path = pathOf(segments, params);
  addPreconditions(headers, operation, pool.versions.get(path), random);
  const init = { method: operation.method, headers, ...body !== undefined && { body } };
  const isHandshake = operation.messages !== undefined && random.chance(0.9);
  if (isHandshake) { for (const [name, value] of HANDSHAKE) headers.set(name, value); }
  const messages = isHandshake ? writeMessages(values.messages as readonly Message[], operation, pool, random) : [];
  const signature = new Headers(await actors.get(actor)?.sign?.(new Request(ORIGIN + path + query, init)));
  for (const [name, value] of signature) headers.set(name, value);
  if (raws.has("headers")) raws.set("headers", readHeaders(headers));
  if (raws.has("cookies")) raws.set("cookies", readCookies(headers.get("cookie")));

  return {
    operation,
    actor,
    path,
    query,
    headers,
    signed: [...signature.keys()],
    body,
    messages,
    used,
    usedInPath,
    ...await checkParts(parts, raws, isDecided),
  };
}

/** The path with the values of its parameters. */
function pathOf(segments: readonly string[], params: Readonly<Record<string, string>>): string {
  const written = segments.map((segment) =>
    isParameter(segment) ? String(params[nameOf(segment)]).split("/").map(encodeURIComponent).join("/") : segment
  );
  return `/${written.join("/")}`;
}

/** Adds the headers that a call has generated, beside those of its actor. Nobody sends credentials. */
function addOwnHeaders(
  headers: Headers,
  own: readonly (readonly [name: string, value: string])[],
  actors: Actors,
  actor: string | undefined,
): void {
  for (const [name, value] of own) {
    const isCredential = CREDENTIALS.has(name) || [...actors.values()].some(({ headers }) => headers.has(name));
    if (!headers.has(name) && !(isCredential && actor === undefined)) headers.set(name, value);
  }
}

/** Says which parts are invalid, and why. */
async function checkParts(
  parts: readonly Part[],
  raws: ReadonlyMap<string, unknown>,
  isDecided: boolean,
): Promise<Pick<Prepared, "isValid" | "invalid" | "reasons">> {
  const invalid: string[] = [];
  const reasons: string[] = [];
  let isKnown = isDecided;
  for (const part of parts) {
    const issues = await part.issuesOf(raws.get(part.name));
    if (issues === undefined) isKnown = false;
    else if (issues.length > 0) {
      invalid.push(part.name);
      reasons.push(...issues);
    }
  }
  return { isValid: invalid.length > 0 ? false : isKnown ? true : undefined, invalid, reasons };
}

/** What a client sends that opens a socket. */
export const HANDSHAKE: readonly (readonly [name: string, value: string])[] = [
  ["connection", "Upgrade"],
  ["upgrade", "websocket"],
  ["sec-websocket-version", "13"],
  ["sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="],
];

/** A parameter of a path. */
interface Param {
  readonly name: string;
  readonly value: unknown;
  /** Whether an earlier response has the value. */
  readonly isKnown: boolean;
  /** What has been used, if the value is still kept. */
  readonly known: Known | undefined;
}

/** Chooses the parameters of a path, the last one first: it belongs to the things before it. */
function chooseParams(
  { operation, chooser, values, fresh, isLatest, thread }: Call,
  pool: Pool,
  random: Random,
): readonly Param[] {
  const { segments } = operation;
  const generated: { readonly [name: string]: unknown } = Object(values.params);
  const params = [...segments.entries()].filter(([, segment]) => isParameter(segment));
  const last = params.at(-1)?.[0];
  const isMixed = random.chance(0.15);
  let child: Known | undefined;
  const chosen: Param[] = [];
  for (const [index, segment] of params.toReversed()) {
    const name = nameOf(segment);
    // Another's thing below one's own: who looks at the first of them only lets it pass.
    const isForeign = child?.owner !== undefined && child.owner !== chooser && random.chance(0.5);
    const parent = isMixed || isForeign || child === undefined ? undefined : parentOf(child, segments, index);
    if (parent !== undefined) {
      const known = pool.find(name, kindAt(segments, index), operation).find(({ value }) => String(value) === parent);
      chosen.unshift({ name, value: parent, isKnown: true, known });
      continue;
    }
    const isFresh = fresh === "all" || fresh === "last" && index === last;
    const found = isFresh || !isLatest && random.chance(0.07)
      ? []
      : pool.find(name, kindAt(segments, index), operation);
    const own = isForeign || random.chance(0.4)
      ? found.filter(({ owner }) => owner === undefined || owner === chooser)
      : [];
    const before = thread?.isFirst === false && thread.names.has(name)
      ? found.filter(({ maker }) => maker === operation)
      : [];
    const among = [before, own, found].find(({ length }) => length > 0) ?? [];
    const known = isLatest || random.chance(0.75) ? among[0] : random.of(among);
    chosen.unshift({ name, value: known?.value ?? generated[name], isKnown: known !== undefined, known });
    child = known;
  }
  return chosen;
}

/** The thing at a place of a path that another thing belongs to, if it was made below the same path. */
function parentOf({ maker, place }: Known, segments: readonly string[], index: number): string | undefined {
  return isSamePath(segments.slice(0, index + 1), maker.segments.slice(0, index + 1)) ? place[index] : undefined;
}

/**
 * Adds the version of the thing that a response has given, where the endpoint declares such a header, or a response to
 * it: 412, 428 and 304. Now and then, it is an old one.
 */
function addPreconditions(headers: Headers, operation: Operation, version: Version | undefined, random: Random): void {
  const { parts, isSafe, expectation: { responses = {} } } = operation;
  const declared = parts.find(({ name }) => name === "headers")?.properties ?? {};
  const isAsked = (name: string, ...statuses: number[]) =>
    Object.keys(declared).some((key) => key.toLowerCase() === name) ||
    statuses.some((status) => Object.hasOwn(responses, status));
  const put = (name: string, value: string | undefined, probability: number) => {
    if (value === undefined) {
      // A version that nobody has given is not invented: no thing has it.
      if (headers.has(name) && !random.chance(0.2)) headers.delete(name);
    } else if (random.chance(probability)) headers.set(name, random.chance(0.8) ? value : OLD_VERSION);
  };
  const { etag, lastModified } = version ?? {};
  if (!isSafe && isAsked("if-match", 412, 428)) put("if-match", etag, 0.85);
  if (isSafe && isAsked("if-none-match", 304)) put("if-none-match", etag, 0.3);
  if (!isSafe && isAsked("if-unmodified-since")) put("if-unmodified-since", lastModified, 0.85);
  if (isSafe && isAsked("if-modified-since")) put("if-modified-since", lastModified, 0.3);
}

/** A version that nothing has ever had. */
export const OLD_VERSION = '"an-older-version"';

/** Headers that tell who somebody is. */
const CREDENTIALS = /* @__PURE__ */ new Set(["authorization", "cookie", "x-api-key", "x-auth-token"]);

/** Replaces a value wherever it is. */
function swapIn(value: unknown, swap: Swap | undefined): unknown {
  if (swap === undefined) return value;
  const isText = typeof value === "string";
  if ((isText || typeof value === "number") && String(value) === String(swap.from)) {
    return isText ? String(swap.to) : Number(swap.to);
  }
  if (Array.isArray(value)) return value.map((item) => swapIn(item, swap));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, swapIn(item, swap)]));
}
