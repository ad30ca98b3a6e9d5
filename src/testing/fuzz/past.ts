import type { Operation } from "./operations.ts";
import type { Prepared } from "./prepare.ts";
import { isSuccess, type Result } from "./run.ts";

/** What the responses of an operation have been, over all runs. */
export interface Past {
  /** By status, for requests of actors. */
  readonly statuses: ReadonlyMap<number, Seen>;
  /** How often each status was sent, to whomever. */
  readonly counts: ReadonlyMap<number, number>;
  /** What lists have said of their lengths, by the name of a property. */
  readonly totals: Map<string, Totals>;
  /** What has come of the properties that requests have sent, by name. */
  readonly saves: Map<string, Saves>;
  /** Whether invalid input has been refused by a response of this form, and whether one has said the same. */
  refusesLike(result: Result): "in these words" | "in this form" | undefined;
  /** Whether it has only said that something is not there, or that something else must be done first. */
  isStuck(): boolean;
  /** The actors whose requests have succeeded. */
  readonly served: ReadonlySet<string | undefined>;
  /** Whether an actor is let in, as far as is known. */
  admits(actor: string | undefined): boolean;
  /** Adds a response. */
  add(prepared: Prepared, result: Result): void;
}

/** What a property has said of the lengths of whole lists. */
export interface Totals {
  /** The lengths that it has said. */
  readonly lengths: ReadonlySet<number>;
  /** How often it was the length. */
  readonly right: number;
  /** How often it was not. */
  readonly wrong: number;
}

/** What has come of a property that requests to an endpoint have sent. */
export interface Saves {
  /** How many sent a value that has had no effect. */
  ignored: number;
  /** These values, as JSON. */
  readonly sent: Set<string>;
  /** What the responses to POST had instead, as JSON. A PUT or PATCH has what was there before. */
  readonly answers: Set<string>;
  /** Whether a request has changed it, or a response has something else under its name. */
  hasChanged: boolean;
  /** The first request that had no effect, and its response. */
  first: { readonly sent: string; readonly request: Prepared; readonly result: Result } | undefined;
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
  const families = new Map<string, Family>();
  return new Map(operations.map((operation) => {
    const { security, expectation: { responses = {} } } = operation;
    const name = [security, Object.hasOwn(responses, 401), Object.hasOwn(responses, 403)].join();
    const family = families.get(name) ?? { admitted: new Map(), refused: new Map() };
    families.set(name, family);
    return [operation, createPast(operation, family)];
  }));
}

/** Whom operations that declare the same refusals have let in. */
interface Family {
  /** The operations that have let an actor in. */
  readonly admitted: Map<string | undefined, Set<Past>>;
  /** How often an operation that has not let an actor in has said no. */
  readonly refused: Map<string | undefined, Map<Past, number>>;
}

/** After how many refusals an actor counts as one who is not let in: one or two may be about one thing. */
const ENOUGH = 3;

function createPast({ parts }: Operation, family: Family): Past {
  const isSigned = parts.some((part) => part.isSigned);
  const hasParts = parts.some((part) => part.hasParts);
  const statuses = new Map<number, Seen>();
  const counts = new Map<number, number>();
  const served = new Set<string | undefined>();
  const refusals = new Set<string>();
  const words = new Set<string>();
  const past: Past = {
    statuses,
    counts,
    totals: new Map(),
    saves: new Map(),
    served,
    refusesLike: (result) =>
      words.has(wordsOf(result)) ? "in these words" : refusals.has(shapeOf(result)) ? "in this form" : undefined,
    isStuck: () =>
      (counts.has(409) || (counts.get(404) ?? 0) > ENOUGH) && ![...counts.keys()].some((status) => status < 400),
    admits(actor) {
      const admitted = family.admitted.get(actor);
      const refused = family.refused.get(actor);
      // Most operations that declare the same refusals have shut this actor out: another one is tried once.
      const isStranger = (refused?.size ?? 0) > ENOUGH + (admitted?.size ?? 0) * 3;
      return admitted?.has(past) || (refused?.get(past) ?? 0) < (isStranger || isSigned ? 1 : ENOUGH);
    },
    add(prepared, result) {
      const { status } = result;
      // Who does not sign is told so by a status for invalid input.
      const isRefused = status === 401 || status === 403 || isSigned && FIRST.has(status);
      if (isRefused) noteRefusal(family, prepared.actor, past);
      else if (!FIRST.has(status)) noteAdmission(family, prepared.actor, past);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (isSuccess(status)) served.add(prepared.actor);
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
      const isOfFile = hasParts && result.text !== "" && prepared.invalid.join() === "body";
      if (prepared.isValid === false && !isOfFile && status >= 400 && status < 500 && !OTHER_REFUSALS.has(status)) {
        refusals.add(shapeOf(result));
        words.add(wordsOf(result));
      }
    },
  };
  return past;
}

function noteRefusal({ refused }: Family, actor: string | undefined, past: Past): void {
  const counts = refused.get(actor) ?? new Map<Past, number>();
  refused.set(actor, counts.set(past, (counts.get(past) ?? 0) + 1));
}

function noteAdmission({ admitted, refused }: Family, actor: string | undefined, past: Past): void {
  refused.get(actor)?.delete(past);
  admitted.set(actor, (admitted.get(actor) ?? new Set()).add(past));
}

/** Statuses of what is looked at before the thing itself. */
export const FIRST: ReadonlySet<number> = /* @__PURE__ */ new Set([400, 401, 403, 406, 413, 415, 422, 429]);

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
