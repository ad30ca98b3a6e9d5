/**
 * The cost of the types is linear in the number of routes. It is counted in the types that TypeScript instantiates: unlike time,
 * that number is the same on every machine.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fileURLToPath } from "node:url";
import type ts from "typescript";

/** The number of routes; the test then checks twice as many. */
const ROUTES = 200;
/** The most types that a route with two parameters, two schemas and two guards may instantiate. Measured: 1,133. */
const MOST_PER_ROUTE = 1500;

const granted = (["env", "read"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

/** Minimal Standard Schemas, so only the types of this module are counted. */
const PREAMBLE = `
import { allow, type Context, deny, route, setup } from "./mod.ts";
interface Schema<Output> {
  readonly "~standard": { readonly version: 1; readonly vendor: string; readonly types?: { readonly input: unknown; readonly output: Output } };
}
`;

function wholeRoute(n: number): string {
  return `
declare const params${n}: Schema<{ id: number; kind${n}: "a" | "b${n}" }>;
declare const body${n}: Schema<{ name: string; tags${n}: string[]; nested: { n?: number } }>;
const route${n} = route.post("/things${n}/:id/:kind${n}", {
  request: { params: params${n}, body: body${n} },
  guards: [
    (c) => c.input.ok ? allow({ user${n}: { id: c.raw.params.id } }) : deny(new Response(null, { status: 400 })),
    (c: Context<{ user${n}: { id: string } }>) => allow({ role${n}: c.locals.user${n}.id }),
  ],
  resolve: (c) =>
    new Response(c.input.ok ? c.input.params.kind${n} + c.input.body.tags${n}.length + c.locals.role${n} : "invalid"),
});`;
}

/** A module that serves this many routes. */
function moduleOf(routes: number): string {
  const numbers = Array.from({ length: routes }, (_, n) => n);
  return `${PREAMBLE}${numbers.map(wholeRoute).join("")}
export const app = setup({
  handlers: [${numbers.map((n) => `route${n}`).join(", ")}],
  validator: { validate: (_schema, value) => ({ ok: true, value }) },
});`;
}

/** The number of types that TypeScript instantiates for a module that serves this many routes. */
async function countInstantiations(routes: number): Promise<number> {
  // Imported here, since the compiler reads the environment on import: without that permission these tests are skipped.
  const { default: ts } = await import("typescript");
  const { OPTIONS } = await import("./typescript_options.ts");
  const file = fileURLToPath(new URL("../routes.ts", import.meta.url));
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, moduleOf(routes), ts.ScriptTarget.ES2024) : getSourceFile(name, ...rest);
  // Internal to the compiler. `tsc --extendedDiagnostics` prints it.
  const program = ts.createProgram([file], OPTIONS, host) as ts.Program & { getInstantiationCount(): number };
  assertEquals(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText), []);
  return program.getInstantiationCount();
}

(granted ? describe : describe.skip)("the types of many routes", () => {
  it("cost twice as much for twice as many routes, and at most a fixed number per route", async () => {
    const [none, some, twice] = [
      await countInstantiations(0),
      await countInstantiations(ROUTES),
      await countInstantiations(2 * ROUTES),
    ];
    const [first, second] = [some - none, twice - some];
    assert(second < first * 1.05, `the first ${ROUTES} routes: ${first} instantiations, the next ${ROUTES}: ${second}`);
    assert(second < MOST_PER_ROUTE * ROUTES, `${second / ROUTES} instantiations for a route`);
  });
});
