/** Pairs of schemas, each of which is compared once, when its differences are asked for. So cycles end. */

import type { Difference, Level } from "../change.ts";
import type { Schemas } from "./shape.ts";

/** A difference, or a pair of schemas that may have some. */
export interface Found extends Difference {
  /** The pair. Then level and text say nothing. */
  readonly inside?: Pair;
}

/** Two schemas that stand in the same place. */
interface Pair {
  readonly x: Schemas;
  readonly y: Schemas;
  found?: readonly Found[];
  isRunning?: boolean;
  /** The worst level, as an index. */
  worst?: number;
}

/** The pairs of two documents. */
export interface Pairs {
  /** What may differ between two schemas. They are compared later. */
  compare(x: Schemas, y: Schemas, key: string): readonly Found[];
  /** The worst level; `undefined` without a difference. */
  worstOf(found: readonly Found[]): Level | undefined;
  /** Whether there is no difference for sure: no pair that is being compared was taken for granted. */
  isNone(found: readonly Found[]): boolean;
  /** All differences, those of a pair only where it is met first. */
  list(found: readonly Found[]): readonly Difference[];
}

/** Pairs that are compared while another one waits for their level. */
const MAX_DEPTH = 100;

const LEVELS: readonly Level[] = ["breaking", "risky", "safe"];

/**
 * Creates the pairs of two documents.
 *
 * @param look Compares two schemas.
 * @param spend Counts a step. `false` if there have been too many.
 * @param tooLarge What is found if there have been too many steps.
 * @returns The pairs.
 */
export function createPairs(
  look: (x: Schemas, y: Schemas) => readonly Found[],
  spend: () => boolean,
  tooLarge: Found,
): Pairs {
  const known = new Map<string, Pair>();
  let depth = 0;

  /** `undefined` if the pair is being compared. */
  function findIn(pair: Pair): readonly Found[] | undefined {
    if (pair.isRunning || pair.found !== undefined) return pair.found;
    if (depth >= MAX_DEPTH || !spend()) return pair.found = [tooLarge];
    pair.isRunning = true;
    depth++;
    pair.found = look(pair.x, pair.y);
    depth--;
    pair.isRunning = false;
    return pair.found;
  }

  function worstIn(pair: Pair): number {
    if (pair.worst !== undefined) return pair.worst;
    let worst = LEVELS.length;
    let isKnown = true;
    const reached = new Set([pair]);
    for (const one of reached) {
      const found = one.worst === undefined ? findIn(one) : [];
      worst = Math.min(worst, one.worst ?? worst);
      // A pair that waits for this one is taken for granted.
      if (found === undefined) isKnown = false;
      for (const { inside, level } of found ?? []) {
        if (inside) reached.add(inside);
        else worst = Math.min(worst, LEVELS.indexOf(level));
      }
      if (worst === 0 || !spend()) break;
    }
    if (isKnown || worst === 0) pair.worst = worst;
    return worst;
  }

  return {
    compare(x, y, key) {
      const pair = known.get(key) ?? { x, y };
      known.set(key, pair);
      return [{ level: "safe", at: "", what: "", inside: pair }];
    },
    worstOf: (found) =>
      LEVELS[Math.min(...found.map(({ inside, level }) => inside ? worstIn(inside) : LEVELS.indexOf(level)))],
    isNone: (found) =>
      found.every(({ inside }) => inside && worstIn(inside) === LEVELS.length && inside.worst !== undefined),
    list(found) {
      const listed = new Set<unknown>();
      const differences: Difference[] = [];
      const pending: (readonly [one: Found, at: string])[] = [];
      const add = (at: string, found: readonly Found[] = []) => {
        for (const one of found.toReversed()) if (!listed.has(one.inside)) pending.push([one, at]);
      };
      add("", found);
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        const [{ level, what, inside, ...one }, before] = next;
        const at = before + one.at;
        const isListed = listed.has(inside ?? what);
        if (inside !== undefined || what === tooLarge.what) listed.add(inside ?? what);
        if (isListed) continue;
        if (inside === undefined) differences.push({ level, at, what });
        else add(at, findIn(inside));
      }
      return differences;
    },
  };
}
