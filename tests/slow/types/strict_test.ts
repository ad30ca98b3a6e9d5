/** What compiles for a project whose compiler is less strict than the promises of README need. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../support/server_process.ts";
import { granted } from "../../support/granted.ts";

const CALLS = {
  setup: `import { setup } from "./mod.ts";\nsetup({ handlers: [] });`,
  createClient: `import { createClient } from "./src/client/mod.ts";\ncreateClient({});`,
};

const NEEDED = {
  strict: { strict: false },
  strictNullChecks: { strictNullChecks: false },
  strictFunctionTypes: { strictFunctionTypes: false },
} as const;

/** Options that may be `undefined`, which counts as absent. */
const MAY_BE_UNDEFINED = {
  guards: `route.get("/", { guards: isOpen ? undefined : [auth], resolve: () => new Response() });`,
  "guards of a scope": `route.with({ guards: isOpen ? undefined : [auth] });`,
  schemas: `route.get("/", { request: isOpen ? undefined : { query }, resolve: () => new Response() });`,
  "a prefix": `route.with({ prefix: isOpen ? undefined : "/v1" });`,
};

(granted("env", "read") ? describe : describe.skip)("TypeScript without strict", () => {
  /** What TypeScript prints about a module. */
  async function compile(code: string, options: object): Promise<readonly string[]> {
    // Imported here, since the compiler reads the environment on import: without that permission these tests are skipped.
    const { default: ts } = await import("typescript");
    const { OPTIONS } = await import("../../support/typescript_options.ts");
    const all = { ...OPTIONS, ...options };
    const file = fileURLToPath(new URL("less_strict.ts", ROOT));
    const host = ts.createCompilerHost(all);
    const { getSourceFile } = host;
    host.getSourceFile = (path, ...rest) =>
      path === file ? ts.createSourceFile(file, code, ts.ScriptTarget.ES2024) : getSourceFile(path, ...rest);
    const program = ts.createProgram([file], all, host);
    return program.getSemanticDiagnostics(program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  }

  for (const [name, call] of Object.entries(MAY_BE_UNDEFINED)) {
    it(`rejects ${name} that may be undefined, also without exactOptionalPropertyTypes`, async () => {
      const code = (call: string) => `
import { allow, type Context, route } from "./mod.ts";
const auth = (_c: Context) => allow({ user: "ada" });
declare const query: { readonly "~standard": { readonly types?: { readonly input: unknown; readonly output: object } } };
declare const isOpen: boolean;
${call}`;
      const options = { exactOptionalPropertyTypes: false };
      assertEquals((await compile(code(call), options)).length, 1);
      assertEquals(await compile(code(call.replace("isOpen ? undefined : ", "")), options), []);
    });
  }

  it("says that a header may be undefined in a client, also without exactOptionalPropertyTypes", async () => {
    const read = (name: string) => `
import { endpoint } from "./mod.ts";
import { createClient } from "./src/client/mod.ts";
const responses = { 204: { headers: { etag: {}, location: { required: true } } } } as const;
const { headers } = await createClient({ show: endpoint.get("/", { responses }) }).show();
export const text: string = headers.${name};`;
    const options = { exactOptionalPropertyTypes: false };
    assertEquals(await compile(read("location"), options), []);
    assertEquals((await compile(read("etag"), options)).length, 1);
  });

  for (const [name, code] of Object.entries(CALLS)) {
    it(`compiles ${name}() with strict`, async () => assertEquals(await compile(code, {}), []));

    for (const [option, options] of Object.entries(NEEDED)) {
      it(`says to set strict at the call of ${name}() without ${option}`, async () => {
        const [first = "", ...more] = await compile(code, { exactOptionalPropertyTypes: false, ...options });
        assertEquals([first.match(/Set .*json/)?.[0], more], [String.raw`Set \"strict\": true in tsconfig.json`, []]);
      });
    }
  }
});
