/**
 * The cost of the types is linear in the number of routes. Its figures are printed, to be compared with those of before. It is counted in the types that TypeScript instantiates: unlike time,
 * that number is the same on every machine.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type ts from "typescript";
import { granted } from "../../support/granted.ts";
import { fileOf, openInEditor } from "./language_service.ts";

/** The number of routes; the test then checks twice as many. */
const ROUTES = 200;
/** Minimal Standard Schemas, so only the types of this module are counted. */
const PREAMBLE = `
import { allow, type Context, deny, reply, route, setup } from "./mod.ts";
interface Schema<Output> {
  readonly "~standard": { readonly version: 1; readonly vendor: string; readonly types?: { readonly input: unknown; readonly output: Output } };
}
`;

/** A route, with what its responses are declared with, and how it sends them. */
function wholeRoute(n: number, declares: boolean): string {
  const valid = `c.input.params.kind${n} + c.input.body.tags${n}.length + c.locals.role${n}`;
  const sent = declares
    ? `c.input.ok ? reply(200, { id: "", kind${n}: ${valid} }) : reply(400, { code${n}: "invalid" })`
    : `new Response(c.input.ok ? ${valid} : "invalid")`;
  return `
declare const shown${n}: Schema<{ id: string; kind${n}: string }>;
declare const invalid${n}: Schema<{ code${n}: string }>;
declare const params${n}: Schema<{ id: number; kind${n}: "a" | "b${n}" }>;
declare const body${n}: Schema<{ name: string; tags${n}: string[]; nested: { n?: number } }>;
const route${n} = route.post("/things${n}/:id/:kind${n}", {
  request: { params: params${n}, body: body${n} },
  ${declares ? `responses: { 200: { schema: shown${n} }, 400: { schema: invalid${n} } },` : ""}
  guards: [
    (c) => c.input.ok ? allow({ user${n}: { id: c.raw.params.id } }) : deny(new Response(null, { status: 400 })),
    (c: Context<{ user${n}: { id: string } }>) => allow({ role${n}: c.locals.user${n}.id }),
  ],
  resolve: (c) => ${sent},
});`;
}

/** A module that serves this many routes. */
function moduleOf(routes: number, declares: boolean): string {
  const numbers = Array.from({ length: routes }, (_, n) => n);
  return `${PREAMBLE}${numbers.map((n) => wholeRoute(n, declares)).join("")}
export const app = setup({
  handlers: [${numbers.map((n) => `route${n}`).join(", ")}],
  validator: { validate: (_schema, value) => ({ ok: true, value }) },
});`;
}

/** Endpoints of four shapes, in turn, and a call of each. */
const ENDPOINTS: readonly ((n: number) => readonly [string, string])[] = [
  (n) => [
    `endpoint.get("/things${n}/:id", { responses: { 200: { schema: thing${n} }, 404: { schema: missing } } })`,
    `{ params: { id: ${n} } }`,
  ],
  (n) => [
    `endpoint.get("/things${n}", { request: { query: query${n} }, responses: { 200: { schema: thing${n} } } })`,
    `{ query: { after${n}: ${n}, sort: "name" } }`,
  ],
  (n) => [
    `endpoint.post("/things${n}", { request: { body: thing${n} }, responses: { 200: { schema: thing${n} } } })`,
    `{ body: { id${n}: "", at: new Date(), tags: [] } }`,
  ],
  (
    n,
  ) => [
    `endpoint.delete("/things${n}/:id", { responses: { 200: { schema: thing${n} }, 204: {} } })`,
    '{ params: { id: "" } }',
  ],
];

/** A module with this many endpoints. */
function endpointsOf(endpoints: number): string {
  const numbers = Array.from({ length: endpoints }, (_, n) => n);
  return `
import { endpoint } from "./mod.ts";
interface Schema<Input> {
  readonly "~standard": { readonly types?: { readonly input: Input; readonly output: Input } };
}
declare const missing: Schema<{ code: "missing" }>;
${
    numbers.map((n) => `
declare const thing${n}: Schema<{ id${n}: string; at: Date; tags?: string[] }>;
declare const query${n}: Schema<{ after${n}?: string; sort: "name" | "at"; limit?: unknown }>;
export const endpoint${n} = ${shapeOf(n)[0]};`).join("")
  }`;
}

