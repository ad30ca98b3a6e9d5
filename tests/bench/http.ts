import { run } from "../runtimes/programs.ts";
import type { ServerProcess } from "../server_process.ts";
import { type Case, CASES } from "./cases.ts";
import type { Contender } from "./contender.ts";

/** How much to measure over HTTP. */
export interface HttpEffort {
  readonly rounds: number;
  /** How long one run of `wrk` takes, in whole seconds. */
  readonly seconds: number;
  /** The names of the cases. */
  readonly cases: readonly string[];
}

/** What was measured of one case over HTTP. */
export interface HttpTimings {
  readonly name: string;
  readonly results: readonly Throughput[];
}

/** How a server did, round by round. */
export interface Throughput {
  readonly name: string;
  readonly requestsPerSecond: readonly number[];
  /** Time on the processor, in microseconds, of all threads of the server. */
  readonly cpuPerRequest: readonly number[];
}

/** Whether there is `wrk`, which Debian has as a package, and a `/proc` to read processor time from. */
export async function canMeasureHttp(): Promise<boolean> {
  try {
    await run("which", ["wrk"]);
    return Deno.build.os === "linux";
  } catch {
    return false;
  }
}

/**
 * Asks servers by turns, in short runs of `wrk`.
 *
 * @param contenders Whom to serve by.
 * @param start Starts a server for a contender and a case.
 * @param directory Where scripts for `wrk` go.
 * @param effort How much to measure.
 * @returns What was measured, case by case.
 */
export async function measureHttp(
  contenders: readonly Contender[],
  start: (contender: string, of: string) => Promise<ServerProcess>,
  directory: string,
  { rounds, seconds, cases }: HttpEffort,
): Promise<HttpTimings[]> {
  const results: HttpTimings[] = [];
  for (const of of CASES.filter(({ name }) => cases.includes(name))) {
    const servers: (ServerProcess & { readonly name: string })[] = [];
    try {
      for (const { name } of contenders) servers.push({ ...await start(name, of.name), name });
      const script = await writeScript(of, directory);
      // One round alone gives an idea, with or without.
      if (rounds > 1) { for (const server of servers) await ask(server, script, 1); }

      const measured = new Map(
        servers.map(({ name }) => [name, { requestsPerSecond: [] as number[], cpuPerRequest: [] as number[] }]),
      );
      for (let round = 0; round < rounds; round++) {
        // Each round begins with another server.
        for (const server of [...servers.slice(round % servers.length), ...servers.slice(0, round % servers.length)]) {
          const { requestsPerSecond, cpuPerRequest } = await ask(server, script, seconds);
          measured.get(server.name)?.requestsPerSecond.push(requestsPerSecond);
          measured.get(server.name)?.cpuPerRequest.push(cpuPerRequest);
        }
      }
      results.push({ name: of.name, results: [...measured].map(([name, values]) => ({ name, ...values })) });
    } finally {
      for (const server of servers) await server.stop();
    }
  }
  return results;
}

/** The request of a case, in the language of `wrk`. */
async function writeScript({ name, exchanges: [exchange] }: Case, directory: string): Promise<string> {
  if (exchange === undefined) throw new Error(`${name} has no request`);
  const { method, path, headers = {}, body } = exchange;
  const file = `${directory}/${name.replaceAll(/\W+/g, "_")}.lua`;
  await Deno.writeTextFile(
    file,
    [
      `wrk.method = ${quote(method)}`,
      `wrk.path = ${quote(path)}`,
      ...Object.entries(headers).map(([name, value]) => `wrk.headers[ ${quote(name)} ] = ${quote(value)}`),
      ...(body === undefined ? [] : [`wrk.body = ${quote(body)}`]),
    ].join("\n"),
  );
  return file;
}

/** In a long bracket, which a space keeps apart from an index around it. */
function quote(text: string): string {
  return `[==[${text}]==]`;
}

async function ask(
  { origin, pid }: ServerProcess,
  script: string,
  seconds: number,
): Promise<{ requestsPerSecond: number; cpuPerRequest: number }> {
  const before = await readCpuTime(pid);
  const output = await run("wrk", ["-t1", "-c32", `-d${seconds}s`, "-s", script, origin]);
  const cpu = await readCpuTime(pid) - before;
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  const requestsPerSecond = Number(/Requests\/sec: +([\d.]+)/.exec(output)?.[1]);
  if (!(requests > 0) || /Non-2xx|Socket errors/.test(output)) {
    throw new Error(`Not every request was answered: ${output}`);
  }
  return { requestsPerSecond, cpuPerRequest: cpu / requests };
}

/** The time that a process has had on the processor, in microseconds: `utime` and `stime` of proc(5). */
async function readCpuTime(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const [, , , , , , , , , , , utime, stime] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(utime) + Number(stime)) * MICROSECONDS_PER_TICK;
}

/** Linux tells these times in hundredths of a second, whatever its own clock does. */
const MICROSECONDS_PER_TICK = 10_000;
