import { ID, singular, stemOf } from "./names.ts";
import type { Operation } from "./operations.ts";

/** A value of an earlier response, which later requests may send. */
export interface Known {
  /** Its key, such as `id`. */
  readonly key: string;
  /** The value. */
  readonly value: string | number;
  /** What it may be the id of: the names of the collections around it, in the singular, the closest first. */
  readonly kinds: readonly string[];
  /** The object that has it. */
  readonly object: object | undefined;
  /** The actor whose request has made the thing with this id, if one has. */
  readonly owner: string | undefined;
  /** The operation that has made it. */
  readonly maker: Operation;
}

/** The values of earlier responses. */
export interface Pool {
  /**
   * Adds the values of a response.
   *
   * @param operation The operation.
   * @param body The JSON, or what stands for it.
   * @param maker The actor, if the response says that something new was made.
   * @param sent Whether the request has had the value.
   */
  add(operation: Operation, body: unknown, maker: string | undefined, sent: (value: string | number) => boolean): void;
  /**
   * Finds values for a parameter or a property: the closest first, then the latest.
   *
   * @param name The name of the parameter or the property.
   * @param kind What it is the id of, in the singular; `""` if only the name says it.
   */
  find(name: string, kind: string): readonly Known[];
  /** Makes a value the latest. */
  touch(known: Known): void;
  /** All values. */
  readonly all: readonly Known[];
}

/** The most values that are kept. */
const MOST = 120;

/** The most values of one response. */
const MOST_OF_ONE = 60;

/** Creates an empty pool. */
export function createPool(): Pool {
  const all: Known[] = [];

  function add(
    operation: Operation,
    body: unknown,
    maker: string | undefined,
    sent: (value: string | number) => boolean,
  ): void {
    const kinds = operation.segments.filter((segment) => !/^[:*]/.test(segment)).map(singular).reverse();
    let added = 0;
    const visit = (value: unknown, kinds: readonly string[], depth: number): void => {
      if (typeof value !== "object" || value === null || depth > 4) return;
      for (const [key, item] of Object.entries(value).slice(0, 30)) {
        if (added++ > MOST_OF_ONE) return;
        if (typeof item === "object") {
          const isNamed = !Array.isArray(value) && !WRAPPERS.test(key);
          visit(item, isNamed ? [singular(key), ...kinds] : kinds, Array.isArray(item) ? depth : depth + 1);
        } else if (typeof item === "string" && item !== "" && item.length < 300 || typeof item === "number") {
          const earlier = all.findIndex((one) => one.value === item && one.key === key && one.kinds[0] === kinds[0]);
          const [known] = earlier < 0 ? [] : all.splice(earlier, 1);
          const isMade = maker !== undefined && depth < 2 && isOwnId(key, kinds) && !sent(item);
          const isNew = isMade && (known === undefined || known.maker === operation);
          all.push(
            isNew || known === undefined
              ? { key, value: item, kinds, object: value, owner: isNew ? maker : undefined, maker: operation }
              : known,
          );
          if (all.length > MOST) all.shift();
        }
      }
    };
    visit(body, kinds, 0);
  }

  function find(name: string, kind: string): readonly Known[] {
    const wanted = new Set([kind, stemOf(name)].filter((one) => one !== ""));
    const rate = ({ key, kinds }: Known): number => {
      const isId = key === name || ID.test(key);
      if (!isId && stemOf(key) === "") return 0;
      const place = kinds.findIndex((one) => wanted.has(one));
      if (isId && place === 0) return key === name ? 5 : 4;
      if (isId && place > 0) return 3;
      if (key === name && !ID.test(name)) return 2;
      return wanted.has(stemOf(key)) ? 1 : 0;
    };
    const rated = all.map((known, index) => ({ known, index, rate: rate(known) })).filter(({ rate }) => rate > 0);
    return rated.toSorted((a, b) => b.rate - a.rate || b.index - a.index).map(({ known }) => known);
  }

  function touch(known: Known): void {
    all.splice(all.indexOf(known), 1);
    all.push(known);
  }

  return { add, find, touch, all };
}

/** Properties whose name says nothing about what they contain. */
const WRAPPERS = /^(?:data|items|results|rows|list|entries|values|content|records|edges|nodes?|\d+)$/;

/** Whether a key of a new thing is its own id, and no reference to another thing. */
function isOwnId(key: string, [kind = ""]: readonly string[]): boolean {
  return ID.test(key) || stemOf(key) !== "" && stemOf(key) === kind.toLowerCase();
}
