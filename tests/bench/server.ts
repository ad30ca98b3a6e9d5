/**
 * Serves one case by one contender on Deno or Bun, until it is stopped.
 *
 * Its arguments are the names of the contender and of the case.
 */

import process from "node:process";
import { CASES } from "./cases.ts";
import type { Contender, Fetch } from "./contender.ts";
import { bareServer, bareServerWithHost } from "./contenders/bare.ts";
import { CONTENDERS } from "./contenders.ts";

/** As much of Bun as is used here. */
declare const Bun: { serve(options: { hostname: string; port: number; fetch: Fetch }): { readonly port: number } };

const [contenderName, caseName] = process.argv.slice(2);
// By name: as servers, the bare handlers come before those of the same names.
const contenders: readonly Contender[] = [bareServer, bareServerWithHost, ...CONTENDERS];
const of = CASES.find(({ name }) => name === caseName);
const fetch = of && contenders.find(({ name }) => name === contenderName)?.fetchFor(of);
if (fetch === undefined) throw new Error(`${contenderName} does not answer ${caseName}`);

const hostname = "127.0.0.1";
if ("Bun" in globalThis) {
  say(Bun.serve({ hostname, port: 0, fetch }).port);
} else {
  // Not `fetch` itself: Deno does less for a handler that takes no parameters.
  Deno.serve({ hostname, port: 0, onListen: ({ port }) => say(port) }, (request, info) => fetch(request, info));
}

function say(port: number): void {
  console.log(`Listening on http://${hostname}:${port}`);
}
