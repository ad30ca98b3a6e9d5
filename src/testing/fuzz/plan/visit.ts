import { EARLY_TEXTS } from "../../values/texts.ts";
import type { Edge } from "../edges.ts";
import type { Operation } from "../operations.ts";
import type { Wish } from "./call.ts";

/** What the n-th chain of an operation is for. */
export interface Visit {
  /** What is tried. */
  readonly purpose: Purpose;
  /** Whether the operation gets all that it needs, and no part of its request is made wrong. */
  readonly isCertain: boolean;
  /** Whether something that the operation needs is changed or deleted before it. */
  readonly isHistory: boolean;
  /** Whether each part is wrong once: the responses show how the operation refuses invalid input. */
  readonly spoilsEachPart: boolean;
  /**
   * Whether nobody sends the same request first, since a guard may be forgotten. It comes first because a DELETE leaves
   * nothing for it.
   */
  readonly isNobodysFirst: boolean;
  /** Whether the body also has what only the response declares: a request must not set it. */
  readonly isUndeclared: boolean;
  /** What the call of the operation is made for, if the purpose is `early`. */
  readonly early: Wish | undefined;
}

/**
 * What a chain tries:
 *
 * - `thread`: things that refer to each other.
 * - `watch`: a stream that stays open during changes.
 * - `walk`: several changes of the same things come before the operation.
 * - `early`: a text at which most programs fail, or an end of what is valid, in all values.
 * - `stuck`: something is changed or deleted first, since the operation has never succeeded.
 * - `history`: something that the operation needs is changed or deleted before it.
 * - `history of another`: the same, but another actor sends the operation.
 * - `heap`: many things that belong together: there may be a limit.
 * - `stranger`: one actor makes what the operation needs, and another actor sends the operation.
 * - `rival`: there are two things, and the operation may give one of them a value of the other.
 * - `bare`: the operation has no values of its own. The things that it needs are all there.
 * - `chance`: everything is left to chance.
 */
export type Purpose =
  | "thread"
  | "watch"
  | "walk"
  | "early"
  | "stuck"
  | "history"
  | "history of another"
  | "heap"
  | "stranger"
  | "rival"
  | "bare"
  | "chance";

/** What else a visit depends on. */
export interface Situation {
  /** Whether the operation makes things that may refer to each other. */
  readonly makesThreads: boolean;
  /** Whether the operation changes a thing, and may give it a value of another one. */
  readonly mayClash: boolean;
  /** Whether there is another actor. */
  readonly hasOthers: boolean;
  /** Whether the operation has only said that something is not there, or that something else must be done first. */
  readonly isStuck: () => boolean;
}

/**
 * Says what a visit is for.
 *
 * @param count How many visits the operation has had.
 * @param operation The operation.
 * @param situation What else it depends on.
 * @returns The visit.
 */
export function visitOf(count: number, operation: Operation, situation: Situation): Visit {
  const early = earlyOf(count);
  const purpose = early === undefined ? purposeOf(count, operation, situation) : "early";
  return {
    purpose,
    // The visit of a bare operation that is stuck is certain, too.
    isCertain: purpose === "heap" || purpose === "stranger" || purpose === "rival" ||
      isBare(operation) && isTurn("bare", count),
    isHistory: purpose === "stuck" || purpose === "history" || purpose === "history of another",
    spoilsEachPart: SPOILING.includes(count),
    isNobodysFirst: SPOILING.includes(count) || isTurn("nobody", count),
    isUndeclared: isTurn("undeclared", count),
    early,
  };
}

/** Whether an operation has no values of its own: parameters at most. */
export function isBare({ parts }: Operation): boolean {
  return parts.every(({ name }) => name === "params");
}

/** What an early visit is for; `undefined` for other visits. */
function earlyOf(count: number): Wish | undefined {
  const every = count < EARLY_AT_FIRST * EARLY.length ? EARLY_AT_FIRST : EARLY_LATER;
  return count % every === 1 ? EARLY[Math.floor(count / every) % EARLY.length] : undefined;
}

/** Every how many visits one is early: until each of `EARLY` has been used, and after that. */
const EARLY_AT_FIRST = 2;
const EARLY_LATER = 4;

/** At which ends the values of early visits are. */
const EDGES: readonly Edge[] = ["most", "least", "mixed"];

/** What early visits are for, in turn: the texts, with an end after each of the first ones. */
const EARLY: readonly Wish[] = /* @__PURE__ */ EARLY_TEXTS.flatMap((text, index): readonly Wish[] => {
  const edge = EDGES[index];
  return edge === undefined ? [{ text }] : [{ text }, { edge }];
});

function purposeOf(count: number, operation: Operation, situation: Situation): Purpose {
  if (situation.makesThreads && isTurn("thread", count)) return "thread";
  if (operation.isStream && operation.isSafe && isTurn("watch", count)) return "watch";
  if (situation.mayClash && isTurn("rival", count)) return "rival";
  if (isTurn("walk", count) && mayWalk(count, operation)) return "walk";
  if (isTurn("stuck", count) && situation.isStuck()) return "stuck";
  if (isTurn("history of another", count)) return "history of another";
  if (isTurn("history", count)) return "history";
  if (operation.method === "POST" && count > 0 && isTurn("heap", count)) return "heap";
  if (situation.hasOthers && isTurn("stranger", count)) return "stranger";
  return isBare(operation) && isTurn("bare", count) ? "bare" : "chance";
}

/** Whether other operations may change what an operation is about. What makes things makes a heap now and then. */
function mayWalk(count: number, operation: Operation): boolean {
  const isHeap = operation.method === "POST" && !isBare(operation) && isTurn("heap", count);
  return operation.segments.some((segment) => segment.startsWith(":")) && !isHeap;
}

/**
 * The numbers of the visits in a round that may be for a purpose, in which nobody sends the request first, or in which
 * the body has undeclared properties. The first purpose that fits is taken.
 */
const TURNS: Readonly<Record<Exclude<Purpose, "early" | "chance"> | "nobody" | "undeclared", readonly number[]>> = {
  "thread": [2, 8],
  "watch": [2, 6, 10],
  "walk": [2, 6],
  "stuck": [0, 2, 4, 6, 8, 10],
  "history": [4],
  "history of another": [10],
  "heap": [0, 6],
  "rival": [6],
  "stranger": [8],
  "bare": [0, 6],
  "nobody": [0, 6],
  "undeclared": [0, 2, 4, 6, 8, 10],
};

/** How many visits a round has. */
const ROUND = 12;

/** The visits in which each part is wrong once, counted over all rounds. */
const SPOILING: readonly number[] = [0, 2];

function isTurn(purpose: keyof typeof TURNS, count: number): boolean {
  return TURNS[purpose].includes(count % ROUND);
}
