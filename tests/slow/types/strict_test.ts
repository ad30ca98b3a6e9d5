/** What compiles for a project whose compiler is less strict than the promises of README need. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../support/server_process.ts";

const CALLS = {
  setup: `import { setup } from "./mod.ts";\nsetup({ handlers: [] });`,
  createClient: `import { createClient } from "./src/client/mod.ts";\ncreateClient({});`,
};

const NEEDED = {
  strict: { strict: false },
  strictNullChecks: { strictNullChecks: false },
  strictFunctionTypes: { strictFunctionTypes: false },
} as const;

const granted = (["env", "read"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

(granted ? describe : describe.skip)("TypeScript without strict", () => {
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
