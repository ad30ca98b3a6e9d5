import { findTitle, newBook, now, record, scopeOf, type User, userOf } from "../application.ts";
import { contend, type Contender } from "../contender.ts";
import { createContextKey, createRouter, type Middleware } from "../dependencies.ts";
import { github } from "../github_routes.ts";

const api = createRouter();
api.get("/status", () => new Response("ok"));
api.get("/users/:id", ({ params }) => new Response(params.id));
api.get("/files/*path", ({ params }) => new Response(params.path));
api.get("/titles/:id", async ({ params }) => new Response(await findTitle(params.id)));
api.get(
  "/search",
  ({ url: { searchParams: query } }) => new Response(`${query.get("q")} ${query.getAll("tag")} ${query.get("limit")}`),
);
api.post("/books", async ({ request }) => {
  const result = newBook.safeParse(await request.json());
  return result.success ? Response.json(result.data) : Response.json(result.error.issues, { status: 400 });
});

const CurrentUser = createContextKey<User>();
const Scope = createContextKey<string>();

const measured: Middleware = async (_context, next) => {
  const since = now();
  const response = await next();
  record(response.status, since);
  return response;
};

const authenticated: Middleware<{ key: typeof CurrentUser; value: User }> = (context, next) => {
  const user = userOf(context.request.headers.get("authorization"));
  if (user === undefined) return new Response(null, { status: 401 });
  context.set(CurrentUser, user);
  return next();
};

const permitted: Middleware<{ key: typeof Scope; value: string }> = (context, next) => {
  const scope = scopeOf(context.get(CurrentUser) ?? { name: "", role: "" });
  if (scope === undefined) return new Response(null, { status: 403 });
  context.set(Scope, scope);
  return next();
};

const hooks = createRouter({ middleware: [measured] });
hooks.get("/account/:id", {
  middleware: [authenticated, permitted],
  handler: (context) => new Response(`${context.get(CurrentUser).name} ${context.get(Scope)} ${context.params.id}`),
});

const githubApi = createRouter({ defaultHandler: () => new Response(null, { status: 404 }) });
for (const { method, pattern, last, path } of github) {
  githubApi.route(
    method as "GET",
    pattern,
    last === undefined ? () => new Response(path) : ({ params }) => new Response(params[last]),
  );
}

/** The router of Remix. */
export const fetchRouter: Contender = contend("fetch-router", {
  api: (request) => api.fetch(request),
  hooks: (request) => hooks.fetch(request),
  github: (request) => githubApi.fetch(request),
});
