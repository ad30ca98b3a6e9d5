import { findTitle, MAX_BODY_BYTES, newBook, now, record, scopeOf, type User, userOf } from "../application.ts";
import { type Apps, contend, type Contender, type Fetch } from "../contender.ts";
import {
  type Env,
  Hono,
  type HonoContext as Context,
  limitBodyOfHono,
  type Next,
  RegExpRouter,
  zValidator,
} from "../dependencies.ts";
import { github } from "../github_routes.ts";

/** Hono with the router that it chooses itself: the RegExpRouter where it takes the routes, else the TrieRouter. */
export const hono: Contender = contend("Hono", { ...createApps(() => new Hono()), github: createGithub() });

/** Hono with the RegExpRouter. It refuses GitHub's routes: a literal and a parameter in the same place. */
export const honoRegExp: Contender = contend(
  "Hono RegExpRouter",
  createApps(() => new Hono({ router: new RegExpRouter() })),
);

function createApps(create: <E extends Env>() => Hono<E>): Apps {
  const api = create()
    .get("/status", (c) => c.text("ok"))
    .get("/users/:id", (c) => c.text(c.req.param("id")))
    .get("/files/:path{.+}", (c) => c.text(c.req.param("path")))
    .get("/titles/:id", async (c) => c.text(await findTitle(c.req.param("id"))))
    .get("/search", (c) => c.text(`${c.req.query("q")} ${c.req.queries("tag")} ${c.req.query("limit")}`))
    .post("/books", zValidator("json", newBook), (c) => c.json(c.req.valid("json")));

  const bounded = create()
    .post(
      "/books",
      limitBodyOfHono({ maxSize: MAX_BODY_BYTES }),
      zValidator("json", newBook),
      (c) => c.json(c.req.valid("json")),
    );

  const hooks = create<AccountEnv>()
    .use(measured)
    .get(
      "/account/:id",
      authenticated,
      permitted,
      (c) => c.text(`${c.var.user.name} ${c.var.scope} ${c.req.param("id")}`),
    );

  return { api: fetchOf(api), hooks: fetchOf(hooks), bounded: fetchOf(bounded) };
}

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

function createGithub(): Fetch {
  const app = new Hono().notFound((c) => c.body(null, 404));
  for (const { method, pattern, last, path } of github) {
    app.on(method, pattern, last === undefined ? (c) => c.text(path) : (c) => c.text(c.req.param(last) ?? ""));
  }
  return fetchOf(app);
}

function fetchOf(app: { fetch(request: Request): Response | Promise<Response> }): Fetch {
  return (request) => app.fetch(request);
}
