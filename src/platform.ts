/**
 * What follows the request in `app.fetch` (an environment, a server, a connection), as a list of types: guards, handlers and
 * routes each ask for one, and the app has to be given what satisfies them all. Types only.
 */

/** What both ask for. A list of unknown length asks for nothing. */
export type MergePlatforms<A extends readonly unknown[], B extends readonly unknown[]> = number extends B["length"] ? A
  : B extends readonly [] ? A
  : number extends A["length"] ? B
  : AllOf<A | B>;

/** Of a union of lists the one that satisfies all: at each position the intersection, optional if it is for all. */
export type AllOf<Lists extends readonly unknown[]> = [Lists] extends [readonly []] ? []
  : [First<Lists>] extends [(first: infer Item) => void]
    ? [Extract<Lists, readonly [unknown, ...unknown[]]>] extends [never] ? [item?: Item, ...rest: AllOf<RestOf<Lists>>]
    : [item: Item, ...rest: AllOf<RestOf<Lists>>]
  : [];

/** The first items of a union of lists, each as a parameter: what infers from them is their intersection. */
export type First<Lists> = Lists extends readonly [] ? never
  : Lists extends readonly [(infer Item)?, ...unknown[]] ? (first: Item) => void
  : never;

/** A union of lists without their first items. */
export type RestOf<Lists> = Lists extends readonly [] ? []
  : Lists extends readonly [unknown?, ...infer Rest] ? Rest
  : [];
