import type { Keywords } from "../keywords.ts";
import type { Schemas, Source } from "./shape.ts";

/**
 * Creates a function that tells whether schemas of two documents are the same after references are followed.
 * Descriptions do not count. The work is linear in the size of the documents, however schemas refer to each other.
 *
 * @param before The document of the first schemas.
 * @param after The document of the others.
 * @param idOf A number for each value.
 * @returns The function.
 */
export function sameSchemas(
  before: Source,
  after: Source,
  idOf: (value: unknown) => number,
): (x: Schemas, y: Schemas) => boolean {
  const known = new Map<string, boolean>();

  return (x, y) => {
    const root = `${x.map(idOf)} ${y.map(idOf)}`;
    const result = known.get(root);
    if (result !== undefined) return result;
    const seen = new Set<string>();
    const top: Pair = { x, y, isMap: true, key: root, within: undefined };
    const pending: Pair[] = x.map((one, index) => ({ x: one, y: y[index], isMap: false, key: "", within: top }));
    let same = x.length === y.length;
    let pair: Pair | undefined = top;
    while (same && (pair = pending.pop()) !== undefined) {
      const { x: a, y: b, isMap } = pair;
      if (!isObject(a) || !isObject(b)) {
        same = Object.is(a, b);
        continue;
      }
      const key = pair.key = `${idOf(a)} ${idOf(b)}`;
      if (seen.has(key) || known.get(key)) continue;
      seen.add(key);
      const keys = keysOf(a, isMap, before);
      same = known.get(key) !== false && Array.isArray(a) === Array.isArray(b) &&
        keys.join("\n") === keysOf(b, isMap, after).join("\n") &&
        (before.isOld === after.isOld || !keys.some((key) => OF_OLD.has(key)));
      for (const key of keys) {
        const [x, y] = [childOf(a, key, before), childOf(b, key, after)];
        pending.push({ x, y, isMap: !isMap && MAPS.has(key), key: "", within: pair });
      }
    }
    // What contains a difference is not looked through again.
    for (; !same && pair !== undefined; pair = pair.within) known.set(pair.key, false);
    if (same) { for (const key of seen) known.set(key, true); }
    known.set(root, same);
    return same;
  };
}

/** Two values that stand in the same place. */
interface Pair {
  readonly x: unknown;
  readonly y: unknown;
  readonly isMap: boolean;
  key: string;
  /** What they are part of. */
  readonly within: Pair | undefined;
}

/** Keywords with schemas, or names, by name. */
const MAPS = new Set(["properties", "patternProperties", "dependentSchemas", "dependentRequired", "$defs", "mapping"]);

/** Keywords that mean something else in OpenAPI 3.0. */
const OF_OLD = new Set(["nullable", "exclusiveMinimum", "exclusiveMaximum", "$ref"]);

/** Keywords that only describe. */
const DESCRIBING = /* @__PURE__ */ new RegExp(
  "^(title|description|summary|examples?|deprecated|externalDocs|xml|\\$comment|\\$schema|\\$id|\\$defs|" +
    "x-(?!extensible-enum).*)$",
);

function isObject(value: unknown): value is Keywords {
  return typeof value === "object" && value !== null;
}

/** The keys that matter. Beside a reference, OpenAPI 3.0 has none. */
function keysOf(value: Keywords, isMap: boolean, { isOld }: Source): readonly string[] {
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  if (isMap || Array.isArray(value)) return keys.toSorted();
  if (isOld && typeof value.$ref === "string") return ["$ref"];
  return keys.filter((key) => !DESCRIBING.test(key)).toSorted();
}

/** The value of a key, or the target of a reference. */
function childOf(value: Keywords, key: string, source: Source): unknown {
  const child = value[key];
  if ((key !== "$ref" && key !== "$dynamicRef") || typeof child !== "string") return child;
  const guessed = source.resolve(child) ?? source.guess(child);
  return Array.isArray(guessed) && guessed.length === 0 ? child : guessed;
}