/** A module that calls this many endpoints. */
function callsOf(endpoints: number): string {
  const numbers = Array.from({ length: endpoints }, (_, n) => n);
  return `${endpointsOf(endpoints)}
import { createClient } from "./src/client/mod.ts";
const client = createClient({ ${numbers.map((n) => `endpoint${n}`).join(", ")} });
export async function callAll() {
  ${
    numbers.map((n) => `
  const answer${n} = await client.endpoint${n}(${shapeOf(n)[1]});
  if (answer${n}.status === 200) answer${n}.body.at.concat(answer${n}.body.id${n});`).join("")
  }
}`;
}

/** A module that compares this many endpoints with others, each of which breaks clients. */
function comparisonOf(endpoints: number): string {
  const numbers = Array.from({ length: endpoints }, (_, n) => n);
  const changed = (n: number) => `endpoint.get("/things${n}/:id", { responses: { 200: { schema: missing } } })`;
  return `${endpointsOf(endpoints)}
import type { Compatible } from "./src/client/mod.ts";
const before = { ${numbers.map((n) => `endpoint${n}`).join(", ")} };
const after = { ${numbers.map((n) => `endpoint${n}: ${changed(n)}`).join(", ")} };
type Broken = Compatible<typeof before, typeof after>;
export const messages = (message: Broken): string => ${endpoints ? "message" : '""'};`;
}

/** By file: the entry point names types of Deno, which these options do not know. */
const SOCKETS = `
import { accept } from "./src/sockets/accept.ts";
import { handshake } from "./src/sockets/handshake.ts";
import { socket } from "./src/sockets/socket.ts";
import type { Sockets } from "./src/sockets/runtime.ts";`;

/** A module with this many routes that send messages: over sockets, or as streams. */
function messagesOf(routes: number, areSockets: boolean): string {
  const numbers = Array.from({ length: routes }, (_, n) => n);
  const declared = (n: number) =>
    areSockets
      ? `101: socket({ client: { say${n}: said${n} }, server: { said: said${n} } }), 400: {}, 403: {}, 426: {}`
      : `200: events({ said: said${n} })`;
  const sent = (n: number) =>
    areSockets
      ? `guards: [handshake({ origins: [] })],
  resolve: (c, sockets: Sockets) => accept(c, chat${n}, sockets, {
    *send(_signal, message) { yield message("said", { id${n}: c.raw.params.id }); },
    receive: { say${n}: (data, peer) => peer.send("said", data) },
    invalid() {},
  }),`
      : `resolve: (c) => replyEvents(200, function* (_signal, event) { yield event("said", { id${n}: c.raw.params.id }); }),`;
  return `
import { endpoint, route, setup } from "./mod.ts";
${areSockets ? SOCKETS : 'import { events, replyEvents } from "./src/events/mod.ts";'}
interface Schema<Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Input };
  };
}
${
    numbers.map((n) => `
declare const said${n}: Schema<{ id${n}: string; tags?: string[] }>;
const chat${n} = endpoint.get("/chats${n}/:id", { responses: { ${declared(n)} } });
const route${n} = route.on(chat${n}, {
  ${sent(n)}
});`).join("")
  }
export const app = setup({ handlers: [${numbers.map((n) => `route${n}`).join(", ")}] });`;
}

/** How an endpoint is declared, and the argument of a call. */
function shapeOf(n: number): readonly [string, string] {
  return ENDPOINTS[n % ENDPOINTS.length]?.(n) ?? ["", ""];
}

/** What somebody types, and the name that an editor must then complete. */
const TYPED: Readonly<Record<string, string>> = {
  "client.": "endpoint7",
  "client.endpoint4({ ": "params",
  "client.endpoint5({ query: { ": "after5",
  "client.endpoint6({ body: { ": "tags",
  "client.endpoint4({ params: { id: 7 } }).then((answer) => answer.status === 200 && answer.body.": "id4",
};

/** The number of types that TypeScript instantiates for a completion, in an editor on a client of this many endpoints. */
async function countAtCompletion(endpoints: number, typed: string): Promise<number> {
  const [api, file] = [fileOf("api.ts"), fileOf("client.ts")];
  const text = `
import { createClient } from "./src/client/mod.ts";
import * as api from "./api.ts";
const client = createClient(api);
${typed}`;
  const texts = new Map([[api, endpointsOf(endpoints)], [file, text]]);
  const { service } = await openInEditor([file], (name) => texts.get(name));
  const names = service.getCompletionsAtPosition(file, text.length, {})?.entries.map(({ name }) => name) ?? [];
  assert(names.includes(TYPED[typed] ?? ""), `${typed} is completed by ${names.slice(0, 10)}`);
  const program = service.getProgram() as ts.Program & { getInstantiationCount(): number };
  return program.getInstantiationCount();
}

