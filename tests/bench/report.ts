import { compare, divide, fastestPeer } from "./comparison.ts";
import { CONTENDERS, PEERS } from "./contenders.ts";
import { bare } from "./contenders/bare.ts";
import { ours } from "./contenders/ours.ts";
import type { HttpTimings, Throughput } from "./http.ts";
import type { CaseTimings, Mode } from "./in_process.ts";
import type { MatchingTimings } from "./matching.ts";
import type { Timing } from "./rounds.ts";
import { median, spread } from "./statistics.ts";
import { BARE_TARGETS, GROWTH_TARGET, MATCHER_TARGET, OVERHEAD_TARGETS, PEER_TARGET, type Target } from "./targets.ts";

/** What was measured on one runtime. */
export interface Measured {
  readonly inProcess?: readonly CaseTimings[];
  readonly matching?: MatchingTimings;
  readonly http?: readonly HttpTimings[];
}

/** A runtime, by the name of its program. */
export type RuntimeName = "deno" | "bun" | "node";

const MODES: Readonly<Record<Mode, string>> = { fresh: "a fresh `Request` each", ready: "a `Request` made before" };

/** Everybody's time in process, and what we add to the bare handler compared with what others add. */
export function reportInProcess(runtime: string, results: readonly CaseTimings[]): string {
  return (["fresh", "ready"] as const).flatMap((mode) => {
    const cases = results.filter((result) => result.mode === mode).map(({ name, timings }) => ({
      name,
      standings: compare(timings),
    }));
    if (cases.length === 0) return [];
    const names = CONTENDERS.map(({ name }) => name);
    const peers = PEERS.map(({ name }) => name);
    return [
      title(`${runtime}, in process, ${MODES[mode]}: ns per operation, in brackets what is on top of the bare handler`),
      table(
        ["case", ...names],
        cases.map(({ name, standings }) => [
          name,
          ...names.map((contender) => {
            const standing = standings.find(({ name }) => name === contender);
            if (standing === undefined) return "";
            return contender === bare.name
              ? round(standing.total)
              : `${round(standing.total)} (${round(standing.overhead)})`;
          }),
        ]),
      ),
      title(
        `${runtime}, in process, ${
          MODES[mode]
        }: our overhead over theirs, for the fastest with the quartiles of the rounds`,
      ),
      table(
        ["case", ...peers, "the fastest"],
        cases.map(({ name, standings }) => {
          const fastest = fastestPeer(standings);
          const { lower, upper } = fastest.overheadRatio;
          return [
            name,
            ...peers.map((peer) => ratio(standings.find(({ name }) => name === peer)?.overheadRatio.median)),
            `${fastest.name} ${ratio(fastest.overheadRatio.median)} (${ratio(lower)}–${ratio(upper)})`,
          ];
        }),
      ),
    ];
  }).join("\n");
}

/** The routers alone: match, build, memory. */
export function reportMatching(runtime: string, { tables, growth }: MatchingTimings): string {
  const names = tables[0]?.builds.map(({ name }) => name) ?? [];
  const rows = (cell: (table: MatchingTimings["tables"][number], name: string) => string) =>
    table(
      ["router", ...tables.map(({ name }) => name)],
      names.map((name) => [name, ...tables.map((of) => cell(of, name))]),
    );
  return [
    title(`${runtime}, the matcher alone: ns per match, parameters read (Hono's routers leave that to its context)`),
    rows(({ timings }, name) => round(medianOf(name, timings))),
    title(`${runtime}, the matcher alone: ms to build, the first match included`),
    rows(({ builds }, contender) => {
      const { milliseconds, refused } = builds.find(({ name }) => name === contender) ?? {};
      return refused === undefined ? (milliseconds ?? NaN).toFixed(2) : "refuses them";
    }),
    title(`${runtime}, the matcher alone: KiB kept on the heap`),
    rows(({ builds }, contender) => {
      const { bytes } = builds.find(({ name }) => name === contender) ?? {};
      return bytes === undefined ? "" : round(bytes / 1024);
    }),
    title(`${runtime}, our matcher, all tables by turns: ns per match`),
    table(growth.map(({ name }) => name), [growth.map(({ rounds }) => round(median(rounds)))]),
  ].join("\n");
}

