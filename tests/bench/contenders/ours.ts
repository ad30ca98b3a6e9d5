import { allow, type Context, deny, type Route, route, setup, type Validator } from "../../../mod.ts";
import { findTitle, MAX_BODY_BYTES, newBook, now, record, scopeOf, type User, userOf } from "../application.ts";
import { contend, type Contender } from "../contender.ts";
import { z } from "../dependencies.ts";
import { github } from "../github_routes.ts";

const validator: Validator = {
  validate(schema, input, part) {
    if (!(schema instanceof z.core.$ZodType)) throw new TypeError("A schema here is one of Zod");
    const result = z.safeParse(schema, input);
    if (result.success) return { ok: true, value: result.data };
    const issues = result.error.issues.map(({ path, message, code }) => ({
      part,
      path: path.map(String),
      message,
      code,
    }));
    return { ok: false, issues, error: result.error };
  },
};

const createBook = route.post("/books", {
  request: { body: newBook },
  resolve: ({ input }) =>
    input.ok ? Response.json(input.body) : Response.json({ issues: input.issues }, { status: 400 }),
});

const api = setup({
  validator,
  handlers: [
    route.get("/status", { resolve: () => new Response("ok") }),
    route.get("/users/:id", { resolve: (c) => new Response(c.raw.params.id) }),
    route.get("/files/*", { resolve: (c) => new Response(c.raw.params["*"]) }),
    route.get("/titles/:id", { resolve: async (c) => new Response(await findTitle(c.raw.params.id)) }),
    route.get("/search", {
      resolve: ({ raw: { query: { q, tag, limit } } }) => new Response(`${q} ${tag} ${limit}`),
    }),
    createBook,
  ],
});

const bounded = setup({ validator, maxBodyBytes: MAX_BODY_BYTES, handlers: [createBook] });

const authenticated = (c: Context) => {
  const user = userOf(c.request.headers.get("authorization"));
  return user === undefined ? deny(new Response(null, { status: 401 })) : allow({ user });
};

const permitted = (c: Context<{ user: User }>) => {
  const scope = scopeOf(c.locals.user);
  return scope === undefined ? deny(new Response(null, { status: 403 })) : allow({ scope });
};

const hooks = setup({
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
  handlers: github.map(({ method, pattern, last, path }): Route =>
    route.on(method, pattern, {
      resolve: last === undefined ? () => new Response(path) : (c) => new Response(c.raw.params[last]),
    })
  ),
});

/** This framework. */
export const ours: Contender = contend("ours", {
  api: api.fetch,
  hooks: hooks.fetch,
  github: githubApi.fetch,
  bounded: bounded.fetch,
});
