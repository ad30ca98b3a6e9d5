/** Type-checking stays linear: a thousand routes cost at most four times what their schemas alone do. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";

const ROUTES = 1000;
const MOST = 4;

const granted = (["run", "read", "write", "env"] as const).every((name) =>
  Deno.permissions.querySync({ name }).state === "granted"
);

const schemasOf = (n: number) =>
  [
    `z.object({ id: z.coerce.number().int(), kind${n}: z.enum(["a", "b${n}"]) })`,
    `z.object({ name: z.string().min(1), tags${n}: z.array(z.string()), nested: z.object({ n: z.number().optional() }) })`,
  ] as const;

function schemasAlone(n: number): string {
  const [params, body] = schemasOf(n);
  return `export const params${n} = ${params};\nexport const body${n} = ${body};\n`;
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
  it(`with two schemas and two guards each type-check in at most ${MOST} times what the schemas alone take`, async () => {
    const directory = await Deno.makeTempDir();
    try {
      const numbers = Array.from({ length: ROUTES }, (_, n) => n);
      const core = new URL("../mod.ts", import.meta.url).href;
      const schemas = `import { z } from "zod";\n${numbers.map(schemasAlone).join("")}`;
      const routes = `import { z } from "zod";\nimport { allow, type Context, deny, route, setup } from "${core}";\n` +
        numbers.map(wholeRoute).join("") +
        `export const app = setup({
  handlers: [${numbers.map((n) => `route${n}`).join(", ")}],
  validator: { validate: (_schema, value) => ({ ok: true, value }) },
});\n`;
      let alone = Infinity;
      let whole = Infinity;
      // The best of three, turn by turn: other programs only ever make it slower.
      for (const round of [1, 2, 3]) {
        alone = Math.min(alone, await secondsToCheck(`${directory}/schemas.ts`, schemas, round));
        whole = Math.min(whole, await secondsToCheck(`${directory}/routes.ts`, routes, round));
      }
      console.log(`schemas alone ${alone.toFixed(2)} s, whole routes ${whole.toFixed(2)} s`);
      assert(whole <= MOST * alone, `${whole.toFixed(2)} s is more than ${MOST} times ${alone.toFixed(2)} s`);
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
});