/** Servers under load. */
export function reportHttp(runtime: string, timings: readonly HttpTimings[]): string {
  return timings.flatMap(({ name, results }) => {
    const floor = throughputOf(bare.name, results);
    const own = throughputOf(ours.name, results);
    return [
      title(`${runtime}, over HTTP, ${name}: ratios round by round, with their quartiles`),
      table(
        ["server", "requests/s", "CPU µs per request", "over the bare handler", "ours over it"],
        results.map((of) => {
          const overFloor = spread(divide(of.requestsPerSecond, floor.requestsPerSecond));
          const oursOver = spread(divide(own.requestsPerSecond, of.requestsPerSecond));
          return [
            of.name,
            round(median(of.requestsPerSecond)),
            median(of.cpuPerRequest).toFixed(1),
            ...[overFloor, oursOver].map(({ median, lower, upper }) =>
              `${ratio(median)} (${ratio(lower)}–${ratio(upper)})`
            ),
          ];
        }),
      ),
    ];
  }).join("\n");
}

/** Where we are against the fastest peer, with what we want beside it. */
export function reportTargets(measured: Readonly<Partial<Record<RuntimeName, Measured>>>): string {
  const runtimes = (["deno", "bun", "node"] as const).filter((runtime) => measured[runtime] !== undefined);
  const row = (label: string, target: Target, values: (of: Measured) => readonly number[]) => [
    label,
    ...runtimes.flatMap((runtime) => {
      const bound = target[runtime];
      const found = values(measured[runtime] ?? {}).filter((value) => !Number.isNaN(value));
      const holds = (value: number) => bound === undefined || (target.bound === "≤" ? value <= bound : value >= bound);
      return [
        bound === undefined ? "–" : `${target.bound} ${bound.toFixed(2)}`,
        found.map((value) => `${ratio(value)}${holds(value) ? "" : " ✗"}`).join(" / "),
      ];
    }),
  ];
  return [
    title(
      "against the fastest peer: overhead in process with a fresh `Request` / with one made before; ✗ misses its target",
    ),
    table(
      ["case", ...runtimes.flatMap((runtime) => [`${runtime}: target`, "measured"])],
      [
        ...Object.entries(OVERHEAD_TARGETS).map(([name, target]) =>
          row(name, target, ({ inProcess = [] }) =>
            inProcess.filter((result) => result.name === name)
              .map(({ timings }) => fastestPeer(compare(timings)).overheadRatio.median))
        ),
        row("matcher, GitHub mix, over memoirist", MATCHER_TARGET, ({ matching }) => {
          const timings = matching?.tables[0]?.timings ?? [];
          return [median(divide(roundsOf(ours.name, timings), roundsOf("memoirist", timings)))];
        }),
        row("matcher, largest table over smallest", GROWTH_TARGET, ({ matching }) => {
          const [smallest, ...larger] = matching?.growth ?? [];
          return [median(divide(larger.at(-1)?.rounds ?? [], smallest?.rounds ?? []))];
        }),
        ...Object.entries(BARE_TARGETS).map(([name, target]) =>
          row(
            `HTTP, ${name}, over the bare handler`,
            target,
            ({ http = [] }) =>
              http.filter((of) => of.name === name).map(({ results }) => overThroughput(bare.name, results)),
          )
        ),
        ...Object.keys(BARE_TARGETS).map((name) =>
          row(
            `HTTP, ${name}, over the fastest peer`,
            PEER_TARGET,
            ({ http = [] }) =>
              http.filter((of) => of.name === name).map(({ results }) =>
                overThroughput(fastestServer(results), results)
              ),
          )
        ),
      ],
    ),
  ].join("\n");
}

function overThroughput(name: string, results: readonly Throughput[]): number {
  return median(
    divide(throughputOf(ours.name, results).requestsPerSecond, throughputOf(name, results).requestsPerSecond),
  );
}

function fastestServer(results: readonly Throughput[]): string {
  const peers = results.filter(({ name }) => PEERS.some((peer) => peer.name === name));
  const [fastest] = peers.toSorted((a, b) => median(b.requestsPerSecond) - median(a.requestsPerSecond));
  return fastest?.name ?? "";
}

function throughputOf(contender: string, results: readonly Throughput[]): Throughput {
  return results.find(({ name }) => name === contender) ??
    { name: contender, requestsPerSecond: [], cpuPerRequest: [] };
}

function roundsOf(contender: string, timings: readonly Timing[]): readonly number[] {
  return timings.find(({ name }) => name === contender)?.rounds ?? [];
}

function medianOf(contender: string, timings: readonly Timing[]): number {
  return median(roundsOf(contender, timings));
}

function title(text: string): string {
  return `\n**${text}**\n`;
}

/** A table in Markdown, with columns of even width. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const write = (cells: readonly string[]) =>
    `| ${
      cells.map((cell, column) => column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)).join(
        " | ",
      )
    } |`;
  const rule = widths.map((width, column) => column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`);
  return [write(head), `| ${rule.join(" | ")} |`, ...rows.map(write)].join("\n");
}

function round(value: number): string {
  return Number.isNaN(value) ? "" : value.toFixed(0);
}

function ratio(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "" : value.toFixed(2);
}
