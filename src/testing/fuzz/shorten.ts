import type { Finding } from "./judge.ts";
import type { Call } from "./plan/call.ts";
import type { Run, Sent } from "./run.ts";
import { simpler } from "./simpler.ts";

/** Sees a fault that a call has shown. Nothing more is sent once it returns `true`. */
export type See = (finding: Finding, index: number, run: Run) => boolean;

/** Sends calls to a new app. */
export type Send = (calls: readonly Call[], see: See) => Promise<Run>;

/** A fault, and what has shown it. */
export interface Shown {
  readonly finding: Finding;
  readonly calls: readonly Call[];
  readonly sent: readonly Sent[];
  readonly run: Run;
}

/**
 * Leaves out calls, and makes the values of the others simpler, as long as the fault remains.
 *
 * @param shown The fault, and what has shown it.
 * @param send Sends calls to a new app.
 * @returns The fault, and less that shows it.
 */
export async function shorten(shown: Shown, send: Send): Promise<Shown> {
  let best = shown;
  let tries = 0;
  const attempt = async (calls: readonly Call[]): Promise<boolean> => {
    if (tries++ >= MOST_TRIES) return false;
    const before = best;
    await send(calls, (finding, index, run) => {
      if (finding.key !== shown.finding.key) return false;
      best = { finding, calls: calls.slice(0, index + 1), sent: [...run.sent], run };
      return true;
    });
    return best !== before;
  };

  // Most faults need the calls of one chain only.
  const chain = shown.calls.at(-1)?.chain;
  if (!await attempt(shown.calls.filter((call) => call.chain === chain))) {
    for (let size = shown.calls.length >> 1; size > 1; size >>= 1) {
      for (let end = best.calls.length - 1; end > 0; end -= size) {
        await attempt(best.calls.filter((_, index) => index < end - size || index >= end));
      }
    }
  }
  for (let index = best.calls.length - 2; index >= 0; index--) {
    await attempt(best.calls.filter((_, other) => other !== index));
  }
  for (let index = best.calls.length - 1; index >= 0; index--) {
    // A step that has not helped most likely does not help behind another: it is tried again at the end only.
    let from: number | undefined = 0;
    while (from !== undefined) from = await attemptSimpler(index, from) ?? (from > 0 ? 0 : undefined);
  }
  return best;

  /** Tries the steps behind the first ones, and returns the number of the one that helped. */
  async function attemptSimpler(place: number, from: number): Promise<number | undefined> {
    // There is no such call if a shorter history than the planned one has shown the fault.
    let step = 0;
    for (const values of simpler({ ...best.calls[place]?.values })) {
      if (step++ < from) continue;
      if (await attempt(best.calls.map((call, index) => index === place ? { ...call, values } : call))) return step - 1;
      if (tries >= MOST_TRIES) break;
    }
    return undefined;
  }
}

/** How often a fault is tried with fewer or simpler requests. */
const MOST_TRIES = 40;
