// The bundle has the build of h3 for Deno on every runtime: the one for Node.js makes responses that only its own server sends.
import { getQuery, H3, type H3Event, readValidatedBody } from "npm:h3@2.0.8";
import { type Apps, findTitle, newBook, now, record, scopeOf, type User, userOf } from "../application.ts";
import { github } from "../github.ts";

const api = new H3()
  .get("/status", () => "ok")
  .get("/users/:id", (event) => event.context.params?.id)
  .get("/files/**:path", (event) => event.context.params?.path)
  .get("/titles/:id", async (event) => await findTitle(event.context.params?.id ?? ""))
  .get("/search", (event) => {
    const { q, tag, limit } = getQuery(event);
    return `${q} ${tag} ${limit}`;
  })
  .post("/books", async (event) => await readValidatedBody(event, newBook));

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
for (const { method, pattern, last } of github) {
  githubApi.on(method as "GET", pattern, last === undefined ? () => pattern : (event) => event.context.params?.[last]);
}
githubApi.all("/**", () => new Response(null, { status: 404 }));

/** h3, version 2. */
export const h3: Apps = {
  api: (request) => api.fetch(request),
  hooks: (request) => hooks.fetch(request),
  github: (request) => githubApi.fetch(request),
};
