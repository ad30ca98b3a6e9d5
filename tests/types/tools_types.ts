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
  // @ts-expect-error at `"remove"`: Type '"remove"' is not assignable to type '"head" | "list" | "search" | "text"'.
  tools(reads, { fetch, only: ["remove"] });
  // @ts-expect-error at `only`: Type 'string' is not assignable to type '"head" | "list" | "search" | "text"'.
  tools(reads, { fetch, only: names });
  // @ts-expect-error at `{}`: Property 'fetch' is missing in type '{}' but required in type 'ToolOptions<…'.
  tools(reads, {});
  return tools(reads, { fetch, headers: { authorization: "Bearer ada" }, baseUrl: "https://api.example.com" });
}

export function writesMustBeNamed() {
  tools(api, { fetch, only: ["list"] });
  tools(api, { fetch, only: ["list", "remove"] });
  const only = ["list"] as const;
  tools(api, { fetch, only });
  tools(api, { fetch, ...{ only } });
  // @ts-expect-error at `{ fetch }`: Property 'only' is missing in type '{ fetch: (request: Request) => Response; }'
  //   but required in type '{ readonly only: readonly ("list" | "remove")[]; }'.
  tools(api, { fetch });
  // @ts-expect-error at `{ fetch, ...(flag ? { only } : {}) }`: Property 'only' is optional in type '{…' but required
  //   in type '{ readonly only: readonly ("list" | "remove")[]; }'.
  tools(api, { fetch, ...(flag ? { only } : {}) });
  // @ts-expect-error at `only`: Type 'undefined' is not assignable to type 'readonly ("list" | "remove")[]'.
  tools(api, { fetch, only: flag ? only : undefined });
  const maybe: { readonly only?: readonly ["list"] } = {};
  // @ts-expect-error at `{ fetch, ...maybe }`: Property 'only' is optional in type '{…' but required in type '{
  //   readonly only: readonly ("list" | "remove")[]; }'.
  tools(api, { fetch, ...maybe });
  // @ts-expect-error at `{ fetch }`: Property 'only' is missing in type '{ fetch: (request: Request) => Response; }'
  //   but required in type '{ readonly only: readonly "both"[]; }'.
  tools({ both }, { fetch });
  // @ts-expect-error at `{ fetch }`: Property 'only' is missing in type '{ fetch: (request: Request) => Response; }'
  //   but required in type '{ readonly only: readonly "any"[]; }'.
  tools({ any: endpoint.all("/any") }, { fetch });
  // @ts-expect-error at `{ fetch }`: Property 'only' is missing in type '{ fetch: (request: Request) => Response; }'
  //   but required in type '{ readonly only: readonly "any"[]; }'.
  tools({ any: endpoint.on(names, "/any") }, { fetch });
  // @ts-expect-error at `{ fetch }`: Property 'only' is missing in type '{ fetch: (request: Request) => Response; }'
  //   but required in type '{ readonly only: readonly "remove"[]; }'.
  tools({ remove: route.on(remove, { resolve: () => reply(204) }) }, { fetch });
  // @ts-expect-error at `{ fetch }`: Property 'only' is missing in type '{ fetch: (request: Request) => Response; }'
  //   but required in type '{ readonly only: readonly "either"[]; }'.
  tools({ either: flag ? list : remove }, { fetch });
  // @ts-expect-error at `{ fetch }`: Property 'only' is missing in type '{ fetch: (request: Request) => Response; }'
  //   but required in type '{ readonly only: readonly ("list" | "remove")[]; }'.
  tools({ list, remove: flag ? remove : undefined }, { fetch });
  // @ts-expect-error at `{ fetch }`: Property 'only' is missing in type '{ fetch: (request: Request) => Response; }'
  //   but required in type '{ readonly only: readonly ("list" | "remove")[]; }'.
  tools({ list, remove: flag && remove }, { fetch });
  // @ts-expect-error at `{ fetch }`: Property 'only' is missing in type '{ fetch: (request: Request) => Response; }'
  //   but required in type '{ readonly only: readonly "list"[]; }'.
  tools(flag ? reads : api, { fetch });
}
