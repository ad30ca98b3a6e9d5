import { zValidator } from "npm:@hono/zod-validator@0.9.1";
import { type Context, Hono, type Next } from "npm:hono@4.13.19";
import { type Apps, findTitle, newBook, now, record, scopeOf, type User, userOf } from "../application.ts";
import { github } from "../github.ts";

const api = new Hono()
  .get("/status", (c) => c.text("ok"))
  .get("/users/:id", (c) => c.text(c.req.param("id")))
  .get("/files/:path{.+}", (c) => c.text(c.req.param("path")))
  .get("/titles/:id", async (c) => c.text(await findTitle(c.req.param("id"))))
  .get("/search", (c) => c.text(`${c.req.query("q")} ${c.req.queries("tag")} ${c.req.query("limit")}`))
  .post("/books", zValidator("json", newBook), (c) => c.json(c.req.valid("json")));

type AccountEnv = { Variables: { since: number; user: User; scope: string } };

async function measured(c: Context<AccountEnv>, next: Next): Promise<void> {
  c.set("since", now());
  await next();
  record(c.res.status, c.var.since);
}

async function authenticated(c: Context<AccountEnv>, next: Next): Promise<Response | void> {
  const user = userOf(c.req.header("authorization"));
  if (user === undefined) return c.body(null, 401);
  c.set("user", user);
  await next();
}

async function permitted(c: Context<AccountEnv>, next: Next): Promise<Response | void> {
  const scope = scopeOf(c.var.user);
  if (scope === undefined) return c.body(null, 403);
  c.set("scope", scope);
  await next();
}

const hooks = new Hono<AccountEnv>()
  .use(measured)
  .get("/account/:id", authenticated, permitted, (c) => {
    return c.text(`${c.var.user.name} ${c.var.scope} ${c.req.param("id")}`);
  });

const githubApi = new Hono().notFound((c) => c.body(null, 404));
for (const { method, pattern, last } of github) {
  githubApi.on(method, pattern, last === undefined ? (c) => c.text(pattern) : (c) => c.text(c.req.param(last) ?? ""));
}

/** Hono with the router that it chooses itself: the RegExpRouter where it takes the routes, else the TrieRouter. */
export const hono: Apps = {
  api: (request) => api.fetch(request),
  hooks: (request) => hooks.fetch(request),
  github: (request) => githubApi.fetch(request),
};
