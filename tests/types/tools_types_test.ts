/**
 * What the compiler demands of `tools`. It checks this file: nothing is asserted at run time.
 */
import { endpoint, reply, route } from "../../mod.ts";
import { type Tool, tools } from "../../src/tools/mod.ts";

declare const fetch: (request: Request) => Response;
declare const flag: boolean;
declare const names: string[];

const list = endpoint.get("/notes", { responses: { 204: {} } });
const remove = endpoint.delete("/notes/:id", { responses: { 204: {} } });
const search = endpoint.on("QUERY", "/notes", { responses: { 204: {} } });
const both = endpoint.on(["GET", "POST"], "/both", { responses: { 204: {} } });
const reads = { list, search, head: endpoint.head("/notes"), text: "Notes" };
const api = { list, remove };

export function readsNeedNoNames(): readonly Tool[] {
  tools(reads, { fetch });
  tools(reads, { fetch, only: ["list"] });
  const some: Partial<typeof reads> = {};
  tools(some, { fetch });
  tools({ list, search: flag ? search : undefined, head: flag && reads.head }, { fetch });
  tools({ list: route.on(list, { resolve: () => reply(204) }) }, { fetch });
  // @ts-expect-error: not an endpoint of the record
  tools(reads, { fetch, only: ["remove"] });
  // @ts-expect-error: names that are not known
  tools(reads, { fetch, only: names });
  // @ts-expect-error: fetch is missing
  tools(reads, {});
  return tools(reads, { fetch, headers: { authorization: "Bearer ada" }, baseUrl: "https://api.example.com" });
}

export function writesMustBeNamed() {
  tools(api, { fetch, only: ["list"] });
  tools(api, { fetch, only: ["list", "remove"] });
  const only = ["list"] as const;
  tools(api, { fetch, only });
  tools(api, { fetch, ...{ only } });
  // @ts-expect-error: only is missing
  tools(api, { fetch });
  // @ts-expect-error: only may be absent
  tools(api, { fetch, ...(flag ? { only } : {}) });
  // @ts-expect-error: only may be undefined
  tools(api, { fetch, only: flag ? only : undefined });
  const maybe: { readonly only?: readonly ["list"] } = {};
  // @ts-expect-error: only may be absent
  tools(api, { fetch, ...maybe });
  // @ts-expect-error: an endpoint that has a method that writes, among others
  tools({ both }, { fetch });
  // @ts-expect-error: every method
  tools({ any: endpoint.all("/any") }, { fetch });
  // @ts-expect-error: a method that is not known
  tools({ any: endpoint.on(names, "/any") }, { fetch });
  // @ts-expect-error: a route that writes
  tools({ remove: route.on(remove, { resolve: () => reply(204) }) }, { fetch });
  // @ts-expect-error: one of two endpoints writes
  tools({ either: flag ? list : remove }, { fetch });
  // @ts-expect-error: an endpoint that writes, or none
  tools({ list, remove: flag ? remove : undefined }, { fetch });
  // @ts-expect-error: an endpoint that writes, or none, by &&
  tools({ list, remove: flag && remove }, { fetch });
  // @ts-expect-error: an endpoint that writes, in one of two records
  tools(flag ? reads : api, { fetch });
}
