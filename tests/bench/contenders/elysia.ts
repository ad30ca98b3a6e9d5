import { findTitle, newBook, now, record, scopeOf, userOf } from "../application.ts";
import { contend, type Contender } from "../contender.ts";
import { Elysia, type ElysiaContext, t } from "../dependencies.ts";
import { github } from "../github_routes.ts";

const api = new Elysia()
  .get("/status", () => "ok")
  .get("/users/:id", ({ params }) => params.id)
  .get("/files/*", ({ params }) => params["*"])
  .get("/titles/:id", async ({ params }) => await findTitle(params.id))
  .get("/search", ({ query: { q, tag, limit } }) => `${q} ${tag} ${limit}`, {
    query: t.Object({ q: t.String(), tag: t.Array(t.String()), limit: t.String() }),
  })
  .post("/books", ({ body }) => body, { body: newBook });

const hooks = new Elysia()
  .derive(() => ({ since: now() }))
  .onAfterHandle(({ set, since }) => record(Number(set.status ?? 200), since))
  .resolve(({ headers, status }) => {
    const user = userOf(headers.authorization);
    return user === undefined ? status(401) : { user };
  })
  .resolve(({ user, status }) => {
    const scope = scopeOf(user);
    return scope === undefined ? status(403) : { scope };
  })
  .get("/account/:id", ({ user, scope, params }) => `${user.name} ${scope} ${params.id}`);

const githubApi = new Elysia()
  .onError(({ code }) => code === "NOT_FOUND" ? new Response(null, { status: 404 }) : undefined);
for (const { method, pattern, last, path } of github) {
  githubApi.route(method, pattern, last === undefined ? () => path : ({ params }: ElysiaContext) => params[last]);
}

/** Elysia, which generates the code of its handlers. It leaves bounding a body to Bun. */
export const elysia: Contender = contend("Elysia", {
  api: (request) => api.fetch(request),
  hooks: (request) => hooks.fetch(request),
  github: (request) => githubApi.fetch(request),
});
