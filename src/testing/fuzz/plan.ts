import { nextMessages } from "./messages.ts";
import { EARLY_TEXTS, HOSTILE_TEXTS } from "../values/texts.ts";
import type { Edge } from "./edges.ts";
import { kindOf, nameOf, SIZE } from "./names.ts";
import { isSamePath, makerOf, needsOf } from "./needs.ts";
import type { Operation, Part } from "./operations.ts";
import { kindsOf, type Ways } from "./pool.ts";
import type { Random } from "./random.ts";
import type { Values } from "./requests.ts";
import { kindsOfThread, ownReferencesOf, type Thread, valueInThread } from "./threads.ts";

/** A request to send. What it takes of earlier responses is chosen when it is sent, by its seed. */
export interface Call {
  /** The operation. */
  readonly operation: Operation;
  /** Who sends it; `undefined` for nobody: without credentials. */
  readonly actor: string | undefined;
  /** Whose things it takes first: of the actor, also where nobody sends it. */
  readonly chooser: string | undefined;
  /** The generated values. */
  readonly values: Values;
  /** Chooses what is taken of earlier responses. */
  readonly seed: number;
  /** Whether the latest things are taken, so that all calls of a chain are about the same. */
  readonly isLatest: boolean;
  /** Which parameters are the generated ones; the others are ids of earlier responses. */
  readonly fresh: "none" | "last" | "all";
  /** Whether its stream stays open during the calls that follow. */
  readonly staysOpen: boolean;
  /** What refers to the thing that the operation has made before, if it makes things that refer to each other. */
  readonly thread: Thread | undefined;
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

/** What a call is made for. */
interface Wish {
  /** One part is wrong. */
  readonly isWrong?: boolean;
  /** Which part; any one if it is not said. */
  readonly wrong?: Part;
  /** Each free text is this one. */
  readonly text?: string | undefined;
  /** Each value is at an end of what is valid. */
  readonly edge?: Edge | undefined;
  /** As few items of a list as there may be. */
  readonly isSmall?: boolean;
  /** A thing that refers to the one before. */
  readonly thread?: Thread | undefined;
}

/** What the responses of an operation say about further requests. */
interface Outlook {
  /** Whether it has only said that something is not there, or that something else must be done first. */
  isStuck(): boolean;
  /** Whether an actor is let in, as far as is known. */
  admits(actor: string | undefined): boolean;
}

/**
 * Creates a planner.
 *
 * @param operations The operations.
 * @param pasts What their responses have been.
 * @param ways What leads from a response to a request.
 * @param actors The names of the actors.
 * @param random Chooses.
 * @returns The planner.
 */
export function createPlanner(
  operations: readonly Operation[],
  pasts: ReadonlyMap<Operation, Outlook>,
  ways: Ways,
  actors: readonly string[],
  random: Random,
): Planner {
  const visits = new Map<Operation, number>();
  let turn: Operation[] = [];
  let round = 0;
  let chain = 0;
  let runs = 0;
  const ownReferences = new Map(operations.map((each) => [each, ownReferencesOf(each, operations, ways)]));

  /** The actor, or one that the operation lets in: patients need a doctor that only staff can add. */
  function admitted(operation: Operation, actor: string | undefined): string | undefined {
    const past = pasts.get(operation) as Outlook;
    if (actor === undefined || past.admits(actor) || random.chance(0.1)) return actor;
    return random.of(actors.filter((other) => past.admits(other))) ?? actor;
  }

  async function callOf(operation: Operation, given: string | undefined, wish: Wish = {}): Promise<Call> {
    const actor = admitted(operation, given);
    const { parts, ownBody, segments, messages } = operation;
    const wrong = wish.isWrong ? wish.wrong ?? random.of(parts) : undefined;
    const values: { [part: string]: unknown } = {};
    let hasText = messages !== undefined;
    for (const part of ownBody ? [...parts, ownBody] : parts) {
      values[part.name] = await valueOf(part, part === wrong, wish);
      hasText ||= part.name === "query" || part.name === "body";
    }
    const texts = segments.filter((segment) => /^[:*]/.test(segment)).map((
      segment,
    ) => [nameOf(segment), wish.text ?? random.of(HOSTILE_TEXTS)]);
    values.params = { ...Object.fromEntries(texts), ...wish.text === undefined && Object(values.params) };
    if (messages !== undefined) values.messages = await nextMessages(messages.client, wish, random);
    const seed = Math.floor(random.next() * 2 ** 31);
    const isFresh = wish.text !== undefined && (!hasText || random.chance(0.5));
    return {
      operation,
      actor,
      chooser: actor,
      isLatest: false,
      values,
      seed,
      fresh: wrong?.name === "params" ? "all" : isFresh ? "last" : "none",
      staysOpen: false,
      thread: wish.thread,
      chain,
    };
  }

  async function valueOf(part: Part, isWrong: boolean, { text, edge, isSmall, thread }: Wish): Promise<unknown> {
    if (isWrong) return await part.nextWrong();
    if (text !== undefined) return await part.nextWith(text);
    if (edge !== undefined) return await part.nextAt(edge);
    if (thread !== undefined) return await valueInThread(part, thread);
    const value = await part.next();
    if (!isSmall || part.name !== "query") return value;
    const sizes = Object.keys(Object(part.properties)).filter((name) => SIZE.test(name));
    return { ...Object(value), ...Object.fromEntries(sizes.map((name) => [name, 1])) };
  }

  /** What a new app gets, before it has anything: each operation that needs nothing in turn. */
  async function firstOf(run: number): Promise<Call[]> {
    const first = operations.filter(({ segments }) => !segments.some((segment) => /^[:*]/.test(segment)));
    const operation = first[run % first.length];
    if (operation === undefined) return [];
    chain++;
    const edge = FIRST_EDGES[Math.floor(run / first.length) % FIRST_EDGES.length];
    return [await callOf(operation, random.of(actors), { edge })];
  }

  async function chainOf(target: Operation): Promise<Call[]> {
    chain++;
    const visit = visits.get(target) ?? 0;
    visits.set(target, visit + 1);
    const actor = random.of(actors);
    const names = ownReferences.get(target) as ReadonlySet<string>;
    if (names.size > 0 && visit % 6 === 2) return await threadOf(target, names, actor);
    if (target.isStream && target.isSafe && visit % 4 === 2) return await watchOf(target, actor);
    const others = actors.filter((other) => other !== actor);
    // Now and then, something is taken away between what an operation needs and the operation.
    const isStuck = visit % 2 === 0 && (pasts.get(target) as Outlook).isStuck();
    const isHistory = visit % 6 === 4 || isStuck;
    // One more than there may be, of what belongs together.
    const isHeap = visit > 0 && visit % 6 === 0 && !isStuck && target.method === "POST";
    // What one has made, another one tries.
    const isStrangers = visit % 12 === 8 && !isStuck && others.length > 0;
    const isBare = target.parts.every(({ name }) => name === "params");
    const isCertain = isHeap || isStrangers || isBare && visit % 6 === 0;
    // Every second history is that of a thing of somebody else.
    const isOthers = isHistory ? visit % 12 === 10 && !isStuck : isStrangers || random.chance(0.35);
    const another = isOthers ? random.of(others) ?? actor : actor;
    const sender = !isHistory && !isCertain && random.chance(0.1) ? undefined : another;
    // Each endpoint soon gets what most programs fail at, in all of its values.
    const every = visit < 2 * EARLY.length ? 2 : 4;
    const early = visit % every === 1 ? EARLY[Math.floor(visit / every) % EARLY.length] : undefined;
    // Without values of its own, it gets things that have them.
    const needed = needsOf(target, operations, ways);
    const calls: Call[] = [];
    for (const need of needed) {
      if (isCertain || early !== undefined || random.chance(0.93)) {
        const edge = random.chance(isBare ? 0.5 : 0.2) ? random.of(EDGES_OF_NEEDS) : undefined;
        calls.push(await callOf(need, actor, { edge: isBare && early?.edge || edge }));
      }
    }
    if (sender !== actor && sender !== undefined) {
      // Things of their own: a fault may need one of each.
      for (const need of needed) if (random.chance(0.5)) calls.push(await callOf(need, sender));
    }
    if (target.method === "DELETE" && random.chance(0.5)) {
      // What has been read once may be kept.
      for (const reader of operations.filter((other) => isReaderOf(other, target.segments))) {
        calls.push(await callOf(reader, sender ?? actor));
      }
    }
    const isPaged = target.places.size > 0;
    // A list with something in it; of several pages, each leads to the next.
    const maker = target.isSafe ? makerOf(kindOf(target.segments), operations, target.segments) : undefined;
    for (let count = isPaged ? 2 : Number(isHistory || random.chance(0.4)); maker !== undefined && count > 0; count--) {
      if (maker !== target && isSamePath(maker.segments, target.segments)) {
        calls.push(await callOf(maker, sender ?? actor));
      }
    }
    if (isPaged) calls.push(await callOf(target, sender, { isSmall: true }));
    for (const between of operationsBetween(target, needed, isHistory, isStuck)) {
      calls.push(await callOf(between, isHistory ? actor : sender ?? actor));
    }
    const call = await callOf(
      target,
      early === undefined ? sender : actor,
      early ?? { isWrong: !isCertain && random.chance(0.3), isSmall: isPaged },
    );
    // Each part is wrong once or twice: so it is known what a refusal of invalid input looks like.
    for (const part of visit === 0 || visit === 2 ? target.parts : []) {
      calls.push(await callOf(target, actor, { isWrong: true, wrong: part }));
    }
    // Nobody first, soon and then now and then: a guard may be forgotten, and what a DELETE has removed is gone.
    if (target.security === "some" && (visit % 6 === 0 || visit === 2 || random.chance(0.15))) {
      calls.push({ ...call, actor: undefined });
    }
    calls.push(isStrangers ? { ...call, chooser: actor } : call);
    // What a stranger may not do, the owner does.
    if (isHistory && sender !== actor) calls.push({ ...call, actor, chooser: actor });
    // What has a value keeps it when the next request says nothing of it.
    const changer = sender ?? actor;
    for (const body of isPartial(target) && random.chance(0.3) ? [undefined, {}] : []) {
      const [reader] = target.takesVersion ? operations.filter((other) => isReaderOf(other, target.segments)) : [];
      if (reader !== undefined) calls.push({ ...await callOf(reader, changer), isLatest: true });
      const full = await callOf(target, changer, { edge: "most" });
      calls.push({ ...full, values: body === undefined ? full.values : { ...full.values, body }, isLatest: true });
    }
    for (let count = isHeap ? 4 : 0; count > 0; count--) calls.push(await callOf(target, actor));
    // Again: the same values, which are taken by then, or one thing more than there may be.
    for (let chance = calls.length < 2 ? 0.1 : 0.25; random.chance(chance) && calls.length < 8; chance = 0.4) {
      const again = random.chance(0.5) ? call : { ...await callOf(target, sender), seed: call.seed };
      calls.push(random.chance(0.5) ? again : { ...again, seed: call.seed + 1 });
    }
    for (const reader of readersAfter(target, needed)) calls.push(await callOf(reader, sender));
    return isHistory || isCertain ? calls.map((call) => ({ ...call, isLatest: true })) : calls;
  }

  /** Things that refer to each other, each to the one before, and what shows them. */
  async function threadOf(target: Operation, names: ReadonlySet<string>, actor: string | undefined): Promise<Call[]> {
    const calls: Call[] = [];
    const needed = needsOf(target, operations, ways);
    for (const need of needed) calls.push(await callOf(need, actor));
    for (let depth = 0; depth < DEPTH; depth++) {
      calls.push(await callOf(target, actor, { thread: { names, isFirst: depth === 0 } }));
    }
    const kinds = kindsOfThread(target, names);
    const about = operations.filter(({ segments }) => kinds.has(kindOf(segments)));
    // One of them may be gone.
    const change = random.chance(0.3) ? random.of(about.filter(({ method }) => method === "DELETE")) : undefined;
    if (change !== undefined) calls.push(await callOf(change, actor));
    const shown = new Set([...kinds, ...needed.map(({ segments }) => kindOf(segments))]);
    const readers = operations.filter(({ method, segments }) => method === "GET" && shown.has(kindOf(segments)));
    for (const reader of readers) calls.push(await callOf(reader, actor));
    return calls.map((call) => ({ ...call, isLatest: call.operation !== change }));
  }

  /** A stream, and changes of what it may show while it is open. */
  async function watchOf(target: Operation, actor: string | undefined): Promise<Call[]> {
    const kinds = kindsOf(target);
    const makers = needsOf(target, operations, ways);
    // What makes another thing changes nothing of this one.
    const changes = operations.filter((other) => !other.isSafe && !makers.includes(other));
    const near = changes.filter((other) => kindsOf(other).some((kind) => kinds.includes(kind)));
    const chosen = shuffle(near.length > 0 ? near : changes, random).slice(0, CHANGES);
    // What is gone does not change any more.
    const ordered = chosen.toSorted((one, other) =>
      Number(one.method === "DELETE") - Number(other.method === "DELETE")
    );
    const needed = new Set([...makers, ...ordered.flatMap((each) => needsOf(each, operations, ways))]);
    const calls: Call[] = [];
    for (const need of needed) if (need !== target) calls.push(await callOf(need, actor));
    calls.push({ ...await callOf(target, actor), staysOpen: true });
    for (const change of ordered) calls.push(await callOf(change, actor));
    return calls.map((call) => ({ ...call, isLatest: true }));
  }

  /** What comes between the things that an operation needs and the operation: their version, or a change of them. */
  function operationsBetween(
    target: Operation,
    needed: readonly Operation[],
    isHistory: boolean,
    isStuck: boolean,
  ): readonly Operation[] {
    const between: Operation[] = [];
    if (needed.length > 0 && (isHistory || random.chance(target.isSafe ? 0.1 : 0.2))) {
      const kinds = needed.map(({ segments }) => kindOf(segments));
      const changes = operations.filter(({ isSafe, segments }) =>
        !isSafe && segments.some((segment) => segment.startsWith(":")) && kinds.includes(changedBy(segments)) &&
        !isSamePath(segments, target.segments)
      );
      const deletes = changes.filter(({ method }) => method === "DELETE");
      const others = changes.filter(({ method }) => method !== "DELETE");
      const isDelete = deletes.length > 0 && random.chance(isStuck ? 0.6 : 0.7);
      // An invoice is paid when it has been sent, and restored when it has been deleted: something else comes first.
      const last = target.segments.findLastIndex((segment) => segment.startsWith(":")) + 1;
      const near = others.filter(({ segments }) => isSamePath(segments.slice(0, last), target.segments.slice(0, last)));
      const first = near.length > 0 ? near : others;
      const change = random.of(isDelete ? deletes : isStuck ? first : changes);
      if (change !== undefined) between.push(change);
    }
    if (target.takesVersion) {
      const reader = operations.find(({ method, segments }) =>
        method === "GET" && isSamePath(segments, target.segments)
      );
      if (reader !== undefined) between.push(reader);
    }
    return between;
  }

  /** What shows the thing that an operation has changed, and those that it needs. */
  function readersAfter(target: Operation, needed: readonly Operation[]): readonly Operation[] {
    if (target.method !== "DELETE" && (target.method === "GET" || !random.chance(0.3))) return [];
    const own = [target.segments, target.segments.slice(0, -1)];
    const readers = operations.filter((other) => own.some((path) => isReaderOf(other, path)));
    const kinds = needed.map(({ segments }) => kindOf(segments));
    const others = operations.filter(({ method, segments }) =>
      method === "GET" && kinds.includes(kindOf(segments)) && !readers.some((reader) => reader.segments === segments)
    );
    const other = random.of(others);
    return other === undefined ? readers : [...readers, other];
  }

  return {
    async plan(count) {
      const calls = await firstOf(runs++);
      while (calls.length < count) {
        if (turn.length === 0) {
          // The handler of GET responds to HEAD, too: it is called often enough.
          const isOfGet = ({ method, names }: Operation) => method === "HEAD" && names.length > 1;
          turn = shuffle(round++ % 4 === 0 ? operations : operations.filter((one) => !isOfGet(one)), random);
        }
        calls.push(...await chainOf(turn.pop() as Operation));
      }
      return calls;
    },
  };
}

/** Whether a PATCH may leave out all of its properties. */
function isPartial({ method, parts }: Operation): boolean {
  return method === "PATCH" &&
    parts.some(({ name, properties, optional }) =>
      name === "body" && optional.size > 0 && optional.size === Object.keys(properties).length
    );
}

/** What an operation changes: the order of `/orders/:id` and of `/orders/:id/cancel`. */
function changedBy(segments: readonly string[]): string {
  return kindOf(segments.at(-2)?.startsWith(":") ? segments.slice(0, -1) : segments);
}

function isReaderOf({ method, segments }: Operation, path: readonly string[]): boolean {
  return method === "GET" && isSamePath(path, segments);
}

/** How many requests are sent while a stream is open. */
const CHANGES = 3;

/** How many things a thread has. */
const DEPTH = 4;

const EDGES: readonly Edge[] = ["most", "least", "mixed"];

/** A thing that is at the end in everything is often refused. */
const EDGES_OF_NEEDS: readonly Edge[] = [...EDGES, "mixed"];

/** What the first call of a run has: the least most often fails where there is nothing. */
const FIRST_EDGES: readonly (Edge | undefined)[] = ["least", undefined, "most", "mixed"];

/** What the first calls of each operation are made for, in turn. */
const EARLY: readonly Wish[] = /* @__PURE__ */ EARLY_TEXTS.flatMap((text, index): readonly Wish[] => {
  const edge = EDGES[index];
  return edge === undefined ? [{ text }] : [{ text }, { edge }];
});

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  return items.map((item) => ({ item, place: random.next() })).toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
