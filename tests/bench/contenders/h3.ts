import { findTitle, MAX_BODY_BYTES, newBook, now, record, scopeOf, type User, userOf } from "../application.ts";
import { contend, type Contender } from "../contender.ts";
import { getQuery, H3, type H3Event, limitBodyOfH3, readValidatedBody } from "../dependencies.ts";
import { github } from "../github_routes.ts";

const createBook = async (event: H3Event) => await readValidatedBody(event, newBook);

const api = new H3()
  .get("/status", () => "ok")
  .get("/users/:id", (event) => event.context.params?.id)
  .get("/files/**:path", (event) => event.context.params?.path)
  .get("/titles/:id", async (event) => await findTitle(event.context.params?.id ?? ""))
  .get("/search", (event) => {
    const { q, tag, limit } = getQuery(event);
    return `${q} ${tag} ${limit}`;
  })
  .post("/books", createBook);

const bounded = new H3().post("/books", createBook, { middleware: [limitBodyOfH3(MAX_BODY_BYTES)] });

const authenticated = (event: H3Event) => {
  const user = userOf(event.req.headers.get("authorization"));
  if (user === undefined) return new Response(null, { status: 401 });
  event.context.user = user;
  return undefined;
};

const permitted = (event: H3Event) => {
  const scope = scopeOf(event.context.user as User);
  if (scope === undefined) return new Response(null, { status: 403 });
  event.context.scope = scope;
  return undefined;
};

const hooks = new H3({
  onRequest: (event) => {
    event.context.since = now();
  },
  onResponse: (response, event) => record(response.status, event.context.since as number),
}).get(
  "/account/:id",
  ({ context }) => `${(context.user as User).name} ${context.scope} ${context.params?.id}`,
  { middleware: [authenticated, permitted] },
);

const githubApi = new H3();
for (const { method, pattern, last, path } of github) {
  githubApi.on(method as "GET", pattern, last === undefined ? () => path : (event) => event.context.params?.[last]);
}
githubApi.all("/**", () => new Response(null, { status: 404 }));

/** h3, version 2. */
export const h3: Contender = contend("h3", {
  api: (request) => api.fetch(request),
  hooks: (request) => hooks.fetch(request),
  github: (request) => githubApi.fetch(request),
  bounded: (request) => bounded.fetch(request),
});
