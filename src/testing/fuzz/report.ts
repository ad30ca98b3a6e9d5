import { hideCredentials } from "./actors.ts";
import { codeOf } from "./code.ts";
import { type DescribedError, describeError } from "./describe_error.ts";
import type { Finding } from "./judge.ts";
import { type FaultKind, KINDS } from "./kinds/kinds.ts";
import type { Prepared } from "./prepare.ts";
import type { Result, Run, Sent } from "./run.ts";

/** A fault of an app. */
export interface Fault {
  /** The kind, as `skip` takes it. */
  readonly kind: FaultKind;
  /** The endpoint: `GET /notes/:id`. */
  readonly endpoint: string;
  /** What is wrong. */
  readonly fault: string;
  /** The rule that is broken. */
  readonly rule: string;
  /** The response to the last request, with the beginning of its body; absent if there is none. */
  readonly response?: { readonly status: number; readonly body: string };
  /**
   * The error that reached `onError`, or that `app.fetch` rejected with, with the errors that caused it: the name, the
   * message, and the place in the application where it was thrown. Absent if there was none.
   */
  readonly error?: string;
  /**
   * The shortest requests that have been found to show it, as code to paste where the app runs on port 8000: the last
   * one shows it. `<ada>` stands for the credentials of the actor ada. A comment says what else to replace.
   */
  readonly requests: readonly string[];
  /** How often the endpoint sent each status. */
  readonly reached: { readonly [status: number]: number };
  /** The seed that repeats it. */
  readonly seed: number;
}

/** The faults of an app, and what was tested. */
export interface Faults extends ReadonlyArray<Fault> {
  /**
   * How often each endpoint sent each status: `{ "GET /notes/:id": { 200: 31, 404: 12 } }`. A declared status that was
   * never sent has 0. It is always there; it is optional so that `assertEquals(await fuzz(create, { fc }), [])` compiles.
   */
  readonly reached?: Reached;
}

/** How often each endpoint sent each status. */
export interface Reached {
  /** The endpoint: `GET /notes/:id`. */
  readonly [endpoint: string]: { readonly [status: number]: number };
}

/** What shows a fault. */
export interface Evidence {
  /** The fault. */
  readonly finding: Finding;
  /** The requests. */
  readonly sent: readonly Sent[];
  /** The same calls, sent to another app. What differs cannot be pasted. */
  readonly again: readonly Sent[];
  /** The run. */
  readonly run: Run;
}

/**
 * Writes the report of a fault.
 *
 * @param evidence What shows it.
 * @param reached How often each endpoint sent each status.
 * @param seed The seed.
 * @returns The fault.
 */
export function report({ finding, sent, again, run: { actors } }: Evidence, reached: Reached, seed: number): Fault {
  const { kind, operation: { name }, what, details, result } = finding;
  const { status, text } = result;
  const error = errorOf(result);
  return {
    kind,
    endpoint: name,
    fault: `${name}: ${hideCredentials(what, actors)}`,
    rule: [KINDS.find((each) => each.kind === kind)?.meaning, ...new Set(details)].join(" "),
    ...status > 0 && { response: { status, body: beginningOf(hideCredentials(text, actors)) } },
    ...error !== undefined && { error },
    requests: sent.map((each, index) => {
      const notes = each.staysOpen && index < sent.length - 1 ? ["stays open: read on after the other requests"] : [];
      return codeOf(each.prepared, actors, [...notes, ...notesOn(each, again[index])]);
    }),
    reached: { ...reached[name] },
    seed,
  };
}

/** What the application threw, with its causes. */
function errorOf({ thrown, errors }: Result): string | undefined {
  const [first] = thrown === undefined ? errors : [thrown.error];
  if (thrown === undefined && errors.length === 0) return undefined;
  const lines: string[] = [];
  for (let error: unknown = first, depth = 0; depth < 4 && (depth === 0 || error !== undefined); depth++) {
    lines.push(textOf(describeError(error)));
    error = error instanceof Error ? error.cause : undefined;
  }
  return lines.join(", caused by ");
}

function textOf({ name, message, at }: DescribedError): string {
  return `${name}: ${message}${at && ` at ${at}`}`;
}

/** The beginning of a body. Nobody reads 64 KiB in a report. */
function beginningOf(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}… (${text.length} characters)` : text;
}

const MOST_TEXT = 500;

/** What to know before a request is pasted. */
function notesOn({ prepared, isLater }: Sent, again: Sent | undefined): readonly string[] {
  const notes = isLater ? ["an hour later than the request before"] : [];
  const { path, query, body, headers, messages } = prepared;
  const other: Partial<Prepared> = { ...again?.prepared };
  const isSame = path === other.path && query === other.query && body === other.body &&
    String(messages) === String(other.messages) &&
    JSON.stringify([...headers]) === JSON.stringify([...new Headers(other.headers)]);
  if (isSame) return notes;
  const given = prepared.used.filter(({ value }, index) => other.used?.[index]?.value !== value)
    .map(({ key, value, from }) => `replace ${JSON.stringify(value)} by the ${key} of response ${from}`);
  return [...notes, ...given.length > 0 ? new Set(given) : ["replace values that the app creates anew in each run"]];
}

/**
 * Lists faults together with what was tested, which a failing assertion prints, too.
 *
 * @param faults The faults.
 * @param reached How often each endpoint sent each status.
 * @returns The list.
 */
export function listFaults(faults: readonly Fault[], reached: Reached): Faults {
  const print = (_depth: number, options: object, inspect: (value: unknown, options: object) => string) =>
    `${inspect([...faults], options)}\nreached: ${inspect(reached, options)}`;
  // None of these is enumerable: the list of no faults is equal to [].
  return Object.defineProperties([...faults], {
    reached: { value: reached },
    [Symbol.for("nodejs.util.inspect.custom")]: { value: print }, // Deno and Bun call it, too
  });
}
