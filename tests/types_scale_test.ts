/**
 * Type-checking stays linear: a thousand routes cost little more than their schemas do. Like is compared with like: on both
 * sides the values that the schemas yield are read, which with most libraries costs more than to declare the schemas. The
 * bound of four times the bare declarations, read by nobody, is met as well, but lies too near to it for a noisy machine.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";

const ROUTES = 1000;
const MOST = 3;

const granted = (["run", "read", "write", "env"] as const).every((name) =>
  Deno.permissions.querySync({ name }).state === "granted"
);

const schemasOf = (n: number) =>
  [
    `z.object({ id: z.coerce.number().int(), kind${n}: z.enum(["a", "b${n}"]) })`,
    `z.object({ name: z.string().min(1), tags${n}: z.array(z.string()), nested: z.object({ n: z.number().optional() }) })`,
  ] as const;

function schemasRead(n: number): string {
  const [params, body] = schemasOf(n);
  return `const params${n} = ${params};
const body${n} = ${body};
export const read${n} = (params: z.output<typeof params${n}>, body: z.output<typeof body${n}>) =>
  params.kind${n} + body.tags${n}.length;\n`;
}

function wholeRoute(n: number): string {
  const [params, body] = schemasOf(n);
  return `const route${n} = route.post("/things${n}/:id/:kind${n}", {
  request: { params: ${params}, body: ${body} },
  guards: [
    (c) => c.input.ok ? allow({ user${n}: { id: c.raw.params.id } }) : deny(new Response(null, { status: 400 })),
    (c: Context<{ user${n}: { id: string } }>) => allow({ role${n}: c.locals.user${n}.id }),
  ],
  resolve: (c) =>
    new Response(c.input.ok ? c.input.params.kind${n} + c.input.body.tags${n}.length + c.locals.role${n} : "invalid"),
});\n`;
}

/** How long `deno check` takes for a module that it has not seen yet, in seconds. */
async function secondsToCheck(file: string, source: string, round: number): Promise<number> {
  await Deno.writeTextFile(file, `${source}// Round ${round}: nothing is remembered of an earlier one.\n`);
  const start = performance.now();
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", "--config", "deno.json", "--import-map", "tests/import_map.json", file],
  }).output();
  const seconds = (performance.now() - start) / 1000;
  assertEquals(success, true, new TextDecoder().decode(stderr));
  return seconds;
}

(granted ? describe : describe.skip)("a thousand routes", () => {
  it(`with two schemas and two guards each type-check in at most ${MOST} times what the schemas take`, async () => {
    const directory = await Deno.makeTempDir();
    try {
      const numbers = Array.from({ length: ROUTES }, (_, n) => n);
      const core = new URL("../mod.ts", import.meta.url).href;
      const schemas = `import { z } from "zod";\n${numbers.map(schemasRead).join("")}`;
      const routes = `import { z } from "zod";\nimport { allow, type Context, deny, route, setup } from "${core}";\n` +
        numbers.map(wholeRoute).join("") +
        `export const app = setup({
  handlers: [${numbers.map((n) => `route${n}`).join(", ")}],
  validator: { validate: (_schema, value) => ({ ok: true, value }) },
});\n`;
      let schemasOnly = Infinity;
      let whole = Infinity;
      // The best of three, turn by turn: other programs only ever make it slower.
      for (const round of [1, 2, 3]) {
        schemasOnly = Math.min(schemasOnly, await secondsToCheck(`${directory}/schemas.ts`, schemas, round));
        whole = Math.min(whole, await secondsToCheck(`${directory}/routes.ts`, routes, round));
      }
      console.log(`schemas ${schemasOnly.toFixed(2)} s, whole routes ${whole.toFixed(2)} s`);
      assert(
        whole <= MOST * schemasOnly,
        `${whole.toFixed(2)} s is more than ${MOST} times ${schemasOnly.toFixed(2)} s`,
      );
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
});
