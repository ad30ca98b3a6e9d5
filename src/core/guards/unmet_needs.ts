/** Which locals are needed, and not there. Types only. */

import type { NoLocals } from "./context.ts";
import type { Named } from "../values/named.ts";

/** @internal The names of the needed locals that are not there, or have another type. */
export type UnmetNeeds<Needs, Returned> = unknown extends Returned ? never
  : [Needs] extends [never] ? "never"
  : Returned extends object ? UnmetBy<Needs, Returned>
  : UnmetBy<Needs, NoLocals>;

/**
 * The names of the needed locals that these locals lack. If the needs are a union, these locals must meet one of them.
 */
type UnmetBy<Needs, Locals> = [Locals] extends [Needs] ? UnmetIndex<Needs, Locals>
  : Needs extends unknown ? UnmetKeys<Needs, Locals> extends infer Keys
      // Keys behind an index signature are not among the keys.
      ? [Keys] extends [never] ? KeyName<keyof Needs> : Keys
    : never
  : never;

/** The names of the keys of one need that these locals lack. */
type UnmetKeys<Needs, Locals> = {
  [Key in keyof Needs]-?: (string extends keyof Locals ? Locals : Pick<Locals, Key & keyof Locals>) extends
    Pick<Needs, Key> ? never : KeyName<Key>;
}[keyof Needs];

/** The name of an index signature whose keys count as there, and that nothing provides. TypeScript accepts no keys. */
type UnmetIndex<Needs, Locals> = NoLocals extends Needs
  ? [Partial<Needs>] extends [Needs] ? never : keyof Needs extends keyof Locals ? never : KeyName<keyof Needs>
  : never;

/** A key in a message. */
type KeyName<Key> = Key extends string | number ? Named<Key> : "[symbol]";
