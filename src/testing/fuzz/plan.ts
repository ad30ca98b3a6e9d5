import { HOSTILE_TEXTS } from "../values/texts.ts";
import { kindAt, nameOf, singular, stemOf } from "./names.ts";
import type { Operation } from "./operations.ts";
import type { Random } from "./random.ts";
import type { Values } from "./requests.ts";
import { simplify } from "../values/schema.ts";

/** A request to send. What it takes of earlier responses is chosen when it is sent, by its seed. */
export interface Call {
  /** The operation. */
  readonly operation: Operation;
  /** Who sends it; `undefined` for nobody: without credentials. */
  readonly actor: string | undefined;
  /** The generated values. */
  readonly values: Values;
  /** Chooses what is taken of earlier responses. */
  readonly seed: number;
  /** Whether parameters are the generated ones. */
  readonly isFresh: boolean;
  /** Calls with the same number belong together: the last of them needs the others. */
  readonly chain: number;
}

/** What makes the calls. */
export interface Planner {
  /**
   * Plans calls: each operation in turn, behind those that make what it needs.
   *
   * @param count How many calls, at least.
   * @returns The calls.
   */
  plan(count: number): Promise<readonly Call[]>;
}

/**
 * Creates a planner.
 *
 * @param operations The operations.
 * @param actors The names of the actors.
 * @param random Chooses.
 * @returns The planner.
 */
export function createPlanner(operations: readonly Operation[], actors: readonly string[], random: Random): Planner {
  const needs = new Map(operations.map((operation) => [operation, needsOf(operation, operations, 0)]));
  let turn: Operation[] = [];
  let chain = 0;

  async function callOf(operation: Operation, actor: string | undefined, isWrong: boolean): Promise<Call> {
    const { parts, ownBody } = operation;
    const wrong = isWrong ? random.of(parts) : undefined;
    const values: { [part: string]: unknown } = {};
    for (const part of ownBody ? [...parts, ownBody] : parts) {
      values[part.name] = await (part === wrong ? part.nextWrong() : part.next());
    }
    const texts = operation.segments.filter((segment) => /^[:*]/.test(segment)).map((
      segment,
    ) => [nameOf(segment), random.of(HOSTILE_TEXTS)]);
    values.params = { ...Object.fromEntries(texts), ...Object(values.params) };
    const seed = Math.floor(random.next() * 2 ** 31);
    return { operation, actor, values, seed, isFresh: wrong?.name === "params", chain };
  }

  async function chainOf(target: Operation): Promise<Call[]> {
    chain++;
    const actor = random.of(actors);
    const others = actors.filter((other) => other !== actor);
    const sender = random.chance(0.12) ? undefined : random.chance(0.35) ? random.of(others) ?? actor : actor;
    const needed = needs.get(target) as readonly Operation[];
    const calls: Call[] = [];
    for (const need of needed) {
      if (random.chance(0.93)) calls.push(await callOf(need, actor, false));
    }
    if (sender !== actor && sender !== undefined) {
      // Things of their own: a fault may need one of each.
      for (const need of needed) if (random.chance(0.5)) calls.push(await callOf(need, sender, false));
    }
    const call = await callOf(target, sender, random.chance(0.3));
    calls.push(call);
    // Again: the same values, which are taken by then, or one thing more than there may be.
    while (random.chance(calls.length < 2 ? 0.1 : 0.25) && calls.length < 8) {
      calls.push(random.chance(0.5) ? { ...call, seed: call.seed + 1 } : await callOf(target, sender, false));
    }
    const readers = operations.filter(({ method, segments }) =>
      method === "GET" && [target.segments, target.segments.slice(0, -1)].some((path) => isSame(path, segments))
    );
    if (target.method === "DELETE" || target.method !== "GET" && random.chance(0.3)) {
      for (const reader of readers) calls.push(await callOf(reader, sender, false));
    }
    return calls;
  }

  return {
    async plan(count) {
      const calls: Call[] = [];
      while (calls.length < count) {
        if (turn.length === 0) turn = shuffle(operations, random);
        calls.push(...await chainOf(turn.pop() as Operation));
      }
      return calls;
    },
  };
}

function isSame(path: readonly string[], other: readonly string[]): boolean {
  return path.length === other.length &&
    path.every((segment, index) =>
      /^[:*]/.test(segment) ? /^[:*]/.test(String(other[index])) : segment === other[index]
    );
}

/** The operations that make what an operation needs, in order. */
function needsOf(operation: Operation, all: readonly Operation[], depth: number): readonly Operation[] {
  if (depth > 3) return [];
  const { segments, parts } = operation;
  const kinds = segments.flatMap((segment, index) => {
    if (!/^[:*]/.test(segment)) return [];
    const isLast = index === segments.length - 1;
    // An operation that makes its own thing, such as PUT, needs no other one.
    return isLast && operation.method === "PUT"
      ? [kindAt(segments, index)]
      : [kindAt(segments, index), stemOf(nameOf(segment))];
  });
  const names = parts.filter(({ name }) => name === "query" || name === "body").flatMap(({ json }) =>
    Object.keys(Object(simplify(json, json).properties))
  );
  const wanted = new Set([...kinds, ...names.map((name) => singular(stemOf(name)))].filter((kind) => kind !== ""));
  const makers = Array.from(wanted, (kind) => makerOf(kind, all)).filter((maker) => maker !== undefined);
  const needed = makers.filter((maker) => maker !== operation).flatMap((maker) => [
    ...needsOf(maker, all, depth + 1),
    maker,
  ]);
  return [...new Set(needed)].filter((maker) => maker !== operation);
}

/** The operation that makes things of a kind; else one that lists them. */
function makerOf(kind: string, all: readonly Operation[]): Operation | undefined {
  const ending = ({ segments }: Operation) => String(segments.at(-1));
  const collects = all.filter((operation) => singular(ending(operation)) === kind);
  return collects.find(({ method }) => method === "POST") ??
    all.find(({ method, segments }) =>
      method === "PUT" && /^:/.test(String(segments.at(-1))) && kindAt(segments, segments.length - 1) === kind
    ) ?? collects.find(({ method }) => method === "GET");
}

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  return items.map((item) => ({ item, place: random.next() })).toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
