import { findTitle, MAX_BODY_BYTES, newBook, now, record, scopeOf, userOf } from "../application.ts";
import { contend, type Contender } from "../contender.ts";
import { github } from "../github_routes.ts";

/** What one writes who needs no framework. */
export const handWritten: Contender = contend("hand-written", {
  api(request) {
    const url = new URL(request.url);
    const { pathname } = url;
    if (request.method === "POST") return pathname === "/books" ? createBook(request) : notFound();
    if (request.method !== "GET") return notFound();
    if (pathname === "/status") return new Response("ok");
    if (pathname === "/search") {
      const query = url.searchParams;
      return new Response(`${query.get("q")} ${query.getAll("tag")} ${query.get("limit")}`);
    }
    if (pathname.startsWith("/files/")) return new Response(decodeURIComponent(pathname.slice("/files/".length)));
    const [, collection, id, ...rest] = pathname.split("/");
    if (id === undefined || rest.length > 0) return notFound();
    if (collection === "users") return new Response(decodeURIComponent(id));
    if (collection === "titles") return findTitle(decodeURIComponent(id)).then((title) => new Response(title));
    return notFound();
  },

  hooks(request) {
    const since = now();
    const response = readAccount(request);
    record(response.status, since);
    return response;
  },

  github(request) {
    const segments = new URL(request.url).pathname.split("/");
    for (const route of githubRoutes.get(`${request.method} ${segments.length}`) ?? []) {
      if (route.segments.every((segment, index) => segment === undefined || segment === segments[index])) {
        return new Response(route.last < 0 ? route.path : decodeURIComponent(segments[route.last] ?? ""));
      }
    }
    return notFound();
  },

  async bounded(request) {
    if (Number(request.headers.get("content-length")) > MAX_BODY_BYTES) return new Response(null, { status: 413 });
    return await createBook(request);
  },
});

async function createBook(request: Request): Promise<Response> {
  const result = newBook.safeParse(await request.json());
  return result.success ? Response.json(result.data) : Response.json(result.error.issues, { status: 400 });
}

function readAccount(request: Request): Response {
  const [, collection, id] = new URL(request.url).pathname.split("/");
  if (request.method !== "GET" || collection !== "account" || id === undefined) return notFound();
  const user = userOf(request.headers.get("authorization"));
  if (user === undefined) return new Response(null, { status: 401 });
  const scope = scopeOf(user);
  if (scope === undefined) return new Response(null, { status: 403 });
  return new Response(`${user.name} ${scope} ${decodeURIComponent(id)}`);
}

/** By method and number of segments; those with fewer parameters first. A parameter is an `undefined` segment. */
const githubRoutes = new Map<string, GithubSegments[]>();
for (const { method, pattern, path } of github) {
  const segments = pattern.split("/").map((segment) => segment.startsWith(":") ? undefined : segment);
  const key = `${method} ${segments.length}`;
  const rivals = [...githubRoutes.get(key) ?? [], { path, segments, last: segments.lastIndexOf(undefined) }];
  githubRoutes.set(key, rivals.sort((a, b) => parametersIn(a.segments) - parametersIn(b.segments)));
}

interface GithubSegments {
  readonly path: string;
  readonly segments: readonly (string | undefined)[];
  readonly last: number;
}

function parametersIn(segments: readonly (string | undefined)[]): number {
  return segments.filter((segment) => segment === undefined).length;
}

function notFound(): Response {
  return new Response(null, { status: 404 });
}
