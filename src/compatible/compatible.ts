import { describeKind, requireOptions } from "../core/values/assert.ts";
import type { Change, Documents, Level } from "./change.ts";
import { compareChannels } from "./compare_channels.ts";
import { compareOperations } from "./compare_operations.ts";
import { compareSchemas } from "./schemas/compare_schemas.ts";
import { isKeywords, type Keywords, sunsetOf } from "./keywords.ts";
import { sourceOf } from "./references.ts";

/** The options of {@linkcode compatible}. */
export interface CompatibleOptions {
  /** The day on which to judge what is deprecated: a date, or a string such as `"2026-11-25"`. By default, now. */
  readonly today?: Date | string | undefined;
}

/**
 * Compares two OpenAPI documents of an API, or two AsyncAPI documents of a server, and lists the changes that matter to
 * clients of the earlier one.
 *
 * The documents may be of version 3.0, 3.1 or 3.2, of any tool, and of different versions. An AsyncAPI document is one of
 * version 3.0, as `asyncapi` of `@fw/core/sockets` makes it. Its channels are compared by their addresses, and the
 * payloads of messages by their names. A change is
 *
 * - `breaking` if a request that was valid is no longer accepted, or if a response is sent that was not promised;
 * - `risky` if that cannot be decided, as for two different patterns, or if it depends on what clients do: a property
 *   is no longer read, an optional property is no longer sent, an endpoint is removed that was deprecated;
 * - `safe` if neither is the case.
 *
 * The comparison assumes that clients send only keys that a schema names, and ignore keys that they do not know. If a
 * schema restricts other keys with `additionalProperties` or a pattern, a new key may be `risky`.
 *
 * A deprecated operation, parameter, property or header may be removed. With a day in `x-sunset`, which
 * `docs.deprecated: { sunset }` of a route sets, the removal is `risky` before that day, and `safe` from then on.
 * Without a day, it is `risky`.
 *
 * References to other documents are compared by their text: bundle such documents first. The work is bounded: a schema
 * with more than 64 alternatives, or within 100 others that have some, is `risky` if it has changed at all, and so is
 * what comes after 200,000 comparisons. After 30,000 changes of requests, or of responses, each schema that has changed
 * is one more change, of its worst level.
 *
 * @param before The document that clients know, as parsed JSON or YAML.
 * @param after The document of today.
 * @param options The day on which to judge.
 * @returns The changes, in the order of the operations. Documents that mean the same have none.
 * @throws A `TypeError` if a document is not one of OpenAPI 3.0 to 3.2 or of AsyncAPI 3.0, contains itself, is nested
 * more than 500 levels deep, or has a bigint; or if one is of OpenAPI, and the other of AsyncAPI.
 *
 * @example A test of three lines, with the document in the repository
 * ```ts
 * import { compatible } from "@fw/core/compatible";
 * import { assertEquals } from "@std/assert";
 *
 * const info = { title: "Books", version: "1.0.0" };
 * const responses = { 200: { description: "OK" } };
 * const limit = { name: "limit", in: "query", required: true, schema: { type: "integer" } };
 * const committed = { openapi: "3.1.0", info, paths: { "/books": { get: { responses } } } };
 * const today = { openapi: "3.1.0", info, paths: { "/books": { get: { parameters: [limit], responses } } } };
 *
 * assertEquals(compatible(committed, today).filter(({ level }) => level === "breaking"), [{
 *   level: "breaking",
 *   operation: "GET /books",
 *   at: "/paths/~1books/get/parameters/0",
 *   what: 'query parameter "limit": is new and required',
 * }]);
 * ```
 */
