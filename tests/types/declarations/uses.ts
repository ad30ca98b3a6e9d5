/** A second package, which compiles against the declarations of the first, and emits its own. */
import { type Context, reply, route, setup } from "@fw/core";
import { createClient } from "@fw/core/client";
import * as derived from "./derived.ts";
import * as values from "./values.ts";

type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const exact = <_Same extends true>(): void => {};

// Scopes, guards and routes keep their locals, their parameters and their environment.
export const renamed = values.orgs.put("/name", {
  guards: [values.adminOnly],
  resolve: (c) => {
    exact<Exact<typeof c.locals, { user: { name: string } }>>();
    exact<Exact<typeof c.raw.params, { readonly orgId: string }>>();
    exact<Exact<typeof c.input.ok, true>>();
    return new Response(c.locals.user.name);
  },
});
export const app = setup({
  handlers: [renamed, values.hello, values.ticks, derived.ofGuard.get("", { resolve: () => new Response() })],
});
app.fetch(new Request("http://localhost/orgs/acme/name"), { database: "x" });
// @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
app.fetch(new Request("http://localhost/orgs/acme/name"));
// @ts-expect-error at `setup({ handlers: [values.identifiedRout…`: onRequest must return the local "requestId", which
//   route.with<{ requestId: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards
//   }) instead
setup({ handlers: [values.identifiedRoute] });
// @ts-expect-error at `values.members.put("/me")`: The endpoint demands the local "user": list a guard that adds it. If
//   onRequest returns it, use route.with<{ user: … }>()
setup({ handlers: [route.on(values.members.put("/me"), { resolve: () => new Response() })] });

// Endpoints keep what they declare, for servers and for clients.
export const shown = route.on(values.ofJson, {
  resolve: (c) => reply(200, { id: c.raw.params.id, title: "Emma", added: new Date(0) }),
});
// @ts-expect-error at `reply(404)`: This status is not declared, or it is declared with a body or with headers:
//   reply(status, body, { headers })
export const undeclared = route.on(values.ofJson, { resolve: () => reply(404) });
export const declared = values.declaredScope.get("/declared", {
  responses: { 204: {} },
  resolve: () => reply(204),
});
export const client = createClient({ ...values.api, taken: values.ofBody, streamed: derived.streamed });
export async function readAll() {
  const added = await client.ofHeaders();
  exact<Exact<typeof added.headers.location, string>>();
  exact<Exact<typeof added.headers.etag, string | undefined>>();
  exact<Exact<typeof added.body, { id: string; title: string; added: string; tags?: string[] }>>();
  const events = await client.ofEvents();
  for await (const { event, data } of events.body) if (event === "left") exact<Exact<typeof data, number>>();
  for await (const line of (await client.ofLines()).body) exact<Exact<typeof line.added, string>>();
  const several = await client.several();
  if (several.contentType === "text/csv") exact<Exact<typeof several.body, string>>();
  const other = await client.ofDefault();
  if (other.status === 418) exact<Exact<typeof other.body, { title: string; code: "missing" }>>();
  await client.ofForm({ body: { email: "ada@example.com" } });
  await client.taken({ body: { title: "7" } });
  return { added, events, several, other };
}

// What guards and replies are made of.
export const denies = (c: Context) => c.request.body ? values.replyMissing() : values.replyProblem();
export const problem = () => values.asProblem(409, { title: "Taken" });
export const listed = [...values.app.routes, ...values.both, derived.shownCopy];
export const ordered = route.post("/again", {
  guards: [values.signedIn],
  resolve: values.once((c, env: values.Env) => new Response(c.locals.user.name + env.database)),
});
