/** Types only. */

import type { Operation } from "../operations.ts";
import type { Random } from "../random.ts";
import type { CallOf } from "./call.ts";
import type { Visit } from "./visit.ts";

/** What the calls of one chain are planned with. */
export interface Chain {
  /** The operation that is called, behind those that make what it needs. */
  readonly target: Operation;
  /** What is tried. */
  readonly visit: Visit;
  /** The operations that make what the target needs, in order. */
  readonly needed: readonly Operation[];
  /** Who makes what the target needs. */
  readonly actor: string | undefined;
  /** The other actors. */
  readonly others: readonly string[];
  /** All operations. */
  readonly operations: readonly Operation[];
  /** Makes its calls. */
  readonly callOf: CallOf;
  /** Chooses. */
  readonly random: Random;
}

/** A chain in which somebody else, or nobody, may send the target. */
export interface UsualChain extends Chain {
  /** Who sends the target; `undefined` for nobody. */
  readonly sender: string | undefined;
  /** Who sends the calls around it that need credentials: the sender, or the actor in place of nobody. */
  readonly somebody: string | undefined;
}
