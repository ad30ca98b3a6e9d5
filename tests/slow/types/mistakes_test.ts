/**
 * Mistakes that newcomers make: where TypeScript reports each, and what it prints there. Mistakes that no type can tell are in
 * the tests of setup, of routes and of the lifecycle.
 */
import { before, describe, it } from "@std/testing/bdd";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../support/server_process.ts";
import { assertReported, MISTAKES, moduleOf, type Reported } from "./mistakes.ts";
import { granted } from "../../support/granted.ts";

(granted("env", "read") ? describe : describe.skip)("TypeScript on a mistake", () => {
  /** The first error in the module of each mistake. */
  const found = new Map<string, Reported>();
  before(async () => {
    // Imported here, since the compiler reads the environment on import: without that permission these tests are skipped.
    const { default: ts } = await import("typescript");
    const { OPTIONS } = await import("../../support/typescript_options.ts");
    const names = Object.keys(MISTAKES);
    const files = names.map((_, index) => fileURLToPath(new URL(`mistake${index}.ts`, ROOT)));
    const host = ts.createCompilerHost(OPTIONS);
    const { getSourceFile } = host;
    host.getSourceFile = (file, ...rest) => {
      const name = names[files.indexOf(file)];
      return name === undefined
        ? getSourceFile(file, ...rest)
        : ts.createSourceFile(file, moduleOf(name), ts.ScriptTarget.ES2024);
    };
    const program = ts.createProgram(files, OPTIONS, host);
    for (const [index, name] of names.entries()) {
      const [first] = program.getSemanticDiagnostics(program.getSourceFile(files[index] ?? ""));
      if (first === undefined) continue;
      const text = ts.flattenDiagnosticMessageText(first.messageText, "\n");
      found.set(name, { rest: moduleOf(name).slice(first.start), text });
    }
  });

  for (const name of Object.keys(MISTAKES)) {
    it(`stands at the mistake and says what to do: ${name}`, () => assertReported(name, found.get(name)));
  }
});