/** The number of types that TypeScript instantiates for a module that serves this many routes. */
function countInstantiations(routes: number, declares = false): Promise<number> {
  return countInstantiationsIn(moduleOf(routes, declares));
}

/** The number of types that TypeScript instantiates for a module. */
async function countInstantiationsIn(text: string): Promise<number> {
  // Imported here, since the compiler reads the environment on import: without that permission these tests are skipped.
  const { default: ts } = await import("typescript");
  const { OPTIONS } = await import("../../support/typescript_options.ts");
  const file = fileOf("routes.ts");
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2024) : getSourceFile(name, ...rest);
  // Internal to the compiler. `tsc --extendedDiagnostics` prints it.
  const program = ts.createProgram([file], OPTIONS, host) as ts.Program & { getInstantiationCount(): number };
  assertEquals(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText), []);
  return program.getInstantiationCount();
}

(granted("env", "read") ? describe : describe.skip)("the types of many routes", () => {
  it("cost twice as much for twice as many routes", async () => {
    const [none, some, twice] = [
      await countInstantiations(0),
      await countInstantiations(ROUTES),
      await countInstantiations(2 * ROUTES),
    ];
    const [first, second] = [some - none, twice - some];
    assert(second < first * 1.05, `the first ${ROUTES} routes: ${first} instantiations, the next ${ROUTES}: ${second}`);
    console.log(`    ${Math.round(second / ROUTES)} types for a route with two parameters, two schemas and two guards`);
  });

  it("cost a fixed share more if the routes declare their responses", async () => {
    const without = await countInstantiations(ROUTES) - await countInstantiations(0);
    const none = await countInstantiations(0, true);
    const [some, twice] = [await countInstantiations(ROUTES, true), await countInstantiations(2 * ROUTES, true)];
    const [first, second] = [some - none, twice - some];
    assert(second < first * 1.05, `the first ${ROUTES} routes: ${first} instantiations, the next ${ROUTES}: ${second}`);
    console.log(`    ${(second / without).toFixed(2)} times as many types for a route that declares its responses`);
  });

  it("cost a fixed number more per endpoint that a client calls", async () => {
    const [none, some, twice] = [
      await countInstantiationsIn(callsOf(0)),
      await countInstantiationsIn(callsOf(ROUTES)),
      await countInstantiationsIn(callsOf(2 * ROUTES)),
    ];
    const [first, second] = [some - none, twice - some];
    assert(second < first * 1.05, `the first ${ROUTES} calls: ${first} instantiations, the next ${ROUTES}: ${second}`);
    console.log(`    ${Math.round(second / ROUTES)} types for an endpoint with its call`);
  });

  it("cost a fixed number more per endpoint that is compared with another", async () => {
    const [none, some, twice] = [
      await countInstantiationsIn(comparisonOf(0)),
      await countInstantiationsIn(comparisonOf(ROUTES)),
      await countInstantiationsIn(comparisonOf(2 * ROUTES)),
    ];
    const [first, second] = [some - none, twice - some];
    assert(second < first * 1.05, `the first ${ROUTES}: ${first} instantiations, the next ${ROUTES}: ${second}`);
    console.log(`    ${Math.round(second / ROUTES)} types for an endpoint that is compared`);
  });

  it("cost a fixed share more if the routes have sockets than if they have streams", async () => {
    const costs: number[] = [];
    for (const areSockets of [true, false]) {
      const [none, some, twice] = [
        await countInstantiationsIn(messagesOf(0, areSockets)),
        await countInstantiationsIn(messagesOf(100, areSockets)),
        await countInstantiationsIn(messagesOf(200, areSockets)),
      ];
      const [first, second] = [some - none, twice - some];
      assert(second < first * 1.05, `the first 100: ${first} instantiations, the next 100: ${second}`);
      costs.push(second);
    }
    const [sockets = 0, streams = 0] = costs;
    console.log(`    ${sockets / 100} types for a route with a socket, ${streams / 100} for one with a stream`);
  });

  for (const typed of Object.keys(TYPED)) {
    it(`cost a completion in an editor the same, however many endpoints there are: ${typed}`, async () => {
      const [some, twice] = [await countAtCompletion(ROUTES, typed), await countAtCompletion(2 * ROUTES, typed)];
      assertEquals(twice, some);
      console.log(`    ${some} types at a completion: ${typed}`);
    });
  }
});
