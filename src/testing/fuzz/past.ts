import type { Operation } from "./operations.ts";
import type { Prepared } from "./prepare.ts";
import type { Result } from "./run.ts";

/** What the responses of an operation have been, over all runs. */
export interface Past {
  /** By status, for requests of actors. */
  readonly statuses: ReadonlyMap<number, Seen>;
  /** Whether invalid input has been refused by a response of this form. */
  refusesLike(result: Result): boolean;
  /** Adds a response. */
  add(prepared: Prepared, result: Result): void;
}

/** The requests that got a status. */
interface Seen {
  /** How many. */
  readonly count: number;
  /** How many of these all schemas accept. */
  readonly accepted: number;
  /** The last of these; else the first of all. */
  readonly request: Prepared;
}

/** Creates the pasts of operations: empty ones. */
export function createPasts(operations: readonly Operation[]): ReadonlyMap<Operation, Past> {
  return new Map(operations.map((operation) => [operation, createPast()]));
}

function createPast(): Past {
  const statuses = new Map<number, Seen>();
  const refusals = new Set<string>();
  return {
    statuses,
    refusesLike: (result) => refusals.has(shapeOf(result)),
    add(prepared, result) {
      const { status } = result;
      if (prepared.actor !== undefined) {
        const { count, accepted, request } = statuses.get(status) ?? { count: 0, accepted: 0, request: prepared };
        const isAccepted = prepared.isValid !== false;
        statuses.set(status, {
          count: count + 1,
          accepted: accepted + Number(isAccepted),
          request: isAccepted ? prepared : request,
        });
      }
      const isRefused = status >= 400 && status < 500 && !OTHER_REFUSALS.has(status);
      if (prepared.isValid === false && isRefused) refusals.add(shapeOf(result));
    },
  };
}

/** Statuses that say something else than that input is invalid. */
const OTHER_REFUSALS = /* @__PURE__ */ new Set([401, 403, 404, 405, 409, 429]);

/** The status and the keys of a refusal. */
function shapeOf({ status, json, text }: Result): string {
  return `${status} ${typeof json === "object" && json !== null ? Object.keys(json).toSorted().join() : text === ""}`;
}
