import { ID, isParameter, isRelative, leadsTo, referenceOf, singular, SPECIFIC_ID, stemOf } from "./names.ts";
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
  /** The operation whose response has it. */
  readonly maker: Operation;
  /** The number of that response in the run. */
  readonly from: number;
  /** The segments of the path of its request, decoded: the things that it belongs to. */
  readonly place: readonly string[];
}

/** A response, or what stands for it. */
export interface Source {
  /** The operation. */
  readonly operation: Operation;
  /** The actor, if the response says that something new was made. */
  readonly maker: string | undefined;
  /** Whether the request has had the value. */
  readonly isSent: (value: string | number) => boolean;
  /** The number of the response in the run. */
  readonly from: number;
  /** The segments of the path of the request, decoded. */
  readonly place: readonly string[];
}

/** The values of earlier responses. */
export interface Pool {
  /** Adds the values of a JSON body. */
  add(source: Source, body: unknown): void;
  /**
   * Adds one value.
   *
   * @param source The response.
   * @param key Its key.
   * @param value The value.
   * @param kinds What it may be the id of, the closest first.
   */
  addOne(source: Source, key: string, value: string, kinds: readonly string[]): void;
  /**
   * Finds values for a parameter, a property or a header: those that `links` name, or else the closest first, then the
   * latest.
   *
   * @param name Its name.
   * @param kind What it is the id of, in the singular; `""` if only the name says it.
   * @param operation The operation that takes it.
   */
  find(name: string, kind: string, operation: Operation): readonly Known[];
  /**
   * Says what a parameter, a property or a header is the id of: `user` for `userId`.
   *
   * @param name Its name.
   * @param operation The operation that takes it.
   * @returns The kind, in the singular; `""` if it is no reference.
   */
  referenceOf(name: string, operation: Operation): string;
  /** Notes that an operation makes things of a kind. */
  noteMaker(kind: string, maker: Operation): void;
  /** Makes a value the latest. */
  touch(known: Known): void;
  /** All values. */
  readonly all: readonly Known[];
  /** The versions of things by path: the headers `etag` and `last-modified` of the latest response. */
  readonly versions: Map<string, Version>;
}

