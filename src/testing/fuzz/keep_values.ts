import type { Exchange } from "./exchange.ts";
import { isParameter, kindAt, nameOf } from "./names.ts";
import type { Operation } from "./operations.ts";
import { kindsOf, type Source } from "./pool.ts";
import { placeOf } from "./reader.ts";
import { ORIGIN } from "./requests.ts";

/**
 * Keeps what later requests take of a response: the values of its JSON, the parameters and the query of paths of the
 * app, as in `location` and `link`, and the version of a thing.
 *
 * @param exchange The request and its response.
 * @param operations All operations.
 * @param owner Whose things it has made, if it has.
 */
export function keepValues(
  exchange: Exchange,
  operations: readonly Operation[],
  owner: string | undefined,
): void {
  const { operation, prepared, result, isOk, run: { pool, sent } } = exchange;
  const { used, path, query, body } = prepared;
  const { status, headers, json } = result;
  for (const known of used) if (pool.all.includes(known)) pool.touch(known);
  keepVersion(exchange);
  if (!isOk && status !== 303) return;
  // What the request had is no new id.
  const text = path + query + (body ?? "");
  const source: Source = {
    operation,
    maker: !operation.isSafe && operation.method !== "DELETE" && status !== 303 ? owner : undefined,
    isSent: (value) =>
      String(value).length > 3
        ? text.includes(String(value))
        : typeof value === "string" && text.includes(`"${value}"`),
    from: sent.length,
    place: path.split("/").slice(1).map((segment) => decode(segment) ?? segment),
  };
  const location = headers.get("location");
  if (location !== null) {
    const isKnown = keepPath(exchange, source, location, operations);
    const last = /([^/?#]+)\/?(?:[?#].*)?$/.exec(location)?.[1];
    if (!isKnown && last !== undefined) pool.addOne(source, "id", last, kindsOf(operation));
  }
  for (const url of headers.get("link")?.match(/(?<=<)[^>]*(?=>)/g) ?? []) keepPath(exchange, source, url, operations);
  for (const url of urlsIn(json, 0)) keepPath(exchange, source, url, operations);
  pool.add(source, json);
}

/** Keeps the parameters and the query of a path of the app, and says whether it is one. */
function keepPath(
  { prepared, run: { pool } }: Exchange,
  source: Source,
  text: string,
  operations: readonly Operation[],
): boolean {
  if (!URL.canParse(text, ORIGIN + prepared.path)) return false;
  const url = new URL(text, ORIGIN + prepared.path);
  const parts = url.pathname.split("/").slice(1);
  const matched = url.origin === ORIGIN
    ? operations.filter(({ segments }) => matches(segments, parts))
      .toSorted((one, other) => literalsIn(other) - literalsIn(one))[0]
    : undefined;
  if (matched === undefined) return false;
  for (const [index, segment] of matched.segments.entries()) {
    const value = decode(String(parts[index]));
    if (segment.startsWith(":") && value !== undefined && value !== "") {
      pool.addOne(source, nameOf(segment), value, [kindAt(matched.segments, index)]);
      if (!source.operation.isSafe) pool.noteMaker(kindAt(matched.segments, index), source.operation);
    }
  }
  // A link to the next page of a list: a cursor of that list.
  for (const [name, value] of url.searchParams) {
    pool.addOne({ ...source, operation: matched, maker: undefined }, name, value, []);
  }
  return true;
}

/** Whether a path has the form of an endpoint. */
export function matches(segments: readonly string[], parts: readonly string[]): boolean {
  return segments.length === parts.length &&
    segments.every((segment, index) => isParameter(segment) || segment === parts[index]);
}

function literalsIn({ segments }: Operation): number {
  return segments.filter((segment) => !isParameter(segment)).length;
}

/** The text of a segment of a path; `undefined` if it cannot be decoded. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The texts of a JSON value that are paths, or urls of the app. */
function urlsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return /^(?:\/[^/]|http:\/\/localhost:8000\/)/.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null || depth > 3) return [];
  return Object.values(value).slice(0, 20).flatMap((item) => urlsIn(item, depth + 1));
}

/** Keeps the version of the thing that the response shows, or that it has made. */
function keepVersion({ prepared, result, isOk, run: { pool } }: Exchange): void {
  const { status, headers } = result;
  if (!isOk && status !== 304) return;
  if (prepared.operation.method === "DELETE") return void pool.versions.delete(prepared.path);
  const [etag, lastModified] = [headers.get("etag") ?? undefined, headers.get("last-modified") ?? undefined];
  if (etag === undefined && lastModified === undefined) return;
  pool.versions.set(placeOf(prepared, result), { etag, lastModified });
}
