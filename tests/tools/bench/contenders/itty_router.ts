import { type IRequest, IttyRouter, json, Router } from "npm:itty-router@6.0.0";
import { type Apps, findTitle, newBook, now, record, scopeOf, userOf } from "../application.ts";
import { github } from "../github.ts";

const api = IttyRouter()
  .get("/status", () => new Response("ok"))
  .get("/users/:id", ({ params }) => new Response(params.id))
  .get("/files/:path+", ({ params }) => new Response(params.path))
  .get("/titles/:id", async ({ params }) => new Response(await findTitle(params.id ?? "")))
  .get("/search", ({ query: { q, tag, limit } }) => new Response(`${q} ${tag} ${limit}`))
  .post("/books", async (request) => {
    const result = newBook.safeParse(await request.json());
    return result.success ? json(result.data) : json(result.error.issues, { status: 400 });
  });

const authenticated = (request: IRequest) => {
  request.user = userOf(request.headers.get("authorization"));
  if (request.user === undefined) return new Response(null, { status: 401 });
  return undefined;
};

const permitted = (request: IRequest) => {
  request.scope = scopeOf(request.user);
  if (request.scope === undefined) return new Response(null, { status: 403 });
  return undefined;
};

const hooks = Router({
  before: [(request: IRequest) => {
    request.since = now();
  }],
  finally: [(response: Response, request: IRequest) => record(response.status, request.since)],
}).get(
  "/account/:id",
  authenticated,
  permitted,
  ({ user, scope, params }) => new Response(`${user.name} ${scope} ${params.id}`),
);

const githubApi = IttyRouter();
for (const { method, pattern, last } of github) {
  githubApi[method.toLowerCase()]?.(
    pattern,
    last === undefined ? () => new Response(pattern) : ({ params }: IRequest) => new Response(params[last]),
  );
}
githubApi.all("*", () => new Response(null, { status: 404 }));

/** itty-router, with the smallest of its routers that does the work. */
export const ittyRouter: Apps = {
  api: (request) => api.fetch(request),
  hooks: (request) => hooks.fetch(request),
  github: (request) => githubApi.fetch(request),
};
