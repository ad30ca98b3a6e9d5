/**
 * Packs the module as JavaScript with declarations, as JSR does for npm, and installs it into empty projects. There it must run
 * and keep its types.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { gzipSync } from "node:zlib";
import { createQueue } from "../../../examples/shared/queue.ts";
import { assertReported, MISTAKES, moduleOf } from "../types/mistakes.ts";
import { BUN, bundle, findProgram, run } from "../runtimes/programs.ts";
import { assertQuoted, README_MISTAKES, readmeModules } from "../../support/readme_sample.ts";
import { ROOT } from "../../support/server_process.ts";

const TYPESCRIPT = "typescript@6.0.3";
/** Its compiler, from a folder of the project that has it. */
const TSC = "../node_modules/typescript/bin/tsc";
/** The versions of TypeScript that must keep what the tests of types say. The first is the oldest that REFERENCE.md promises. */
const TYPESCRIPTS = ["5.4.5", "5.9.3", "6.0.3", "7.0.2"];
/** The tests of types that import nothing but the module, schema libraries and the types of `@std/testing`. */
const TYPE_TESTS =
  "input locals handler scope setup reply sent contract endpoint examples client events compatible tools presence needs"
    .split(" ").concat("idempotency", "mock")
    .map((of) => `${of}_types_test.ts`);
/** Where the packed module has what these tests, and the mistakes, import. */
const PACKED: Readonly<Record<string, string>> = {
  "./mod.ts": "@fw/core",
  "../../mod.ts": "@fw/core",
  "../../../mod.ts": "@fw/core",
  "../../src/client/mod.ts": "@fw/core/client",
  "../../src/client/json_of.ts": "./node_modules/@fw/core/src/client/json_of.js",
  "../../src/events/mod.ts": "@fw/core/events",
  "../../src/form/mod.ts": "@fw/core/form",
  "../../src/hooks/mod.ts": "@fw/core/hooks",
  "../../src/idempotency/mod.ts": "@fw/core/idempotency",
  "../../src/testing/mod.ts": "@fw/core/testing",
  "../../src/tools/mod.ts": "@fw/core/tools",
  "../../src/session/mod.ts": "@fw/core/session",
  "../doors/client/client_api.ts": "./client_api.js",
  "@std/testing/types": "./testing_types.js",
};

/** An error that `tsc` prints: the number of the mistake, line, column and text. */
const ERROR = /^mistake(\d+)\.ts\((\d+),(\d+)\): error TS\d+: ([^]*)/;

/** The text of a module that imports the installed package in place of the checkout. */
const ofPackage = (text: string) => text.replace(/(?<= from )"(.*)"/g, (_, module) => `"${PACKED[module] ?? module}"`);

