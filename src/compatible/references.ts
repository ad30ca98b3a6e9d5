import { type Keywords, recordOf } from "./keywords.ts";
import type { Source } from "./schemas/shape.ts";
import { unescapeToken } from "../core/schemas/json_pointer.ts";

/**
 * Tells how the comparison reads a document.
 *
 * @param document The document.
 * @param spend Counts steps.
 * @returns What follows references, and the rest but which properties are hidden.
 */
export function sourceOf(document: Keywords, spend: Source["spend"]): Omit<Source, "hidden"> {
  const targets = new Map<string, unknown>();
  const guesses = new Map<string, readonly unknown[]>();
  let named: readonly Keywords[] | undefined;

  /** What a reference may mean that leads nowhere from the root: an anchor, or a part of a schema with `$defs`. */
  const guess = (reference: string): readonly unknown[] => {
    const known = guesses.get(reference);
    if (known !== undefined) return known;
    named ??= namedIn(document);
    const found = named.flatMap((schema) => {
      if (reference.startsWith("#/")) return read(schema, reference) ?? [];
      const isNamed = [schema.$anchor, schema.$dynamicAnchor].some((name) => `#${name}` === reference);
      return isNamed ? [schema] : [];
    });
    guesses.set(reference, found);
    return found;
  };
  return {
    resolve(reference) {
      if (!targets.has(reference)) {
        const target = reference === "#"
          ? document
          : reference.startsWith("#/")
          ? read(document, reference)
          : undefined;
        const [guessed, ...others] = target === undefined && reference.startsWith("#") ? guess(reference) : [];
        targets.set(reference, target ?? (others.length === 0 ? guessed : undefined));
      }
      return targets.get(reference);
    },
    guess,
    isOld: String(document.openapi).startsWith("3.0"),
    spend,
  };
}

/** All schemas that have anchors or definitions. */
function namedIn(document: object): readonly Keywords[] {
  const seen = new Set([document]);
  for (const value of seen) {
    for (const child of Object.values(value)) if (typeof child === "object" && child !== null) seen.add(child);
  }
  return [...seen].map(recordOf).filter(({ $anchor, $dynamicAnchor, $defs, definitions }) =>
    ($anchor ?? $dynamicAnchor ?? $defs ?? definitions) !== undefined
  );
}

/** What a JSON Pointer leads to. */
function read(root: unknown, reference: string): unknown {
  let target = root;
  for (const token of reference.slice(2).split("/")) {
    const key = unescape(token);
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
    target = recordOf(target)[key];
  }
  return target;
}

/** The key that a part of a reference stands for. Malformed escapes stand for themselves. */
function unescape(token: string): string {
  let key = token;
  try {
    key = decodeURIComponent(token);
  } catch { /* as it is written */ }
  return unescapeToken(key);
}
