/**
 * Serves one case by one contender, until it is stopped: on Node.js through the adapter of Hono.
 *
 * Its arguments are the names of the contender and of the case.
 */

import { serve } from "@hono/node-server";
import process from "node:process";
import type { Fetch } from "./application.ts";
import { CASES } from "./cases.ts";
import { assertAgreement, CONTENDERS } from "./contenders.ts";

/** As much of Bun as is used here. */
declare const Bun: { serve(options: { hostname: string; port: number; fetch: Fetch }): { readonly port: number } };

const [contenderName, caseName] = process.argv.slice(2);
const contender = CONTENDERS.find(({ name }) => name === contenderName);
const of = CASES.find(({ name }) => name === caseName);
if (contender === undefined || of === undefined) {
  throw new Error(`No contender ${contenderName}, or no case ${caseName}`);
}
await assertAgreement(contender, of);
const fetch = contender.fetchFor(of);

const hostname = "127.0.0.1";
if ("Bun" in globalThis) {
  print(Bun.serve({ hostname, port: 0, fetch }).port);
} else if ("Deno" in globalThis) {
  // Not `fetch` itself: Deno does less for a handler that takes no parameters.
  Deno.serve({ hostname, port: 0, onListen: ({ port }) => print(port) }, (request, info) => fetch(request, info));
} else {
  serve({ hostname, port: 0, fetch: (request) => fetch(request) }, ({ port }) => print(port));
}

function print(port: number): void {
  console.log(`Listening on http://${hostname}:${port}`);
}
