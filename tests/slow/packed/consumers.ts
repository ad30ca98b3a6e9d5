/** What projects contain that use the package: as an application, as a library, as a client. */

/** The versions of TypeScript that must keep what the tests of types say. The first is the oldest that the manual promises. */
export const TYPESCRIPTS: readonly string[] = ["5.4.5", "5.9.3", "6.0.3", "7.0.2"];

const IMPORTS = `
import { allow, deny, endpoint, reply, route, setup } from "@fw/core";
import { createClient } from "@fw/core/client";
import { openapi } from "@fw/core/openapi";
import { standardSchema } from "@fw/core/standard-schema";
import { fuzz, holdToEndpoints } from "@fw/core/testing";
`;
/** What a program sees of the module: routing, params, a validated query, locals from a guard. */
const SEEN = `
const limit = { "~standard": { version: 1, vendor: "own", validate: (query) => ({ value: Number(query.limit) }) } };
const ping = endpoint.get("/ping/:n", { responses: { 200: { schema: limit } } });
const app = setup({
  validator: standardSchema,
  handlers: [
    route.on(ping, { resolve: (c) => reply(200, c.raw.params.n) }),
    route.get("/books/:id", {
      request: { query: limit },
      guards: [() => allow({ user: "ada" })],
      resolve: (c) => Response.json([c.raw.params.id, c.input.ok && c.input.query, c.locals.user]),
    }),
    route.get("/closed", { guards: [() => deny(new Response(null, { status: 403 }))], resolve: () => new Response() }),
  ],
});
const found = await app.fetch(new Request("http://localhost/books/emma?limit=3"));
const closed = await app.fetch(new Request("http://localhost/closed"));
const { paths } = openapi({ info: { title: "Books", version: "1" }, routes: app.routes, unrepresentable: "any" });
const held = holdToEndpoints({ ping }, app);
const pong = await createClient({ ping }, { fetch: held.fetch }).ping({ params: { n: 7 } });
const seen = [await found.json(), closed.status, Object.keys(paths), pong.body, held.unseen()];
`;
/** Prints it. */
export const PROGRAM = `${IMPORTS}${SEEN}console.log(JSON.stringify(seen));`;
/** Responds with it, as a Worker: these may do nothing before a request. */
export const WORKER = `${IMPORTS}export default { async fetch() { ${SEEN} return Response.json(seen); } };`;
export const PRINTED = '[["emma",3,"ada"],403,["/ping/{n}","/books/{id}","/closed"],"7",[]]';

/** A program for Node.js: each bundler bundles two modules, as its documentation says. */
export const BUNDLE = `
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { build } from "esbuild";
import { rollup } from "rollup";
import webpack from "webpack";

for (const name of ["program", "unused"]) {
  const entry = "./" + name + ".mjs";
  await build({ entryPoints: [entry], outfile: "dist/esbuild/" + name + ".mjs", bundle: true, format: "esm" });
  const rolled = await rollup({ input: entry, plugins: [nodeResolve()], external: [/^node:/], onLog() {} });
  await rolled.write({ file: "dist/rollup/" + name + ".mjs", inlineDynamicImports: true });
  const compiler = webpack({
    mode: "production",
    entry,
    target: ["node20", "es2022"],
    experiments: { outputModule: true },
    output: { path: process.cwd() + "/dist/webpack", filename: name + ".mjs", module: true },
  });
  await new Promise((resolve, reject) =>
    compiler.run((error, stats) => error || stats.hasErrors() ? reject(error ?? stats.toString()) : resolve())
  );
}
`;

