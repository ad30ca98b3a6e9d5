/** What comparisons are given, and what they find. Types only. */

import type { Keywords } from "./keywords.ts";
import type { Schemas } from "./schemas/shape.ts";

/** How much a change matters to the clients of `before`. */
export type Level = "breaking" | "risky" | "safe";

/** A difference between two documents. */
export interface Change {
  /** Whether it breaks clients: for sure, maybe, or not. */
  level: Level;
  /**
   * The method and the path of the operation, such as `GET /books/{id}`, or the address of the channel; empty if it is
   * about the document.
   */
  operation: string;
  /**
   * The JSON Pointer of the place in `after`, or in `before` if it was removed. The pointer leads through references.
   */
  at: string;
  /** What has changed, in one line. */
  what: string;
}

/** Two documents, and how to compare their schemas. */
export interface Documents {
  readonly before: Keywords;
  readonly after: Keywords;
  readonly resolveBefore: (reference: string) => unknown;
  readonly resolveAfter: (reference: string) => unknown;
  /** Compares what clients send. */
  readonly request: Comparisons;
  /** Compares what clients receive. */
  readonly response: Comparisons;
  /** The level of the removal of what may be deprecated. */
  readonly levelOfRemoval: (removed: Keywords, level: Level) => Level;
}

/** One method of one path. */
export interface ComparedOperation {
  /** Method and path. */
  readonly name: string;
  readonly path: string;
  readonly at: string;
  readonly value: Keywords;
  /** The path item. */
  readonly item: Keywords;
  readonly atItem: string;
}

/** A difference between two schemas. */
export interface Difference {
  readonly level: Level;
  /** The JSON Pointer, relative to the schemas. */
  readonly at: string;
  /** What differs, as a sentence without a subject. */
  readonly what: string;
}

/** Comparisons by how values are written. */
export interface Comparisons {
  /** In JSON, whose values have types. */
  readonly json: SchemaComparison;
  /** In XML and forms: as text, of which some tools know the types. */
  readonly markup: SchemaComparison;
  /** In urls and headers: as text. */
  readonly text: SchemaComparison;
}

/** Compares the schemas of two documents, on one side of the exchange. */
export interface SchemaComparison {
  /** The differences between what was allowed and what is allowed. */
  compare(before: Schemas, after: Schemas): readonly Difference[];
}

/** Adds a change. */
export type Report = (level: Level, at: string, what: string) => void;
