import { HOSTILE_TEXTS } from "../../values/texts.ts";
import { type MessageWish, nextMessages } from "../messages.ts";
import { isParameter, nameOf, SIZE } from "../names.ts";
import type { Operation } from "../operations.ts";
import type { Part } from "../part.ts";
import type { Random } from "../random.ts";
import type { Values } from "../requests.ts";
import { type Thread, valueInThread } from "../threads.ts";
import type { UndeclaredProperties } from "../undeclared_properties.ts";

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

/** What a call is made for. */
export interface Wish extends MessageWish {
  /** Which part is not valid; any one if it is not said. */
  readonly wrong?: Part;
  /** The body also has what only the response declares. */
  readonly isUndeclared?: boolean;
  /** As few items of a list as there may be. */
  readonly isSmall?: boolean;
  /** A thing that refers to the one before. */
  readonly thread?: Thread | undefined;
}

/**
 * Makes a call of one chain.
 *
 * @param operation The operation.
 * @param actor Who sends it, or another actor if the operation does not let this one in; `undefined` for nobody.
 * @param wish What the call is made for.
 * @returns The call.
 */
export type CallOf = (operation: Operation, actor: string | undefined, wish?: Wish) => Promise<Call>;

/** What the responses of an operation say of actors. */
export interface Admission {
  /** Whether an actor is let in, as far as is known. */
  admits(actor: string | undefined): boolean;
}

/**
 * Creates what makes the calls.
 *
 * @param pasts What the responses of each operation have been.
 * @param actors The names of the actors.
 * @param random Chooses.
 * @returns A function that starts a chain, and returns what makes the calls of this chain.
 */
export function createCaller(
  pasts: ReadonlyMap<Operation, Admission>,
  actors: readonly string[],
  random: Random,
): () => CallOf {
  let chains = 0;

  /** The actor, or one that the operation lets in: patients need a doctor that only staff can add. */
  function admitted(operation: Operation, actor: string | undefined): string | undefined {
    const past = pasts.get(operation) as Admission;
    if (actor === undefined || past.admits(actor) || random.chance(TRIES_AGAIN)) return actor;
    return random.of(actors.filter((other) => past.admits(other))) ?? actor;
  }

  async function callOf(chain: number, operation: Operation, given: string | undefined, wish: Wish): Promise<Call> {
    const actor = admitted(operation, given);
    const wrong = wish.isWrong ? wish.wrong ?? random.of(operation.parts) : undefined;
    const values = await valuesOf(operation, wrong, wish, random);
    const seed = Math.floor(random.next() * SEEDS);
    return {
      operation,
      actor,
      chooser: actor,
      isLatest: false,
      values,
      seed,
      fresh: wrong?.name === "params" ? "all" : isTextInPath(operation, wish, random) ? "last" : "none",
      staysOpen: false,
      thread: wish.thread,
      chain,
    };
  }

  return () => {
    const chain = ++chains;
    return (operation, actor, wish = {}) => callOf(chain, operation, actor, wish);
  };
}

/** The values of all parts, of the parameters without a schema, and of the messages of a socket. */
async function valuesOf(
  { parts, ownBody, segments, messages, undeclared }: Operation,
  wrong: Part | undefined,
  wish: Wish,
  random: Random,
): Promise<Values> {
  const values: { [part: string]: unknown } = {};
  for (const part of ownBody ? [...parts, ownBody] : parts) {
    const value = await valueOf(part, part === wrong, wish);
    values[part.name] = wish.isUndeclared && part.name === "body" && wrong === undefined
      ? await withUndeclared(part, value, undeclared)
      : value;
  }
  const texts = segments.filter(isParameter)
    .map((segment) => [nameOf(segment), wish.text ?? random.of(HOSTILE_TEXTS)]);
  values.params = { ...Object.fromEntries(texts), ...wish.text === undefined && Object(values.params) };
  if (messages !== undefined) values.messages = await nextMessages(messages.client, wish, random);
  return values;
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

/** The value of a body with what only the response declares, if the schema lets it pass. */
async function withUndeclared(part: Part, value: unknown, undeclared: UndeclaredProperties): Promise<unknown> {
  const more = { ...Object(value), ...Object.fromEntries(Array.from(undeclared, ([name, [one]]) => [name, one])) };
  const issues = await part.issuesOf((await part.write(more)).raw);
  return undeclared.size > 0 && issues?.length === 0 ? more : value;
}

/** Whether the text of a wish takes the place of the last id in the path. It always does if no other part is free. */
function isTextInPath({ parts, ownBody, messages }: Operation, { text }: Wish, random: Random): boolean {
  const hasOtherPlace = messages !== undefined || ownBody !== undefined ||
    parts.some(({ name }) => name === "query" || name === "body");
  return text !== undefined && (!hasOtherPlace || random.chance(TEXT_IN_PATH));
}

/** How many seeds there are: 2^31, which a bundler would keep as a computation. */
const SEEDS = 0x8000_0000;

/** How probable it is that an actor who has not been let in tries again. */
const TRIES_AGAIN = 0.1;

/** How probable it is that a text is in the path, if it is in another part already. */
const TEXT_IN_PATH = 0.5;
