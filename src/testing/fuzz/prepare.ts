import { readCookies, readHeaders } from "../../core/input/headers.ts";
import { link } from "./link.ts";
import { kindAt, nameOf } from "./names.ts";
import type { Operation } from "./operations.ts";
import type { Call } from "./plan.ts";
import type { Known, Pool } from "./pool.ts";
import { createRandom } from "./random.ts";
import { write } from "./requests.ts";

/** The headers of the actors, by name. */
export type Actors = ReadonlyMap<string | undefined, Headers>;

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
  /** The body. */
  readonly body: string | undefined;
  /** What it takes of earlier responses. */
  readonly used: readonly Known[];
  /** Whether all parts are valid; `undefined` if nobody but the app can say. */
  readonly isValid: boolean | undefined;
  /** The parts that are invalid. */
  readonly invalid: readonly string[];
}

/**
 * Writes the request of a call.
 *
 * @param call The call.
 * @param pool The values of earlier responses.
 * @param actors The headers of the actors.
 * @param swap Another value in place of one of an earlier response.
 * @returns The request.
 */
export async function prepare(call: Call, pool: Pool, actors: Actors, swap?: Swap): Promise<Prepared> {
  const { operation, actor, values, isFresh } = call;
  const { segments, parts, ownBody, maxBodyBytes, offers } = operation;
  const random = createRandom(call.seed);
  const used: Known[] = [];
  const raws = new Map<string, unknown>();
  const hasParams = parts.some(({ name }) => name === "params");
  // Whether the schemas alone decide: nothing that only the app knows is in the request.
  let isDecided = parts.length > 0;

  const generated: { readonly [name: string]: unknown } = Object(values.params);
  const chosen = segments.flatMap((segment, index): [string, unknown][] => {
    if (!/^[:*]/.test(segment)) return [];
    const name = nameOf(segment);
    const found = isFresh || random.chance(0.07) ? [] : pool.find(name, kindAt(segments, index));
    const known = random.chance(0.75) ? found[0] : random.of(found);
    if (known !== undefined) used.push(known);
    else if (!hasParams) isDecided = false;
    return [[name, known === undefined ? generated[name] ?? "0" : swapIn(known.value, swap)]];
  });
  const params = (await write("params", Object.fromEntries(chosen), undefined, segments)).raw as Record<string, string>;
  raws.set("params", params);

  const headers = new Headers(actors.get(actor));
  let query = "";
  let body: string | undefined;
  for (const part of ownBody ? [...parts, ownBody] : parts) {
    if (part.name === "params") continue;
    const linked = link(values[part.name], pool, random, used);
    const { text, raw, contentType } = await part.write(swapIn(linked.value, swap));
    raws.set(part.name, raw);
    if (linked.isOpaque) isDecided = false;
    if (part.name === "query" && text !== "") query = `?${text}`;
    if (part.name === "cookies" && actor !== undefined && text !== "") {
      headers.set("cookie", [headers.get("cookie"), text].filter(Boolean).join("; "));
    }
    if (part.name === "headers") {
      for (const [name, value] of JSON.parse(text)) {
        const isCredential = CREDENTIALS.has(name) || [...actors.values()].some((own) => own.has(name));
        if (!headers.has(name) && !(isCredential && actor === undefined)) headers.set(name, value);
      }
    }
    if (part.name === "body") {
      body = text;
      if (contentType !== undefined && !headers.has("content-type")) headers.set("content-type", contentType);
      if (text.length * 3 > maxBodyBytes) isDecided = false;
    }
  }
  // One of several media types, or none: then the app chooses.
  const accept = random.of([...offers, undefined]);
  if (accept !== undefined && !headers.has("accept")) headers.set("accept", accept);
  if (raws.has("headers")) raws.set("headers", readHeaders(headers));
  if (raws.has("cookies")) raws.set("cookies", readCookies(headers.get("cookie")));

  const invalid: string[] = [];
  for (const part of parts) {
    const isValid = await part.isValid(raws.get(part.name));
    if (isValid === false) invalid.push(part.name);
    if (isValid === undefined) isDecided = false;
  }
  const path = segments.map((segment) =>
    /^[:*]/.test(segment) ? (params[nameOf(segment)] ?? "0").split("/").map(encodeURIComponent).join("/") : segment
  );
  return {
    operation,
    actor,
    path: `/${path.join("/")}`,
    query,
    headers,
    body,
    used,
    isValid: invalid.length > 0 ? false : isDecided ? true : undefined,
    invalid,
  };
}

/** Headers that tell who somebody is. */
const CREDENTIALS = /* @__PURE__ */ new Set(["authorization", "cookie", "x-api-key", "x-auth-token"]);

/** Replaces a value wherever it is. */
function swapIn(value: unknown, swap: Swap | undefined): unknown {
  if (swap === undefined) return value;
  if (value === swap.from) return swap.to;
  if (Array.isArray(value)) return value.map((item) => swapIn(item, swap));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, swapIn(item, swap)]));
}
