import type { Apps } from "./contender.ts";
import { github } from "./github_routes.ts";

/** A request to be made. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What has to be answered: text, a value as JSON, or nothing with a 404. */
  readonly answer: string | object | undefined;
}

/** A kind of work, and the requests that ask for it, one after the other. */
export interface Case {
  readonly name: string;
  /** Which application answers. */
  readonly app: keyof Apps;
  /** Whether the handler waits for something. */
  readonly waits?: boolean;
  readonly exchanges: readonly Exchange[];
}

const book = { title: "Emma", authorId: "jane-austen", year: 1815, tags: ["novel", "classic"] };
const post: Exchange = {
  method: "POST",
  path: "/books",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(book),
  answer: book,
};

/** What a server would tell of the body; a request that is made in process comes without. */
const length = { "content-length": `${post.body?.length}` };

/** All cases, in the order of the tables. */
export const CASES: readonly Case[] = [
  { name: "static", app: "api", exchanges: [get("/status", "ok")] },
  { name: "parameter", app: "api", exchanges: [get("/users/42", "42")] },
  { name: "wildcard", app: "api", exchanges: [get("/files/css/site.css", "css/site.css")] },
  { name: "GitHub, static", app: "github", exchanges: [get("/user/repos", "/user/repos")] },
  { name: "GitHub, short", app: "github", exchanges: [get("/users/ada", "ada")] },
  { name: "GitHub, long", app: "github", exchanges: [get("/repos/ada/engine/pulls/42/comments", "42")] },
  {
    name: "GitHub, mix",
    app: "github",
    exchanges: github.map(({ method, path, answer }) => ({ method, path, answer })),
  },
  { name: "GitHub, miss", app: "github", exchanges: [get("/repos/ada/engine/nowhere", undefined)] },
  { name: "async", app: "api", waits: true, exchanges: [get("/titles/emma", "Title of emma")] },
  {
    name: "query",
    app: "api",
    exchanges: [get("/search?q=emma&tag=novel&tag=classic&limit=20", "emma novel,classic 20")],
  },
  { name: "JSON + zod", app: "api", exchanges: [post] },
  { name: "JSON + zod, bounded", app: "bounded", exchanges: [{ ...post, headers: { ...post.headers, ...length } }] },
  {
    name: "hooks and guards",
    app: "hooks",
    exchanges: [{ ...get("/account/42", "Ada write 42"), headers: { authorization: "Bearer ada" } }],
  },
];

function get(path: string, answer: string | undefined): Exchange {
  return { method: "GET", path, answer };
}
