/**
 * The extra arguments of `app.fetch` (an environment, a server, a connection) as tuple types. The tuples that guards, handlers
 * and routes require are merged into one that satisfies them all. Types only.
 */

/**
 * The tuple that satisfies both. A list of unknown length requires nothing.
 *
 * @internal
 */
export type MergePlatforms<A extends readonly unknown[], B extends readonly unknown[]> = number extends B["length"] ? A
  : B extends readonly [] ? A
  : number extends A["length"] ? B
  : AllOf<A | B>;

/**
 * The tuple that satisfies every member of a union of tuples. Each item is the intersection of the items at its position,
 * optional if it is optional in every member.
 *
 * @internal
 */
export type AllOf<Lists extends readonly unknown[]> = [Lists] extends [readonly []] ? []
  : [First<Lists>] extends [(first: infer Item) => void]
    ? [Extract<Lists, readonly [unknown, ...unknown[]]>] extends [never] ? [item?: Item, ...rest: AllOf<RestOf<Lists>>]
    : [item: Item, ...rest: AllOf<RestOf<Lists>>]
  : [];

/**
 * The first items of a union of tuples, each in contravariant position, so that inference intersects them.
 *
 * @internal
 */
export type First<Lists> = Lists extends readonly [] ? never
  : Lists extends readonly [(infer Item)?, ...unknown[]] ? (first: Item) => void
  : never;

/**
 * A union of tuples without their first items.
 *
 * @internal
 */
export type RestOf<Lists> = Lists extends readonly [] ? []
  : Lists extends readonly [unknown?, ...infer Rest] ? Rest
  : [];