export function compatible(before: unknown, after: unknown, options: CompatibleOptions = {}): Change[] {
  requireOptions(options, "compatible", [], ["today"]);
  const today = readDay(options.today ?? new Date());
  requireDocument("before", before);
  requireDocument("after", after);
  if (isAsync(before) !== isAsync(after)) {
    throw new TypeError(
      "Arguments of compatible must be two documents of OpenAPI, or two of AsyncAPI: received one each",
    );
  }
  let steps = MAX_STEPS;
  const spend = (cost = 1) => (steps -= cost) >= 0;
  const levelOfRemoval = (removed: Keywords, level: Level): Level => {
    if (removed.deprecated !== true || level === "safe") return level;
    return Date.parse(sunsetOf(removed)) <= today ? "safe" : "risky";
  };
  const comparisons = (side: "request" | "response") => {
    const hidden = side === "request" ? "readOnly" : "writeOnly";
    const [before, after] = [{ ...sources.before, hidden }, { ...sources.after, hidden }] as const;
    const compared = { side, before, after, spend, levelOfRemoval } as const;
    return {
      json: compareSchemas(compared),
      markup: compareSchemas({ ...compared, text: "risky" }),
      text: compareSchemas({ ...compared, text: "safe" }),
    };
  };
  const sources = { before: sourceOf(before, spend), after: sourceOf(after, spend) };
  const documents: Documents = {
    before,
    after,
    resolveBefore: sources.before.resolve,
    resolveAfter: sources.after.resolve,
    request: comparisons("request"),
    response: comparisons("response"),
    levelOfRemoval,
  };
  return [...isAsync(before) ? compareChannels(documents) : compareOperations(documents)];
}

/** Whether a document is one of AsyncAPI, of a version that is compared. */
function isAsync({ asyncapi, openapi }: Keywords): boolean {
  return openapi === undefined && typeof asyncapi === "string" && /^3\.0(\.|-|$)/.test(asyncapi);
}

/** Comparisons, expansions of schemas and the like. They take about a second. */
const MAX_STEPS = 200_000;

const MAX_NESTING = 500;

function readDay(today: unknown): number {
  const time = today instanceof Date ? today.getTime() : typeof today === "string" ? Date.parse(today) : NaN;
  if (!Number.isNaN(time)) return time;
  throw new TypeError(
    `Option today of compatible must be a date, or a string such as "2026-11-25": received ${
      typeof today === "string" ? JSON.stringify(today) : describeKind(today)
    }`,
  );
}

function requireDocument(name: string, document: unknown): asserts document is Keywords {
  const rule =
    `Argument ${name} of compatible must be an OpenAPI document of version 3.0, 3.1 or 3.2, or an AsyncAPI ` +
    "document of version 3.0";
  if (typeof document === "string") throw new TypeError(`${rule}: received a string. Parse it first, by JSON.parse`);
  if (!isKeywords(document)) throw new TypeError(`${rule}: received ${describeKind(document)}`);
  const { openapi, swagger } = document;
  if (isAsync(document)) return requireNested(rule, document);
  if (typeof openapi !== "string" || !/^3\.[012](\.|-|$)/.test(openapi)) {
    const [key, version] = openapi === undefined && swagger !== undefined ? ["swagger", swagger] : ["openapi", openapi];
    const received = typeof version === "string" ? JSON.stringify(version) : describeKind(version);
    throw new TypeError(`${rule}: received one whose key "${key}" is ${received}`);
  }
  requireNested(rule, document);
}

/** Rejects objects that contain themselves, and such deep ones that the comparison would run out of stack. */
function requireNested(rule: string, document: object): void {
  const depths = new Map<object, number>();
  const pending: (readonly [value: object, depth: number])[] = [[document, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, depth] = next;
    if (depth > MAX_NESTING) {
      throw new TypeError(`${rule}: received one that is nested more than ${MAX_NESTING} levels deep`);
    }
    // An object that stands in several places is looked at again only where it stands deeper.
    if ((depths.get(value) ?? -1) >= depth) continue;
    depths.set(value, depth);
    for (const child of Object.values(value)) {
      if (typeof child === "bigint") throw new TypeError(`${rule}: received one with a bigint. Write a number`);
      if (typeof child === "object" && child !== null) pending.push([child, depth + 1]);
    }
  }
}
