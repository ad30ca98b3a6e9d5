import { PEERS } from "./contenders.ts";
import { bare, bareWithHost } from "./contenders/bare.ts";
import { ours } from "./contenders/ours.ts";
import type { Timing } from "./rounds.ts";
import { median, type Spread, spread } from "./statistics.ts";

/** One who took part in a case. */
export interface Standing {
  readonly name: string;
  /** Nanoseconds per operation. */
  readonly total: number;
  /** What is on top of the bare handler in the same round, in nanoseconds. */
  readonly overhead: number;
  /** Our time over theirs with what the `Host` check costs on top, round by round: the same work on both sides. */
  readonly totalRatio: number;
  /** Our overhead over theirs. */
  readonly overheadRatio: Spread;
}

/** Compares everybody with the bare handler, and us with everybody. */
export function compare(timings: readonly Timing[]): readonly Standing[] {
  const floor = roundsOf(bare.name, timings);
  const own = roundsOf(ours.name, timings);
  const ownOverheads = subtract(own, floor);
  const hostCost = Math.max(0, median(subtract(roundsOf(bareWithHost.name, timings), floor)));
  return timings.map(({ name, rounds }) => {
    const overheads = subtract(rounds, floor);
    const ratios = spread(divide(ownOverheads, overheads));
    return {
      name,
      total: median(rounds),
      overhead: median(overheads),
      totalRatio: median(divide(own, rounds.map((time) => time + hostCost))),
      // Of the medians: where an overhead is small beside the noise, single rounds divide by next to nothing.
      overheadRatio: { ...ratios, median: median(ownOverheads) / median(overheads) },
    };
  });
}

/** The peer that adds least to the bare handler. */
export function fastestPeer(standings: readonly Standing[]): Standing {
  const peers = standings.filter(({ name }) => PEERS.some((peer) => peer.name === name));
  const [fastest] = peers.toSorted((a, b) => a.overhead - b.overhead);
  if (fastest === undefined) throw new Error("No peer takes part");
  return fastest;
}

function roundsOf(name: string, timings: readonly Timing[]): readonly number[] {
  return timings.find((timing) => timing.name === name)?.rounds ?? [];
}

function subtract(minuends: readonly number[], subtrahends: readonly number[]): number[] {
  return minuends.map((minuend, index) => minuend - (subtrahends[index] ?? NaN));
}

/** Quotients, pair by pair. */
export function divide(dividends: readonly number[], divisors: readonly number[]): number[] {
  return divisors.map((divisor, index) => (dividends[index] ?? NaN) / divisor);
}
