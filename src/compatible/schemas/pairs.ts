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

/** Differences that are listed one by one. After so many, there is one for each place in an operation. */
const MAX_LISTED = 30_000;

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
  let listed = 0;

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
      if (worst === 0) break;
      if (!spend()) {
        worst = LEVELS.indexOf("risky");
        break;
      }
    }
    if (isKnown || worst === 0) pair.worst = worst;
    return worst;
  }

  function worstOf(found: readonly Found[]): Level | undefined {
    return LEVELS[Math.min(...found.map(({ inside, level }) => inside ? worstIn(inside) : LEVELS.indexOf(level)))];
  }

  return {
    compare(x, y, key) {
      const pair = known.get(key) ?? { x, y };
      known.set(key, pair);
      return [{ level: "safe", at: "", what: "", inside: pair }];
    },
    worstOf,
    isNone: (found) =>
      found.every(({ inside }) => inside && worstIn(inside) === LEVELS.length && inside.worst !== undefined),
    list(found) {
      if (listed >= MAX_LISTED) {
        const level = worstOf(found);
        return level ? [{ level, at: "", what: "has changed, too: there are too many changes to list each" }] : [];
      }
      const met = new Set<unknown>();
      const differences: Difference[] = [];
      const pending = found.map((one) => ({ one, before: "" }));
      // Level by level: a pair is listed at the shortest of its places.
      for (const { one: { level, what, inside, at: place }, before } of pending) {
        const at = before + place;
        const key = inside ?? what;
        const isMet = met.has(key);
        if (inside !== undefined || what === tooLarge.what) met.add(key);
        if (isMet) continue;
        if (inside === undefined) differences.push({ level, at, what });
        for (const one of (inside && findIn(inside)) ?? []) pending.push({ one, before: at });
      }
      listed += differences.length;
      return differences;
    },
  };
}
