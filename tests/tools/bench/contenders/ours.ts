import { allow, deny, route, setup } from "../../../../mod.ts";
import { standardSchema } from "../../../../src/standard_schema/mod.ts";
import { type Apps, findTitle, newBook, now, record, scopeOf, type User, userOf } from "../application.ts";
import { github } from "../github.ts";

/** This framework, as trusted with urls as the others, which check none. */
export const ours: Apps = createApps(true);

/** This framework, as it is by default: it checks urls. */
export const checked: Apps = createApps(false);

function createApps(trustUrl: boolean): Apps {
  const api = setup({
    trustUrl,
    validator: standardSchema,
    handlers: [
      route.get("/status", { resolve: () => new Response("ok") }),
      route.get("/users/:id", { resolve: (c) => new Response(c.raw.params.id) }),
      route.get("/files/*", { resolve: (c) => new Response(c.raw.params["*"]) }),
      route.get("/titles/:id", { resolve: async (c) => new Response(await findTitle(c.raw.params.id)) }),
      route.get("/search", {
        resolve: ({ raw: { query: { q, tag, limit } } }) => new Response(`${q} ${tag} ${limit}`),
      }),
      route.post("/books", {
        request: { body: newBook },
        resolve: ({ input }) =>
          input.ok ? Response.json(input.body) : Response.json({ issues: input.issues }, { status: 400 }),
      }),
    ],
  });

  const hooks = setup({
    trustUrl,
    onRequest: () => ({ since: now() }),
    handlers: [
      route.get("/account/:id", {
        guards: [authenticated, permitted],
        resolve: ({ locals, raw }) => new Response(`${locals.user.name} ${locals.scope} ${raw.params.id}`),
      }),
    ],
    onResponse: ({ response, locals }) => record(response.status, locals.since ?? 0),
  });

  const githubApi = setup({
    trustUrl,
    handlers: github.map(({ method, pattern, last }) =>
      route.on(method, pattern, {
        resolve: last === undefined ? () => new Response(pattern) : (c) => new Response(c.raw.params[last]),
      })
    ),
  });
  return { api: api.fetch, hooks: hooks.fetch, github: githubApi.fetch };
}

function authenticated({ request }: { readonly request: Request }) {
  const user = userOf(request.headers.get("authorization"));
  return user === undefined ? deny(new Response(null, { status: 401 })) : allow({ user });
}

function permitted({ locals }: { readonly locals: { readonly user: User } }) {
  const scope = scopeOf(locals.user);
  return scope === undefined ? deny(new Response(null, { status: 403 })) : allow({ scope });
}
