import type { FaultKind } from "./kinds/kinds.ts";

/** A fault of an app. */
export interface Fault {
  /** The kind, as `skip` takes it. */
  readonly kind: FaultKind;
  /** The endpoint: `GET /notes/:id`. */
  readonly endpoint: string;
  /** What is wrong. */
  readonly fault: string;
  /** The shortest requests that have been found to show it, as code: the last one shows it. */
  readonly requests: readonly string[];
  /** The seed that repeats it. */
  readonly seed: number;
}
