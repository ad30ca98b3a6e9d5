import type { Keywords } from "../keywords.ts";
import type { Level } from "../change.ts";
import type { Levels } from "./differences.ts";
import type { Found } from "./pairs.ts";
import type { Schemas, Shape, Source } from "./shape.ts";

/** What is compared, and what all parts of the comparison share. */
export interface Comparison {
  /** Whether clients send the values; otherwise, they receive them. */
  readonly isRequest: boolean;
  /** The level of a number or a boolean in place of any text; `undefined` if values keep their types, as in JSON. */
  readonly text: Level | undefined;
  /** The documents. */
  readonly before: Source;
  readonly after: Source;
  /** Creates differences of the side. */
  readonly levels: Levels;
  /** Counts steps. `false` if there have been too many. */
  readonly spend: (cost?: number) => boolean;
  /** The level of the removal of what may be deprecated. */
  readonly levelOfRemoval: (removed: Keywords, level: Level) => Level;
  /** Whether both are written alike. */
  readonly isSame: (x: readonly unknown[], y: readonly unknown[]) => boolean;
  /** Compares what all of these schemas allow with what all of the others do. */
  readonly compare: (x: Schemas, y: Schemas) => readonly Found[];
  /** The alternatives of schemas; `undefined` if there are too many. */
  readonly shapes: (schemas: Schemas, source: Source) => readonly Shape[] | undefined;
  /** The worst level of what has been found. */
  readonly worstOf: (found: readonly Found[]) => Level | undefined;
  /** Whether nothing has been found. */
  readonly isNone: (found: readonly Found[]) => boolean;
}

/** What is said of a comparison that takes too many steps. */
export const TOO_LARGE = "is too large to be compared";
