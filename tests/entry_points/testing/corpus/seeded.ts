/** What the corpus is made of: apps with faults that can be switched on, one by one. */

/** Whether the fault of this name is switched on. */
export type Has = (fault: string) => boolean;

/** The kinds of faults, as `fuzz` names them. */
export type Kind =
  | "throws"
  | "undeclared"
  | "accepts invalid input"
  | "refuses valid input"
  | "is there after DELETE"
  | "needs no credentials"
  | "crosses owners";

/** A fault, and where `fuzz` must find it. */
export interface Seeded {
  readonly kind: Kind;
  /** The endpoints that may be named: `GET /notes/:id`. */
  readonly at: readonly string[];
}
