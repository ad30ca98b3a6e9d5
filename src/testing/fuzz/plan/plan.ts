import { isParameter } from "../names.ts";
import type { Edge } from "../edges.ts";
import { makerOfSame } from "../maker_of_same.ts";
import { needsOf, needsTwice } from "../needs.ts";
import type { Operation } from "../operations.ts";
import type { Ways } from "../pool.ts";
import { type Random, shuffle } from "../random.ts";
import { ownReferencesOf } from "../threads.ts";
import { type Admission, type Call, createCaller } from "./call.ts";
import { planThread } from "./thread_chain.ts";
import { planUsual } from "./usual_chain.ts";
import { visitOf } from "./visit.ts";
import { planWalk } from "./walk_chain.ts";
import { planWatch } from "./watch_chain.ts";

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

/** What the responses of an operation say about further requests. */
interface Outlook extends Admission {
  /** Whether it has only said that something is not there, or that something else must be done first. */
  isStuck(): boolean;
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
  const startChain = createCaller(pasts, actors, random);
  const ownReferences = new Map(operations.map((each) => [each, ownReferencesOf(each, operations, ways)]));
  const visits = new Map<Operation, number>();
  let turn: Operation[] = [];
  let rounds = 0;
  let runs = 0;

  /** What a new app gets, before it has anything: each operation that needs nothing in turn. */
  async function firstOf(run: number): Promise<readonly Call[]> {
    const first = operations.filter(({ segments }) => !segments.some(isParameter));
    const operation = first[run % first.length];
    if (operation === undefined) return [];
    const edge = FIRST_EDGES[Math.floor(run / first.length) % FIRST_EDGES.length];
    const callOf = startChain();
    return [await callOf(operation, random.of(actors), { edge })];
  }

  /** The next operation: all have had their turn before one has another turn. */
  function nextTarget(): Operation {
    if (turn.length === 0) {
      // The handler of GET responds to HEAD, too: it is called often enough.
      const isOfGet = ({ method, names }: Operation) => method === "HEAD" && names.length > 1;
      const isForAll = rounds++ % ROUNDS_OF_HEAD === 0;
      turn = shuffle(isForAll ? operations : operations.filter((one) => !isOfGet(one)), random);
    }
    return turn.pop() as Operation;
  }

  function chainOf(target: Operation): Promise<readonly Call[]> {
    const count = visits.get(target) ?? 0;
    visits.set(target, count + 1);
    const actor = random.of(actors);
    const others = actors.filter((other) => other !== actor);
    const past = pasts.get(target) as Outlook;
    const references = ownReferences.get(target) as ReadonlySet<string>;
    const visit = visitOf(count, target, {
      makesThreads: references.size > 0,
      mayClash: makerOfSame(target, operations) !== undefined,
      hasOthers: others.length > 0,
      isStuck: () => past.isStuck(),
    });
    const needed = [...needsOf(target, operations, ways), ...needsTwice(target, operations, ways)];
    const chain = { target, visit, needed, actor, others, operations, callOf: startChain(), random };
    if (visit.purpose === "thread") return planThread(chain, references);
    if (visit.purpose === "watch") return planWatch(chain, ways);
    if (visit.purpose === "walk") return planWalk(chain);
    return planUsual(chain);
  }

  return {
    async plan(count) {
      const calls = [...await firstOf(runs++)];
      while (calls.length < count) calls.push(...await chainOf(nextTarget()));
      return calls;
    },
  };
}

/** At which ends the first calls of runs are. The least values come first: they fail most often in an empty app. */
const FIRST_EDGES: readonly (Edge | undefined)[] = ["least", undefined, "most", "mixed"];

/** One of this many rounds calls HEAD also where GET has the same handler. */
const ROUNDS_OF_HEAD = 4;
