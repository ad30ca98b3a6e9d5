import type { Call } from "./call.ts";
import { callsAfter } from "./calls_after.ts";
import { callsBefore, hasPages } from "./calls_before.ts";
import type { Chain } from "./chain.ts";

/**
 * Plans the call of an operation, with what comes before it and what follows it.
 *
 * @param chain What the calls are planned with.
 * @returns The calls.
 */
export async function planUsual(chain: Chain): Promise<readonly Call[]> {
  const { target, visit, actor, callOf, random } = chain;
  const sender = senderOf(chain);
  const usual = { ...chain, sender, somebody: sender ?? actor };
  const calls = [...await callsBefore(usual)];
  const call = visit.early === undefined
    ? await callOf(target, sender, {
      isWrong: !visit.isCertain && random.chance(WRONG),
      isUndeclared: visit.isUndeclared,
      isSmall: hasPages(target),
    })
    : await callOf(target, actor, visit.early);
  calls.push(...await wrongParts(chain));
  if (target.security === "some" && (visit.isNobodysFirst || random.chance(NOBODY_FIRST))) {
    calls.push({ ...call, actor: undefined });
  }
  // A stranger takes the things of the actor.
  calls.push(visit.purpose === "stranger" ? { ...call, chooser: actor } : call);
  calls.push(...await callsAfter(usual, call, calls.length));
  return visit.isHistory || visit.isCertain ? calls.map((each) => ({ ...each, isLatest: true })) : calls;
}

/** Who sends the operation: the actor who makes what it needs, another actor, or nobody. */
function senderOf({ visit, actor, others, random }: Chain): string | undefined {
  const { purpose, isHistory, isCertain } = visit;
  const isOthers = purpose === "history of another" || purpose === "stranger" ||
    !isHistory && random.chance(SENT_BY_ANOTHER);
  const sender = isOthers ? random.of(others) ?? actor : actor;
  return !isHistory && !isCertain && random.chance(SENT_BY_NOBODY) ? undefined : sender;
}

/** Sends the operation with each part wrong in turn. */
async function wrongParts({ target, visit, actor, callOf }: Chain): Promise<readonly Call[]> {
  const calls: Call[] = [];
  for (const part of visit.spoilsEachPart ? target.parts : []) {
    calls.push(await callOf(target, actor, { isWrong: true, wrong: part }));
  }
  return calls;
}

/** How probable it is that another actor sends the operation, and that nobody does. */
const SENT_BY_ANOTHER = 0.35;
const SENT_BY_NOBODY = 0.1;

/** How probable it is that a part of the request is wrong. */
const WRONG = 0.3;

/** How probable it is that nobody sends the same request first, if the operation demands credentials. */
const NOBODY_FIRST = 0.15;
