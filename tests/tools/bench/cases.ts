import { type Apps, type Fetch, findTitle } from "./application.ts";
import { github } from "./github.ts";

/** A request, and the answer that it must get. */
export interface Exchange {
  readonly path: string;
  readonly init: RequestInit;
  /** The text of the response, or `undefined` for an empty 404. */
  readonly answer: string | undefined;
}

/** A kind of request. */
export interface Case {
  readonly name: string;
  /** Which application answers. */
  readonly app: keyof Apps;
  /** The cheapest function that gives the answers. It needs no framework, and the others are compared with it. */
  readonly bare: Fetch;
  /** The requests, in the order in which they are made. */
  readonly exchanges: readonly Exchange[];
}

/** How many requests a case has: as many as the cache of a processor holds. */
export const RING = 1024;

/** Where the requests of all cases go. */
export const ORIGIN = "http://localhost:8000";

const staticRoutes = github.filter(({ method, last }) => method === "GET" && last === undefined);

/** All cases, in the order of the tables. Where the pattern allows it, each url has a number `n` of its own. */
export const CASES: readonly Case[] = [
  define("static", "api", () => new Response("ok"), () => ["/status", "ok"]),
  define("parameter", "api", ({ url }) => new Response(url.slice(-4)), (n) => [`/users/${n}`, n]),
  define("wildcard", "api", cut("/files/"), (n) => [`/files/css/site${n}.css`, `css/site${n}.css`]),
  define("GitHub static", "github", answerInOrder(createStatic), createStatic),
  define("GitHub short", "github", cut("/users/"), (n) => [`/users/ada${n}`, `ada${n}`]),
  define("GitHub long", "github", ({ url }) => new Response(url.slice(-13, -9)), (n) => [
    `/repos/ada${n}/engine${n}/pulls/${n}/comments`,
    n,
  ]),
  define("GitHub mix", "github", answerInOrder(createMix), createMix),
  define(
    "miss",
    "github",
    () => new Response(null, { status: 404 }),
    (n) => [`/repos/ada${n}/engine/nowhere`, undefined],
  ),
  define("async", "api", async ({ url }) => new Response(await findTitle(url.slice(-4))), (n) => [
    `/titles/${n}`,
    `Title of ${n}`,
  ]),
  define("query", "api", ({ url }) => {
    const n = url.slice(-4);
    return new Response(`jane austen ${n} novel,${n} ${n}`);
  }, (n) => [`/search?q=jane%20austen%20${n}&tag=novel&tag=${n}&limit=${n}`, `jane austen ${n} novel,${n} ${n}`]),
  define("JSON", "api", async (request) => {
    return new Response(await request.text(), { headers: { "content-type": "application/json" } });
  }, (n) => {
    const body = JSON.stringify({
      title: `Emma ${n}`,
      authorId: "jane-austen",
      year: 1815,
      tags: ["novel", "classic"],
    });
    return ["/books", body, { method: "POST", headers: { "content-type": "application/json" }, body }];
  }),
  define("hooks", "hooks", ({ url }) => new Response(`Ada write ${url.slice(-4)}`), (n) => [
    `/account/${n}`,
    `Ada write ${n}`,
    { headers: { authorization: "Bearer ada" } },
  ]),
];

type Creation = readonly [path: string, answer: string | undefined, init?: RequestInit];
/** Makes one request of a case, from a number of its own and its place in the order. */
type Create = (n: string, index: number) => Creation;

function define(
  name: string,
  app: keyof Apps,
  bare: Fetch,
  create: Create,
): Case {
  const exchanges = Array.from({ length: RING }, (_, index): Exchange => {
    const [path, answer, init = {}] = create(`${1000 + index}`, index);
    return { path, init, answer };
  });
  return { name, app, bare, exchanges };
}

/** Answers with what follows a prefix. */
function cut(prefix: string): Fetch {
  const start = ORIGIN.length + prefix.length;
  return ({ url }) => new Response(url.slice(start));
}

/** Every path of GitHub's without parameters in turn. */
function createStatic(_n: string, index: number): Creation {
  const { pattern = "" } = staticRoutes[index % staticRoutes.length] ?? {};
  return [pattern, pattern];
}

/** Every route of GitHub's in turn. */
function createMix(n: string, index: number): Creation {
  const { method, pattern, last } = github[index % github.length] ?? { method: "", pattern: "" };
  return [pattern.replaceAll(/:\w+/g, n), last === undefined ? pattern : n, { method }];
}

/** Answers the requests in their order, without reading them. */
function answerInOrder(create: Create): Fetch {
  const answers = Array.from({ length: RING }, (_, index) => create(`${1000 + index}`, index)[1]);
  let turn = 0;
  return () => new Response(answers[turn++ % RING]);
}
