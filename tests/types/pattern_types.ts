/**
 * Paths that `setup` would reject, in routes, endpoints and scopes. If this file compiles, the tests have passed: no
 * function is called.
 */
import { endpoint, route, setup } from "../../mod.ts";
import { z } from "zod";

const resolve = () => new Response();
const org = route.with({ prefix: "/orgs/:id" });

/** A path begins with a slash. */
export function slashes(dynamic: string, base: `/${string}`) {
  // @ts-expect-error at `"notes"`: A path begins with a slash: write "/" before it
  route.get("notes", { resolve });
  // @ts-expect-error at `""`: A path begins with a slash: write "/" before it
  route.get("", { resolve });
  // @ts-expect-error at `"notes"`: A path begins with a slash: write "/" before it
  route.on(["GET", "HEAD"], "notes", { resolve });
  // @ts-expect-error at `"notes"`: A path begins with a slash: write "/" before it
  org.get("notes", { resolve });
  // @ts-expect-error at `"notes"`: A path begins with a slash: write "/" before it
  endpoint.get("notes");
  // @ts-expect-error at `"notes/:id"`: A path begins with a slash: write "/" before it
  endpoint.on("GET", "notes/:id");
  // @ts-expect-error at `"notes"`: A path begins with a slash: write "/" before it
  endpoint.with({ prefix: "/v1" }).get("notes");
  // The path of a prefix itself is empty.
  org.get("", { resolve });
  // How these begin is not known.
  route.get(dynamic, { resolve: (c) => new Response(c.raw.params.any) });
  route.get(`${dynamic}/:id`, { resolve: (c) => new Response(c.raw.params.id) });
  route.get(`${base}/:id`, { resolve: (c) => new Response(c.raw.params.id) });
  endpoint.get(dynamic);
}

/** A path may be a type parameter. */
export function wrappers() {
  const get = <const Path extends string>(path: Path) => route.get(path, { resolve });
  const getBelow = <const Path extends `/${string}`>(path: Path) => route.get(path, { resolve });
  const describe = <const Path extends string>(path: Path) => endpoint.get(path);
  setup({ handlers: [get("/"), getBelow("/notes"), route.on(describe("/notes/:id"), { resolve })] });
}

/** Each parameter has a name of its own. */
export function names() {
  // @ts-expect-error at `id`: The path has ":id" twice: give each parameter a name of its own
  route.get("/a/:id/b/:id", { resolve: (c) => new Response(c.raw.params.id) });
  // @ts-expect-error at `b`: The path has ":id" twice: give each parameter a name of its own
  //   at `id`: The path has ":id" twice: give each parameter a name of its own
  route.get("/:id+/b/:b/:id", { resolve: (c) => new Response(c.raw.params.b + c.raw.params.id) });
  // @ts-expect-error at `id`: The path has ":id" twice: give each parameter a name of its own
  org.get("/notes/:id", { resolve: (c) => new Response(c.raw.params.id) });
  // @ts-expect-error at `params`: The path has ":id" twice: give each parameter a name of its own
  org.get("/notes/:id", { request: { params: z.object({ id: z.string() }) }, resolve });
  org.get("/notes/:noteId", { resolve: (c) => new Response(c.raw.params.id + c.raw.params.noteId) });
  route.get("/:id/:ids/:i/id", { resolve: (c) => new Response(c.raw.params.id + c.raw.params.ids + c.raw.params.i) });
  // A literal colon.
  route.get("/a\\:id/:id", { resolve: (c) => new Response(c.raw.params.id) });
}
