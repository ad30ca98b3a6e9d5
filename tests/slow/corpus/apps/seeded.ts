/** What the corpus is made of: apps with faults that can be switched on, one by one. */

import type { FaultKind } from "../../../../src/testing/mod.ts";

/** Whether the fault of this name is switched on. */
export type Has = (fault: string) => boolean;

/** A fault, and where `fuzz` must find it. */
export interface Seeded {
  readonly kind: FaultKind;
  /** The endpoints that may be named: `GET /notes/:id`. */
  readonly at: readonly string[];
}