/** What the headers of a response say of the version of a thing. */
export interface Version {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** What leads from a response to a request, beside names that are alike. */
export interface Ways {
  /** The option `links`: what a name of a request is taken from, such as `POST /users id`. */
  readonly links: { readonly [name: string]: string };
  /** The kinds of things that the app has, in the singular. */
  readonly kinds: ReadonlySet<string>;
  /** What has made things of a kind elsewhere than in their collection, as a `location` says. */
  readonly makers: Map<string, Operation>;
}

/** The most values that are kept. */
const MOST = 120;

/** The most values of one response. */
const MOST_OF_ONE = 60;

/**
 * Creates an empty pool.
 *
 * @param ways What leads from a response to a request.
 * @returns The pool.
 */
export function createPool({ links, kinds, makers }: Ways): Pool {
  const all: Known[] = [];
  const versions = new Map<string, Version>();

  function put(source: Source, key: string, value: string | number, kinds: readonly string[], object?: object): void {
    const earlier = all.findIndex((one) => one.value === value && one.key === key && one.kinds[0] === kinds[0]);
    const [known] = earlier < 0 ? [] : all.splice(earlier, 1);
    const { operation, maker, isSent, from, place } = source;
    // A code that somebody has chosen is no new one where another thing has it, too.
    const isCode = typeof value === "string" && !SERIAL.test(key) &&
      all.some((one) => one.value === value && one.key === key);
    const isMade = maker !== undefined && isOwnId(key, kinds) && !isSent(value) && !isCode;
    const isNew = isMade && (known === undefined || known.maker === operation);
    all.push(
      isNew || known === undefined
        ? { key, value, kinds, object, owner: isNew ? maker : undefined, maker: operation, from, place }
        : known,
    );
    if (all.length > MOST) all.shift();
  }

  function add(source: Source, body: unknown): void {
    let added = 0;
    const visit = (value: unknown, kinds: readonly string[], depth: number): void => {
      if (typeof value !== "object" || value === null || depth > 4) return;
      for (const [key, item] of Object.entries(value).slice(0, 30)) {
        if (added++ > MOST_OF_ONE) return;
        if (typeof item === "object") {
          const isNamed = !Array.isArray(value) && !WRAPPERS.test(key);
          visit(item, isNamed ? [singular(key), ...kinds] : kinds, Array.isArray(item) ? depth : depth + 1);
        } else if (typeof item === "string" && item !== "" && item.length < 300 || typeof item === "number") {
          put(depth < 2 ? source : { ...source, maker: undefined }, key, item, kinds, value);
        }
      }
    };
    visit(body, kindsOf(source.operation), 0);
  }

  function find(name: string, kind: string, operation: Operation): readonly Known[] {
    const link = linkOf(name, operation, links);
    const rate = link === undefined ? rateBy(name, kind, operation) : rateByLink(link);
    const rated = all.map((known, index) => ({ known, index, rate: rate(known) })).filter(({ rate }) => rate > 0);
    return rated.toSorted((a, b) => b.rate - a.rate || b.index - a.index).map(({ known }) => known);
  }

  return {
    add,
    addOne: put,
    find,
    noteMaker: (kind, maker) => void makers.set(kind, maker),
    referenceOf: (name, operation) =>
      linkOf(name, operation, links) ?? referenceOf(name, kindsOf(operation)[0] ?? "", kinds),
    touch(known) {
      all.splice(all.indexOf(known), 1);
      all.push(known);
    },
    all,
    versions,
  };
}

/** Whether a value is the id of the same thing as another one: the path of a `location` has the text of a number. */
export function isOfSame({ key, value, kinds }: Known, other: Known): boolean {
  return String(value) === String(other.value) && kinds[0] === other.kinds[0] && (key === other.key || ID.test(key));
}

/** What the option `links` says of a name. */
export function linkOf(name: string, operation: Operation, links: Ways["links"]): string | undefined {
  return [`${operation.name} ${name}`, name].filter((key) => Object.hasOwn(links, key)).map((key) => links[key])[0];
}

/** The collections of a path, in the singular, the closest first. */
export function kindsOf({ segments }: Operation): readonly string[] {
  return segments.filter((segment) => !isParameter(segment)).map(singular).reverse();
}

/** How close values are to a name: 0 for those that do not lead to it. */
function rateBy(name: string, kind: string, operation: Operation): (known: Known) => number {
  const wanted = new Set([kind, stemOf(name)].filter((one) => one !== ""));
  return ({ key, kinds, maker }) => {
    // The parent of a thing is another one: what `parentId` takes is the id of the thing first.
    const isId = key === name && !isRelative(key) || ID.test(key);
    // Of the same list first.
    if (stemOf(name) === "" && !ID.test(name) && leadsTo(key, name)) return maker === operation ? 6 : 2;
    if (!isId && stemOf(key) === "") return 0;
    const place = kinds.findIndex((one) => wanted.has(one));
    if (isId && place === 0) return key === name ? 5 : 4;
    if (isId && place > 0) return 3;
    if (key === name && SPECIFIC_ID.test(name)) return 2;
    return wanted.has(stemOf(key)) ? 1 : 0;
  };
}

/** The values that the option `links` names: `POST /users id`. */
function rateByLink(link: string): (known: Known) => number {
  return ({ key, maker }) => Number(link === `${maker.name} ${key}`);
}

/** Properties whose name says nothing about what they contain. */
const WRAPPERS = /^(?:data|items|results|rows|list|entries|values|content|records|edges|nodes?|\d+)$/;

/** Keys of ids that are often numbers, which things of several kinds have. */
const SERIAL = /^_?id$/;

/** Whether a key of a new thing is its own id, and no reference to another thing. */
function isOwnId(key: string, [kind = ""]: readonly string[]): boolean {
  return ID.test(key) || stemOf(key) !== "" && stemOf(key) === kind.toLowerCase();
}
