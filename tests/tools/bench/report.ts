import { CHECKED, CONTENDERS } from "./contenders.ts";
import type { CaseTimings } from "./in_process.ts";
import { median, table } from "./table.ts";

/** The bare handler comes first, then this framework. */
const [BARE = "", OURS = "", ...PEERS] = CONTENDERS.map(({ name }) => name);

/** Everybody's overhead over the bare handler in process, as a table in Markdown. */
export function reportInProcess(runtime: string, cases: readonly CaseTimings[]): string {
  return [
    `\n**${runtime}, in process: the bare handler, and what the others add to it, in ns per request**\n`,
    table(
      ["case", BARE, OURS, ...PEERS, "ours / fastest peer"],
      cases.map((of) => {
        const { overheadOf, fastest, ratio } = compare(of);
        return [
          of.name,
          median(of.rounds[BARE]).toFixed(0),
          ...[OURS, ...PEERS].map((name) => overheadOf(name).toFixed(0)),
          `${fastest} ${ratio.toFixed(2)}`,
        ];
      }),
    ),
  ].join("\n");
}

/** What was measured on a runtime: all contenders, and ours side by side with and without `trustUrl`. */
export type Results = readonly [runtime: string, cases: readonly CaseTimings[], checked: readonly CaseTimings[]];

/** Our overhead over that of the fastest peer, for all runtimes; and what the check of urls costs. */
export function reportRatios(results: readonly Results[]): string {
  const names = results[0]?.[1].map(({ name }) => name) ?? [];
  const rowOf = (title: string, ratios: readonly number[]) => {
    const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
    return [title, ...[...ratios, mean].map((ratio) => ratio.toFixed(2))];
  };
  return [
    "\n**In process: our overhead over that of the fastest peer**\n",
    table(
      ["runtime", ...names, "geometric mean"],
      results.flatMap(([runtime, cases, checked]) => [
        rowOf(runtime, cases.map((of) => compare(of).ratio)),
        rowOf(
          `${runtime}, urls checked`,
          cases.map((of, index) => {
            const own = checked[index];
            if (own === undefined) return NaN;
            const { overheadOf } = compare(own);
            return compare(of).ratio * overheadOf(CHECKED.name) / overheadOf(OURS);
          }),
        ),
      ]),
    ),
  ].join("\n");
}

/** Requests per second. The ratios are those of single rounds, of which the median is shown. */
export function reportHttp(runtime: string, cases: readonly CaseTimings[]): string {
  const peers = Object.keys(cases[0]?.rounds ?? {}).filter((name) => name !== BARE && name !== OURS);
  return [
    `\n**${runtime}, over HTTP: requests per second**\n`,
    table(
      ["case", BARE, OURS, ...peers, "ours / bare", "ours / fastest peer"],
      cases.map(({ name, rounds }) => {
        const fastest = peers.toSorted((a, b) => median(rounds[b]) - median(rounds[a]))[0] ?? "";
        const over = (other: string) =>
          median(rounds[OURS]?.map((rate, round) => rate / (rounds[other]?.[round] ?? NaN)));
        return [
          name,
          ...[BARE, OURS, ...peers].map((name) => median(rounds[name]).toFixed(0)),
          over(BARE).toFixed(2),
          `${fastest} ${over(fastest).toFixed(2)}`,
        ];
      }),
    ),
  ].join("\n");
}

/** Where noise makes an overhead negative, the ratio says so, and the geometric mean is no number. */
function compare({ rounds }: CaseTimings) {
  const overheadOf = (name: string) =>
    median(rounds[name]?.map((time, round) => time - (rounds[BARE]?.[round] ?? NaN)));
  const fastest = PEERS.toSorted((a, b) => overheadOf(a) - overheadOf(b))[0] ?? "";
  return { overheadOf, fastest, ratio: overheadOf(OURS) / overheadOf(fastest) };
}
