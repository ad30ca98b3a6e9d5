/**
 * The extra arguments of `app.fetch` (an environment, a server, a connection) as tuple types. The tuples that guards,
 * handlers and routes require are merged into one that satisfies them all. Types only.
 */

import type { NeverKeys } from "../values/types.ts";

/** @internal The tuple that satisfies both. `B` may be a union of tuples. A list of unknown length requires nothing. */
export type MergeExtras<A extends readonly unknown[], B extends readonly unknown[]> = number extends B["length"] ? A
  : [B] extends [readonly []] ? A
  : number extends A["length"] ? B
  : ExtraOfAll<A | B>;

/**
 * @internal The tuple that satisfies every member of a union of tuples. Each item is the intersection of the items at
 * its position, optional if it is optional in every member.
 */
export type ExtraOfAll<Lists extends readonly unknown[]> = [Lists] extends [readonly []] ? []
  // Routes of type `any`: without this line, the type recurs without end.
  : readonly unknown[] extends Lists ? unknown[]
  : [First<Lists>] extends [(first: infer Item) => void]
    ? [Extract<Lists, readonly [unknown, ...unknown[]]>] extends [never]
      ? [item?: Item, ...rest: ExtraOfAll<RestOf<Lists>>]
    : [item: Item, ...rest: ExtraOfAll<RestOf<Lists>>]
  : [];

/**
 * @internal The first items of a union of tuples, each in contravariant position, so that inference intersects them.
 */
export type First<Lists> = Lists extends readonly [] ? never
  : Lists extends readonly [(infer Item)?, ...unknown[]] ? (first: Item) => void
  : never;

/** A union of tuples without their first items. */
type RestOf<Lists> = Lists extends readonly [] ? []
  : Lists extends readonly [unknown?, ...infer Rest] ? Rest
  : [];

/**
 * @internal The clashes in a tuple: items, or keys of items, whose type no value has, because routes declare types that
 * exclude each other. Items are named by their positions. `never` if there are none.
 */
export type Clashes<List extends readonly unknown[]> = List extends readonly [] ? never : {
  [Index in keyof List]-?: [List[Index]] extends [never] ? Index : NeverKeys<Extract<List[Index], object>>;
}[number];

/**
 * @internal The clashes that a list takes part in. The list has this item or key itself, with a type that some value
 * has.
 */
export type ClashesWith<List extends readonly unknown[], Clash> = Exclude<
  Extract<Clash, { [Index in keyof List]-?: Index | keyof Exclude<List[Index], undefined> }[number]>,
  Clashes<List>
>;
