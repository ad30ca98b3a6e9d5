/** What a handler sends over a stream, beside what is declared for it. Types only. */

import type { ExactBody } from "./body.ts";
import type { FitEach } from "./reply_arguments.ts";

/**
 * What a function takes as the data of an event, or of a message of a socket. If its name is one of several, the data must
 * fit each. A key that the schema lacks does not fit. Types only.
 *
 * @typeParam Given The type of the data that is given.
 * @typeParam Events The data that is declared, by name.
 * @typeParam Name The name.
 * @typeParam Names The names, if it is one of several.
 */
export type DataIn<Given, Events, Name, Names = Name> = Name extends keyof Events
  ? [Names] extends [Name] ? ItemIn<Given, Events[Name]>
  : FitEach<Given, Names extends keyof Events ? [Names, ItemIn<Given, Events[Names]>] : never>
  : never;

/** @internal An item for a declared one, as the body of a `reply`. */
export type ItemIn<Given, Declared> = unknown extends Declared ? Given
  : [Declared] extends [EachOf<infer Pairs>] ? FitEach<Given, PairsFor<Given, Pairs>>
  : ExactBody<Given, Declared>;

/** @internal What several statuses are declared with: a pair of status and item for each. */
export interface EachOf<out Pairs> {
  /** The pairs. */
  readonly "~each": Pairs;
}

/** The pairs, with what is expected for the item that is given. */
type PairsFor<Given, Pairs> = Pairs extends readonly [infer Status, infer Item] ? [Status, ItemIn<Given, Item>]
  : never;
