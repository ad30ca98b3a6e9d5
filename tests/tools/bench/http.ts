import { run } from "../../slow/runtimes/programs.ts";
import type { ServerProcess } from "../../support/server_process.ts";
import type { Case } from "./cases.ts";
import type { CaseTimings } from "./in_process.ts";

/** Whether there is `wrk`, which Debian has as a package. */
export async function canMeasureHttp(): Promise<boolean> {
  return await run("which", ["wrk"]).then(() => true, () => false);
}

/**
 * Sends load to one server per contender, in turn, in short runs of `wrk`.
 *
 * @param of The case.
 * @param names The contenders.
 * @param start Starts the server of a contender.
 * @param directory Where the script for `wrk` is written.
 * @param rounds How many runs of one second each server gets.
 * @returns Requests per second.
 */
export async function measureHttp(
  of: Case,
  names: readonly string[],
  start: (contender: string) => Promise<ServerProcess>,
  directory: string,
  rounds: number,
): Promise<CaseTimings> {
  const script = `${directory}/${of.name}.lua`;
  await Deno.writeTextFile(script, createScript(of));
  const servers: { readonly name: string; readonly server: ServerProcess; readonly rates: number[] }[] = [];
  try {
    for (const name of names) servers.push({ name, server: await start(name), rates: [] });
    for (const { server } of servers) await load(server, script);
    for (let round = 0; round < rounds; round++) {
      // Each round begins with another server.
      for (
        const { server, rates } of [
          ...servers.slice(round % servers.length),
          ...servers.slice(0, round % servers.length),
        ]
      ) {
        rates.push(await load(server, script));
      }
    }
  } finally {
    for (const { server } of servers) await server.stop();
  }
  return { name: of.name, rounds: Object.fromEntries(servers.map(({ name, rates }) => [name, rates])) };
}

/** The requests of a case as a script for `wrk`, which formats them before it sends the first one. */
function createScript({ exchanges }: Case): string {
  const requests = exchanges.map(({ path, init: { method = "GET", headers = {}, body } }) => {
    const fields = [...new Headers(headers)].map(([name, value]) => `[ ${quote(name)} ] = ${quote(value)}`);
    return `wrk.format(${quote(method)}, ${quote(path)}, { Host = wrk.headers.Host, ${fields} }, ${
      typeof body === "string" ? quote(body) : "nil"
    })`;
  });
  return `
local requests, turn = {}, 0
function init() requests = { ${requests.join(",\n")} } end
function request() turn = turn % #requests + 1 return requests[turn] end`;
}

/** In a long bracket, which a space separates from an index around it. */
function quote(text: string): string {
  return `[==[${text}]==]`;
}

async function load({ origin }: ServerProcess, script: string): Promise<number> {
  const output = await run("wrk", ["-t1", "-c32", "-d1s", "-s", script, origin]);
  const rate = Number(/Requests\/sec: +([\d.]+)/.exec(output)?.[1]);
  if (!(rate > 0) || /Non-2xx|Socket errors/.test(output)) throw new Error(`Not every request was answered: ${output}`);
  return rate;
}