const granted = (["read", "run", "write"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

/** Prints what a program sees of the module: routing, params, a validated query, locals from a guard. */
const PROGRAM = `
import { allow, deny, endpoint, reply, route, setup } from "@fw/core";
import { createClient } from "@fw/core/client";
import { openapi } from "@fw/core/openapi";
import { standardSchema } from "@fw/core/standard-schema";
import { fuzz, holdToEndpoints } from "@fw/core/testing";

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
console.log(JSON.stringify([await found.json(), closed.status, Object.keys(paths), pong.body, held.unseen()]));
`;
const PRINTED = '[["emma",3,"ada"],403,["/ping/{n}","/books/{id}","/closed"],"7",[]]';

const UNUSED = `
import { allow, beforeBody, deny, denyInvalid, endpoint, reply, route, setup } from "@fw/core";
import { events, lines, replyEvents, replyLines, resume } from "@fw/core/events";
import { byteRange, preconditions, serveFiles, strongTag, weakTag } from "@fw/core/files";
import { form } from "@fw/core/form";
import { createMemoryStore, idempotent } from "@fw/core/idempotency";
import * as postgres from "@fw/core/postgres";
import * as redis from "@fw/core/redis";
import * as sqlite from "@fw/core/sqlite";
import { accessLog, compose, cors, requestId, securityHeaders, serverTiming, unmatched, withHead } from "@fw/core/hooks";
import { compatible, openapi } from "@fw/core/openapi";
import { standardSchema } from "@fw/core/standard-schema";
import { fuzz, holdToEndpoints } from "@fw/core/testing";
import { tools } from "@fw/core/tools";
`;

/** Compiles only if the declarations keep the inferred types of params, input and locals. */
const CONSUMER = `
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
setup({ handlers: [route.get("/", { guards: [adminOnly], resolve: () => new Response() })] });

const bound = setup({ handlers: [route.get("/", { resolve: (_c, env: { KEY: string }) => new Response(env.KEY) })] });
bound.fetch(new Request("http://localhost/"), { KEY: "x" });
// @ts-expect-error: the environment is missing
bound.fetch(new Request("http://localhost/"));
`;

/** A file with a result that is dropped. */
const LINTED = `
import { allow, type Context, deny, reply } from "@fw/core";
export const signedIn = (c: Context): unknown => {
  if (!c.request.headers.has("authorization")) deny(reply(401));
  // eslint-disable-next-line fw/no-dropped-result
  if (!c.request.headers.has("cookie")) deny(reply(401));
  return allow();
};
`;

/** The exports of a package that shares its routes. */
const ROUTES = `
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
`;

/** A client of endpoints that are published without their schemas. */
const CLIENT = `
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

(granted ? describe : describe.skip)("the packed module", () => {
  let directory = "";
  const packed = () => `${directory}/core.tgz`;
  /** What each compiler prints of these tests and mistakes. They begin at once, because they take most of the time. */
  let compiled: ReturnType<typeof compileOnEach> | undefined;
  before(async () => {
    directory = await Deno.makeTempDir();
    await run(Deno.execPath(), ["pack", "--quiet", "--allow-dirty", `--output=${packed()}`]);
    compiled = compileOnEach();
    await install("plain", []);
    await install("typed", [TYPESCRIPT]);
  });
  after(async () => {
    await Promise.allSettled([compiled?.types, compiled?.mistakes].flatMap((each) => [...each?.values() ?? []]));
    await Deno.remove(directory, { recursive: true });
  });

  /** Creates a project that contains only these files. In the folder of another one, it can import what that one has installed. */
  async function blankProject(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const project = `${directory}/${name}`;
    await Deno.mkdir(project);
    for (const [file, text] of Object.entries(files)) await Deno.writeTextFile(`${project}/${file}`, text);
    return project;
  }

  /** The bytes of a program that imports from the checkout, minified and gzipped. */
  async function sizeOf(name: string, program: string): Promise<number> {
    const entry = `${directory}/${name}.ts`;
    await Deno.writeTextFile(entry, program.replaceAll("ROOT/", ROOT.href));
    return gzipSync(await Deno.readFile(await bundle(entry, directory, "--minify")), { level: 9 }).byteLength;
  }

  /** Creates a project that contains these files, and installs the packed module and these packages there. */
  async function install(
    name: string,
    packages: readonly string[],
    files: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const project = await blankProject(name, { "package.json": '{"private":true,"type":"module"}', ...files });
    // What another project has installed is not asked for again.
    const flags = ["--no-audit", "--no-fund", "--prefer-offline"];
    await run("npm", ["install", ...flags, packed(), ...packages], project);
    return project;
  }

  /** Compiles the tests of types and the mistakes with each version of TypeScript, one on each core. */
  function compileOnEach() {
    const project = installCompilers();
    // Each takes up to a gigabyte of memory.
    const running = Math.min(4, navigator.hardwareConcurrency);
    const inTurn = createQueue({ running, waiting: 100, maxWait: 3_600_000 });
    const compileEach = (config: string) =>
      new Map(TYPESCRIPTS.map((version) => {
        const output = inTurn(async () => {
          const compiler = `node_modules/typescript-${version}/bin/tsc`;
          const args = [compiler, "--pretty", "false", "--project", config];
          const { success, stdout } = await new Deno.Command("node", { args, cwd: await project }).output();
          return { success, printed: new TextDecoder().decode(stdout) };
        });
        output.catch(() => {}); // its test fails
        return [version, output];
      }));
    return { types: compileEach("types.json"), mistakes: compileEach("mistakes.json") };
  }

  async function installCompilers(): Promise<string> {
    const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
    const { specifiers } = JSON.parse(await read("tests/deno.lock"));
    const libraries = ["arktype@2", "valibot@1", "zod@4"].map((name) =>
      name.replace(/@.*/, `@${specifiers[`npm:${name}`].replace(/_.*/, "")}`)
    );
    const { compilerOptions: { erasableSyntaxOnly: _, ...strict } } = JSON.parse(await read("deno.json"));
    const options = { module: "nodenext", target: "es2022", lib: ["es2023", "dom", "dom.iterable"], types: [] };
    const compilerOptions = { ...strict, ...options, skipLibCheck: true, noEmit: true };
    const mistakes = Object.keys(MISTAKES).map((name, index) => [`mistake${index}.ts`, ofPackage(moduleOf(name))]);
    const samples = Object.entries(readmeModules(await read("README.md"))).map((
      [name, text],
    ) => [`readme_${name}`, text]);
    const files = [...TYPE_TESTS.map((name) => `tests/types/${name}`), "tests/doors/client/client_api.ts"];
    const tests = await Promise.all(files.map(async (file) => {
      return [file.replace(/^.*\//, ""), ofPackage(await read(file))];
    }));
    const compilers = TYPESCRIPTS.map((version) => `typescript-${version}@npm:typescript@${version}`);
    return await install("typescripts", [...libraries, ...compilers], {
      "types.json": JSON.stringify({ compilerOptions, files: TYPE_TESTS }),
      "mistakes.json": JSON.stringify({ compilerOptions, include: ["mistake*.ts", "readme_*.ts"] }),
      "testing_types.ts": await read("tests/support/std/testing_types.ts"),
      ...Object.fromEntries([...tests, ...mistakes, ...samples]),
    });
  }

  it("contains JavaScript, declarations, README and LICENSE, and nothing else", async () => {
    const files = (await run("tar", ["tzf", packed()])).trim().split("\n");
    assert(files.includes("package/mod.js") && files.includes("package/mod.d.ts"));
    const others = files.filter((file) => !/^package\/(mod|src\/(\w+\/){0,2}\w+)\.(js|d\.ts)$/.test(file));
    assertEquals(others.toSorted(), ["package/LICENSE", "package/README.md", "package/package.json"]);
  });

  it("has no dependencies", async () => {
    const description = JSON.parse(await run("tar", ["xzOf", packed(), "package/package.json"]));
    assertEquals([description.dependencies, description.peerDependencies], [undefined, undefined]);
  });

  it("is at most 10.1 KB, minified and gzipped, as README says", async () => {
    const bundled = await bundle("mod.ts", directory, "--minify");
    const { byteLength } = gzipSync(await Deno.readFile(bundled), { level: 9 });
    assert(byteLength <= 10_150, `${byteLength} bytes`);
    const readme = await Deno.readTextFile(new URL("README.md", ROOT));
    assertMatch(readme, /\b10\.1 KB\b/);
  });

  it("has a client of at most 1.55 KB, minified and gzipped, as README says", async () => {
    const bundled = await bundle("src/client/mod.ts", directory, "--minify");
    const { byteLength } = gzipSync(await Deno.readFile(bundled), { level: 9 });
    assert(byteLength <= 1550, `${byteLength} bytes`);
    assertMatch(await Deno.readTextFile(new URL("README.md", ROOT)), /\b1\.55 KB\b/);
  });

  it("has modules beside it of at most 1.6 KB each, minified and gzipped, 2.3 KB for hooks, 2.1 KB for tools, 2 KB for tests", async () => {
    const sizeWith = async (name: string, door: string) => {
      const entry = `${directory}/${name}.ts`;
      const names = door.includes("testing") ? "{ holdToEndpoints }" : "*";
      const modules = [`export * from "${new URL("mod.ts", ROOT)}";`, `export ${names} from "${new URL(door, ROOT)}";`];
      await Deno.writeTextFile(entry, modules.join("\n"));
      return gzipSync(await Deno.readFile(await bundle(entry, directory, "--minify")), { level: 9 }).byteLength;
    };
    const core = await sizeWith("core", "mod.ts");
    const larger: Readonly<Record<string, number>> = { hooks: 2300, testing: 2000, tools: 2100 }; // `testing` runs in no app
    for (const door of ["form", "hooks", "rate_limit", "session", "testing", "tools"]) {
      const size = await sizeWith(`with_${door}`, `src/${door}/mod.ts`) - core;
      assert(size <= (larger[door] ?? 1600), `${door}: ${size} bytes`);
    }
  });

  it("has conditional requests of at most 0.9 KB beside it, and files of 2.4 KB beside conditions and ranges", async () => {
    const sizeWith = (name: string, names: string) =>
      sizeOf(name, `export * from "ROOT/mod.ts"; export { ${names} } from "ROOT/src/files/mod.ts";`);
    const conditional = await sizeWith("conditional", "preconditions") -
      await sizeOf("bare", 'export * from "ROOT/mod.ts";');
    assert(conditional <= 900, `${conditional} bytes`);
    const facts = "byteRange, preconditions";
    const files = await sizeWith("files", `${facts}, serveFiles`) - await sizeWith("facts", facts);
    assert(files <= 2400, `${files} bytes`);
  });

  it("has conditional requests without node:fs", async () => {
    const program = 'export { byteRange, preconditions, strongTag, weakTag } from "ROOT/src/files/mod.ts";';
    await sizeOf("pure", program);
    assertEquals((await Deno.readTextFile(`${directory}/pure.test.mjs`)).includes("node:"), false);
  });

  it("has streams of at most 1.25 KB for a server, and 0.9 KB more for a client that reads them", async () => {
    const core = 'export * from "ROOT/mod.ts";';
    const serves = await sizeOf("serves", `${core} export { replyEvents, replyLines } from "ROOT/src/events/mod.ts";`);
    const server = serves - await sizeOf("alone", core);
    assert(server <= 1250, `${server} bytes`);
    const client = 'export * from "ROOT/src/client/mod.ts";';
    const reads = await sizeOf("reads", `${client} export { events, lines } from "ROOT/src/events/mod.ts";`);
    assert(reads - await sizeOf("calls", client) <= 945, `${reads} bytes with the client`);
  });

  it("has stores of at most 1.6 KB each, minified and gzipped, and idempotency of 1.6 KB", async () => {
    const core = 'export * from "ROOT/mod.ts";';
    const alone = await sizeOf("without_stores", core);
    const stores = ["{ sessionStore }", "{ rateLimitStore }", "{ idempotencyStore }"];
    for (
      const [door, names] of [
        ["idempotency", ["*"]],
        ["sqlite", stores],
        ["postgres", stores],
        ["redis", stores],
      ] as const
    ) {
      for (const name of names) {
        const size = await sizeOf(`${door}_store`, `${core} export ${name} from "ROOT/src/${door}/mod.ts";`) - alone;
        assert(size <= 1600, `${name} of ${door}: ${size} bytes`);
      }
    }
  });

  it("leaves nothing behind in a bundle that uses none of it", async () => {
    const project = await blankProject("plain/unused", { "program.mjs": UNUSED });
    const bundled = await run(Deno.execPath(), ["bundle", "--quiet", "--minify", "program.mjs"], project);
    assertEquals(bundled.trim(), "");
  });

  it("runs in an empty project of Node.js", async () => {
    const project = await blankProject("plain/node", { "program.mjs": PROGRAM });
    assertEquals((await run("node", ["program.mjs"], project)).trim(), PRINTED);
  });

  it("runs in an empty project of Bun", async () => {
    const bun = await findProgram(BUN, "bun");
    const project = await blankProject("bun", {
      "package.json": '{"private":true}',
      "program.ts": `// @ts-nocheck\n${PROGRAM}`,
    });
    await run(bun, ["add", packed()], project);
    assertEquals((await run(bun, ["run", "program.ts"], project)).trim(), PRINTED);
  });

  it("keeps its types in TypeScript's own compiler, in strict mode and with skipLibCheck off", async () => {
    const options = {
      module: "nodenext",
      target: "es2024",
      lib: ["es2024", "dom", "dom.iterable"],
      types: [],
      strict: true,
    };
    const project = await blankProject("typed/consumer", {
      "tsconfig.json": JSON.stringify({ compilerOptions: { ...options, skipLibCheck: false, noEmit: true } }),
      "consumer.ts": CONSUMER,
    });
    for (const exact of ["true", "false"]) {
      const more = ["--exactOptionalPropertyTypes", exact, "--noUncheckedIndexedAccess", exact];
      await run("node", [TSC, "--project", ".", ...more], project);
    }
  });

  it("appears in a consumer's declarations under its public names only", async () => {
    const project = await blankProject("typed/declarations", {
      "tsconfig.json": JSON.stringify({
        compilerOptions: { module: "nodenext", target: "es2024", types: [], strict: true, declaration: true },
      }),
      "routes.ts": ROUTES,
    });
    await run("node", [TSC, "--project", "."], project);
    const declared = await Deno.readTextFile(`${project}/routes.d.ts`);
    assertMatch(declared, /const hello: import\("@fw\/core"\)\.Route<import\("@fw\/core"\)\.NoLocals, \[\]>;/);
    assertMatch(declared, /const orgs: import\("@fw\/core"\)\.RouteFactory<\{/);
    assertMatch(declared, /const showBook: import\("@fw\/core"\)\.TypedEndpoint<"GET", "\/books\/:id", \{/);
    assertMatch(declared, /const gone: \(\) => import\("@fw\/core"\)\.Reply<import\("@fw\/core"\)\.Answer<404, \{/);
    assertEquals(declared.match(/@fw\/core\/[^"]*/g), null);
  });

  it("has clients of published endpoints that need no schema library", async () => {
    const read = (name: string) => Deno.readTextFile(new URL(`examples/recipes/client/${name}.ts`, ROOT));
    const options = { module: "nodenext", target: "es2024", lib: ["es2024", "dom", "dom.iterable"], types: [] };
    const { specifiers } = JSON.parse(await Deno.readTextFile(new URL("tests/deno.lock", ROOT)));
    const publisher = await install("publisher", [`zod@${specifiers["npm:zod@4"]}`, TYPESCRIPT], {
      "api.ts": await read("api"),
      "publish.mjs": await Deno.readTextFile(await bundle("examples/recipes/client/publish.ts", directory)),
    });
    const [, command = ""] = /^\/\/ npx (tsc .*)$/m.exec(await read("publish")) ?? [];
    await run("npx", command.split(" "), publisher);
    await run(Deno.execPath(), ["run", "--no-prompt", "--allow-write=dist", "publish.mjs"], publisher);
    const published = await Promise.all(
      ["js", "d.ts"].map((end) => Deno.readTextFile(`${publisher}/dist/api.${end}`)),
    );
    for (const text of published) assert(!/zod/i.test(text), text);

    const project = await blankProject("typed/client", {
      "tsconfig.json": JSON.stringify({
        compilerOptions: { ...options, strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true },
      }),
      "api.js": published[0] ?? "",
      "api.d.ts": published[1] ?? "",
      "client.ts": CLIENT,
    });
    await run("node", [TSC, "--project", "."], project);
    assertEquals((await run("node", ["client.js"], project)).trim(), 'POST /books {"title":"Emma"}\nEmma');
    assertEquals((await run("ls", ["../node_modules"], project)).includes("zod"), false);
  });

  it("has a plugin for ESLint, with the configuration that REFERENCE shows", async () => {
    const reference = await Deno.readTextFile(new URL(".github/REFERENCE.md", ROOT));
    const [, config = ""] = /```js.*\n(import lint from [^]*?)```/.exec(reference) ?? [];
    const project = await install("linted", ["eslint@9", "@typescript-eslint/parser@8", TYPESCRIPT], {
      "eslint.config.js": config,
      "guard.ts": LINTED,
    });
    const args = ["eslint", "--format", "json", "guard.ts"];
    const { stdout } = await new Deno.Command("npx", { args, cwd: project }).output();
    const [{ messages }] = JSON.parse(new TextDecoder().decode(stdout));
    assertEquals(
      messages.map(({ ruleId, line }: { ruleId: string; line: number }) => [ruleId, line]),
      [["fw/no-dropped-result", 4]],
    );
  });

  it("works in a project of Deno that maps the name to a checkout", async () => {
    const imports = {
      "@fw/core": new URL("mod.ts", ROOT).href,
      "@fw/core/client": new URL("src/client/mod.ts", ROOT).href,
      "@fw/core/openapi": new URL("src/openapi/mod.ts", ROOT).href,
      "@fw/core/standard-schema": new URL("src/standard_schema/mod.ts", ROOT).href,
    };
    const project = await blankProject("deno", {
      "deno.json": JSON.stringify({ imports }),
      "program.js": PROGRAM,
      "consumer.ts": CONSUMER,
    });
    assertEquals((await run(Deno.execPath(), ["run", "program.js"], project)).trim(), PRINTED);
    await run(Deno.execPath(), ["check", "consumer.ts"], project);
  });

  for (const version of TYPESCRIPTS) {
    it(`passes the tests of its types: TypeScript ${version}`, async () => {
      const { success, printed } = await compiled?.types.get(version) ?? {};
      assert(success, printed);
    });

    it(`prints what README quotes of each mistake in its first sample: TypeScript ${version}`, async () => {
      const readme = await Deno.readTextFile(new URL("README.md", ROOT));
      const { printed = "" } = await compiled?.mistakes.get(version) ?? {};
      const errors = printed.split(/^(?=\S)/m);
      assertEquals(errors.filter((error) => error.startsWith("readme_correct.ts")), []);
      for (const name of README_MISTAKES) {
        assertQuoted(readme, errors.find((error) => error.startsWith(`readme_${name}`)) ?? "");
      }
    });

    it(`reports each mistake at its place, and says what to do: TypeScript ${version}`, async () => {
      const { printed = "" } = await compiled?.mistakes.get(version) ?? {};
      const errors = printed.split(/^(?=\S)/m).map((error) => ERROR.exec(error) ?? []);
      for (const [index, name] of Object.keys(MISTAKES).entries()) {
        const [, , line, column, text] = errors.find(([, module]) => Number(module) === index) ?? [];
        const lines = ofPackage(moduleOf(name)).split("\n").slice(Number(line) - 1);
        assertReported(
          name,
          text === undefined ? undefined : { rest: lines.join("\n").slice(Number(column) - 1), text },
        );
      }
    });
  }
});
