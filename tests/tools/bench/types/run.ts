/**
 * Measures what typed clients cost the compiler: how many types it instantiates for an API and a call of each endpoint, how long
 * it checks them, and how long a completion takes after an edit. Prints a table in Markdown.
 *
 * Usage: deno task bench types [--quick]
 *
 * It takes ten minutes; `--quick` leaves out 1,000 endpoints and takes two. Each client must reject every misspelt name in
 * `contender.ts`: a client without types would be the fastest.
 */

import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { median, table } from "../table.ts";
import { check } from "./check.ts";
import { openEditor } from "./completion.ts";
import { type Contender, ENDPOINTS_PER_RESOURCE } from "./contender.ts";
import { eden } from "./eden.ts";
import { hono } from "./hono.ts";
import { orpc } from "./orpc.ts";
import { endpoints, routes } from "./ours.ts";
import { COMPILERS, installPackages, type Project, writeProject } from "./project.ts";

const CONTENDERS: readonly Contender[] = [endpoints, routes, hono, eden, orpc];

const { values: { quick } } = parseArgs({ args: Deno.args, options: { quick: { type: "boolean", default: false } } });

/** The numbers of endpoints, and how often each is checked. */
const SIZES: readonly (readonly [endpoints: number, rounds: number])[] = quick
  ? [[50, 1], [200, 1]]
  : [[50, 3], [200, 3], [1000, 1]];
/** The number of endpoints for completions, and how many of them. */
const [COMPLETED, COMPLETIONS] = [200, quick ? 3 : 11];

/** What was measured of a contender, by what was measured. */
type Measured = Record<string, number[]>;

const directory = await Deno.makeTempDir();
try {
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}; Node.js checks`);
  await installPackages(directory, CONTENDERS);
  const results = CONTENDERS.map((contender): [Contender, Measured] => [contender, {}]);
  for (const [size, rounds] of SIZES) await measureChecks(results, size, rounds);
  await measureCompletions(results);
  console.log(report(results));
} finally {
  await Deno.remove(directory, { recursive: true });
}

async function measureChecks(
  results: readonly (readonly [Contender, Measured])[],
  size: number,
  rounds: number,
): Promise<void> {
  const projects: (readonly [Project, Measured])[] = [];
  for (const [contender, measured] of results) {
    const project = await writeProject(directory, contender, size / ENDPOINTS_PER_RESOURCE);
    // Once: they call the first resource only.
    if (size === SIZES[0]?.[0]) {
      for (const version of COMPILERS) await check(directory, version, project.configOfMistakes);
    }
    projects.push([project, measured]);
  }
  for (let round = 0; round < rounds; round++) {
    for (const [project, measured] of projects) {
      for (const version of COMPILERS) {
        const { instantiations, seconds } = await check(directory, version, project.configOfCalls);
        (measured[`${size} ${version} instantiations`] ??= []).push(instantiations);
        (measured[`${size} ${version} seconds`] ??= []).push(seconds);
      }
    }
  }
}

async function measureCompletions(results: readonly (readonly [Contender, Measured])[]): Promise<void> {
  const editors = [];
  for (const [contender, measured] of results) {
    const { calls } = await writeProject(directory, contender, COMPLETED / ENDPOINTS_PER_RESOURCE);
    editors.push({ contender, measured, editor: openEditor(calls) });
  }
  for (let round = -1; round < COMPLETIONS; round++) {
    for (const { contender: { name, completed }, measured, editor } of editors) {
      const start = performance.now();
      const names = editor.completeAfterEdit();
      const milliseconds = performance.now() - start;
      if (!names.includes(completed)) throw new Error(`${name} does not complete ${completed}`);
      if (round >= 0) (measured["completion"] ??= []).push(milliseconds); // the first one reads the files
    }
  }
}

function report(results: readonly (readonly [Contender, Measured])[]): string {
  return table(
    ["", ...SIZES.map(([size]) => size.toLocaleString("en")), `completion after an edit, ${COMPLETED}`],
    results.map(([{ name }, measured]) => {
      const of = (what: string) => median(measured[what]);
      return [
        name,
        ...SIZES.map(([size]) => {
          const seconds = COMPILERS.map((version) => of(`${size} ${version} seconds`).toFixed(1)).join("/");
          return `${short(of(`${size} ${COMPILERS[0]} instantiations`))}, ${seconds} s`;
        }),
        `${of("completion").toFixed(0)} ms`,
      ];
    }),
  );
}

/** 132,480 as `132k`, 2,110,000 as `2.11M`. */
function short(count: number): string {
  return count < 1e6 ? `${Math.round(count / 1e3)}k` : `${(count / 1e6).toFixed(2)}M`;
}
