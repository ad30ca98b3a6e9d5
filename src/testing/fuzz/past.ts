import type { Operation } from "./operations.ts";
import type { Prepared } from "./prepare.ts";
import type { Result } from "./run.ts";

/** What the responses of an operation have been, over all runs. */
export interface Past {
  /** By status, for requests of actors. */
  readonly statuses: ReadonlyMap<number, Seen>;
  /** How often each status was sent, to whomever. */
  readonly counts: ReadonlyMap<number, number>;
  /** Whether invalid input has been refused by a response of this form, and whether one has said the same. */
  refusesLike(result: Result): "in these words" | "in this form" | undefined;
  /** Adds a response. */
  add(prepared: Prepared, result: Result): void;
}

/** The requests that got a status. */
export interface Seen {
  /** How many. */
  readonly count: number;
  /** How many of these all schemas accept. */
  readonly accepted: number;
  /** The first of these; else the first of all. */
  readonly request: Prepared;
  /** The response to it. */
  readonly result: Result;
}

/** Creates the pasts of operations: empty ones. */
export function createPasts(operations: readonly Operation[]): ReadonlyMap<Operation, Past> {
  return new Map(operations.map((operation) => [operation, createPast()]));
}

function createPast(): Past {
  const statuses = new Map<number, Seen>();
  const counts = new Map<number, number>();
  const refusals = new Set<string>();
  const words = new Set<string>();
  return {
    statuses,
    counts,
    refusesLike: (result) =>
      words.has(wordsOf(result)) ? "in these words" : refusals.has(shapeOf(result)) ? "in this form" : undefined,
    add(prepared, result) {
      const { status } = result;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (prepared.actor !== undefined) {
        const isAccepted = prepared.isValid !== false;
        const { count, accepted, ...first } = statuses.get(status) ??
          { count: 0, accepted: 0, request: prepared, result };
        statuses.set(status, {
          count: count + 1,
          accepted: accepted + Number(isAccepted),
          ...isAccepted && accepted === 0 ? { request: prepared, result } : first,
        });
      }
      const isRefused = status >= 400 && status < 500 && !OTHER_REFUSALS.has(status);
      if (prepared.isValid === false && isRefused) {
        refusals.add(shapeOf(result));
        words.add(wordsOf(result));
      }
    },
  };
}

/** Statuses that say something else than that input is invalid. */
const OTHER_REFUSALS = /* @__PURE__ */ new Set([401, 403, 404, 405, 409, 429]);

/** The status and the keys of a refusal. */
function shapeOf({ status, json, text }: Result): string {
  return `${status} ${typeof json === "object" && json !== null ? Object.keys(json).toSorted().join() : text === ""}`;
}

/**
 * Says what a refusal says, without numbers and what it quotes.
 *
 * @param result The refusal.
 * @returns Its status and its words.
 */
export function wordsOf({ status, text }: Pick<Result, "status" | "text">): string {
  return `${status} ${text.toLowerCase().replace(/\\?["'`][^"'`]{30,}\\?["'`]/g, "").replace(/\d+/g, "0")}`;
}

/**
 * Counts what each endpoint has sent.
 *
 * @param pasts The pasts of the operations.
 * @returns By endpoint and status, with 0 for a declared status that was never sent.
 */
export function reachedBy(
  pasts: ReadonlyMap<Operation, Past>,
): { readonly [endpoint: string]: { readonly [status: number]: number } } {
  return Object.fromEntries(Array.from(pasts, ([{ name, expectation: { responses = {} } }, { counts }]) => {
    const declared = Object.keys(responses).filter((status) => /^\d+$/.test(status)).map((status) => [status, 0]);
    const sent = [...counts].filter(([status]) => status > 0);
    return [name, { ...Object.fromEntries(declared), ...Object.fromEntries(sent) }];
  }));
}