/** Compiles only if the declarations keep the inferred types of params, input and locals. */
export const CONSUMER = `
import { allow, type App, type Context, deny, endpoint, route, setup, type Validator } from "@fw/core";
import { createClient } from "@fw/core/client";
import { openapi, type OpenApiDocument } from "@fw/core/openapi";
import { standardSchema } from "@fw/core/standard-schema";

interface Schema<Output> {
  readonly "~standard": { readonly version: 1; readonly vendor: string; readonly types?: { readonly input: unknown; readonly output: Output } };
}
declare const limit: Schema<{ limit: number }>;
declare const title: Schema<{ title: string }>;
type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const exact = <_Same extends true>(): void => {};

const authenticated = (c: Context) =>
  c.request.headers.has("authorization") ? allow({ user: { name: "Ada", role: "admin" } }) : deny(new Response());
const adminOnly = (c: Context<{ user: { role: string } }>) => c.locals.user.role === "admin" ? allow() : deny(new Response());

export const app: App = setup({
  validator: standardSchema satisfies Validator,
  handlers: [
    route.post("/orgs/:orgId/*", {
      request: { query: limit, body: title },
      guards: [authenticated, adminOnly, () => allow({ count: 1 })],
      resolve: (c) => {
        exact<Exact<typeof c.raw.params, { readonly orgId: string; readonly "*": string }>>();
        exact<Exact<typeof c.locals.user, { name: string; role: string }>>();
        exact<Exact<typeof c.locals.count, number>>();
        // @ts-expect-error: no such parameter
        c.raw.params.orgID;
        // @ts-expect-error: no such local
        c.locals.nobody;
        if (!c.input.ok) {
          // @ts-expect-error: invalid input has no values
          c.input.query;
          return Response.json(c.input.issues, { status: 400 });
        }
        exact<Exact<typeof c.input.query, { limit: number }>>();
        exact<Exact<typeof c.input.body, { title: string }>>();
        exact<Exact<typeof c.input.params, undefined>>();
        return Response.json(c.input.body.title.repeat(c.input.query.limit));
      },
    }),
    route.with<{ id: string }>().get("/whoami", { resolve: (c) => new Response(c.locals.id) }),
  ],
  onRequest: () => ({ id: "x" }),
});

const api = { show: endpoint.get("/books/:id", { request: { query: limit }, responses: { 200: { schema: title } } }) };
const shown = await createClient(api).show({ params: { id: 7 }, query: { limit: "3" } });
exact<Exact<typeof shown.status, 200>>();
exact<Exact<typeof shown.body, { title: string }>>();
// @ts-expect-error: no such parameter
createClient(api).show({ params: { ID: 7 } });


interface Query {
  readonly "~standard": { readonly types?: { readonly input: { limit?: unknown; from: unknown }; readonly output: unknown } };
}
declare const query: Query;
const more = createClient({
  list: endpoint.get("/", { request: { query }, responses: { 204: {} } }),
  file: endpoint.on(["GET", "HEAD"], "/file", { responses: { 200: { schema: title } } }),
});
await more.list({ query: { limit: undefined, from: 1 } });
// @ts-expect-error: a key that the schema requires
await more.list({ query: { limit: undefined, from: undefined } });
const [got, head] = [await more.file({ method: "GET" }), await more.file({ method: "HEAD" })];
exact<Exact<typeof got.body, { title: string }>>();
exact<Exact<typeof head.body, undefined>>();
// @ts-expect-error: the method is missing
await more.file({});

export const document: OpenApiDocument = openapi({ info: { title: "Books", version: "1" }, routes: app.routes });
// @ts-expect-error: no info
openapi({ routes: app.routes });

// @ts-expect-error: onRequest does not return the locals that the route needs
setup({ handlers: [route.with<{ id: string }>().get("/whoami", { resolve: (c) => new Response(c.locals.id) })] });
// @ts-expect-error: no guard adds the user that the guard needs
route.get("/", { guards: [adminOnly], resolve: () => new Response() });

const bound = setup({ handlers: [route.get("/", { resolve: (_c, env: { KEY: string }) => new Response(env.KEY) })] });
bound.fetch(new Request("http://localhost/"), { KEY: "x" });
// @ts-expect-error: the environment is missing
bound.fetch(new Request("http://localhost/"));
`;

/** A file with a result that is dropped. */
export const LINTED = `
import { allow, type Context, deny, reply } from "@fw/core";
export const signedIn = (c: Context): unknown => {
  if (!c.request.headers.has("authorization")) deny(reply(401));
  // eslint-disable-next-line fw/no-dropped-result
  if (!c.request.headers.has("cookie")) deny(reply(401));
  return allow();
};
`;

/** The exports of a package that shares its routes. */
export const ROUTES = `
import { allow, type Context, deny, denyInvalid, endpoint, reply, route, setup } from "@fw/core";
export const hello = route.get("/hello/:name", { resolve: (c) => new Response(c.raw.params.name) });
export const authenticated = (c: Context) => c.request.headers.has("x") ? allow({ user: "ada" }) : deny(new Response());
export const valid = denyInvalid(() => new Response(null, { status: 400 }));
export const orgs = route.with({ prefix: "/orgs/:orgId", guards: [authenticated, valid] });
export const members = orgs.get("/members", { resolve: (c) => new Response(c.locals.user + c.raw.params.orgId) });
export const app = setup({ handlers: [hello, members] });
interface Schema<Value> {
  readonly "~standard": { readonly types?: { readonly input: Value; readonly output: Value } };
}
declare const book: Schema<{ id: string }>;
export const showBook = endpoint.get("/books/:id", { request: { query: book }, responses: { 200: { schema: book } } });
export const v1 = endpoint.with({ prefix: "/v1", responses: { 401: {} } });
export const shown = route.on(showBook, { resolve: () => reply(200, { id: "1" }) });
export const listed = orgs.get("/books", { responses: { 204: {} }, resolve: () => reply(204) });
export const gone = () => reply(404, { code: "gone" });
export const closed = () => deny(reply(503));
export const member = endpoint.with<{ user: string }>().with<{ org: number }>();
export const removeBook = member.delete("/books/:id", { responses: { 204: {} } });
export const removed = route.on(removeBook, { guards: [authenticated, () => allow({ org: 7 })], resolve: () => reply(204) });
export const needs = route.with<{ a: 1; b: 2 }>().get("/", {
  guards: [(c: Context<{ b: 2 }>) => allow({ sum: c.locals.b })],
  resolve: () => new Response(),
});
export const adds = route.with({ guards: [authenticated, () => allow({ sum: 3 })] });
export const inner = setup({ handlers: [needs], onRequest: () => ({ a: 1 as const, b: 2 as const }) });
`;

/** A client of endpoints that are published without their schemas. */
export const CLIENT = `
import { createClient } from "@fw/core/client";
import * as api from "./api.js";
const client = createClient(api, {
  fetch: async (request) => {
    console.log(request.method, new URL(request.url).pathname, await request.text());
    return Response.json({ id: "emma", title: "Emma" }, { status: 201 });
  },
});
const added = await client.addBook({ body: { title: "Emma" } });
if (added.status === 201) console.log(added.body.title satisfies string);
if (added.status === 409) added.body.code satisfies "taken";
export function mistakes() {
  // @ts-expect-error: a misspelt key of the body
  client.addBook({ body: { titel: "Emma" } });
  // @ts-expect-error: a misspelt key of the answer
  if (added.status === 201) added.body.titel;
  // @ts-expect-error: a status that is not declared
  if (added.status === 404) added.body;
  // @ts-expect-error: params are missing
  client.showBook({});
}
`;
