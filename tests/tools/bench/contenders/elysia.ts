import { type Context, Elysia, t } from "npm:elysia@1.4.30";
import { type Apps, findTitle, newBook, now, record, scopeOf, userOf } from "../application.ts";
import { github } from "../github.ts";

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
for (const { method, pattern, last } of github) {
  githubApi.route(method, pattern, last === undefined ? () => pattern : ({ params }: Context) => params[last]);
}

/** Elysia. It generates the code of `fetch` at the first request, and replaces the property. */
export const elysia: Apps = {
  api: (request) => api.fetch(request),
  hooks: (request) => hooks.fetch(request),
  github: (request) => githubApi.fetch(request),
};
