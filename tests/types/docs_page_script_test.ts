/** The script of the page of an API, which is a text, as the compiler sees it. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SCRIPT } from "../../src/openapi/page/script.ts";

const granted = (["env", "read"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

(granted ? describe : describe.skip)("the script of docsPage()", () => {
  it("compiles as JavaScript of browsers, with the types in its comments, and would not with a mistake", async () => {
    const mistaken = SCRIPT.replace("location.hash", "location.hsh");
    assertEquals(await errorsIn({ "page.js": `{${SCRIPT}}`, "mistaken.js": `{${mistaken}}` }), [
      "mistaken.js: Property 'hsh' does not exist on type 'Location'. Did you mean 'hash'?",
    ]);
  });

  it("can stand in an element, and in the template of its module", () => {
    assertEquals(/<\/script|<!--|\$\{|`/i.exec(SCRIPT), null);
  });
});

/** What the compiler says of scripts, by name. */
async function errorsIn(scripts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  // Imported here, since the compiler reads the environment on import: without that permission this test is skipped.
  const { default: ts } = await import("typescript");
  const options = {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => path in scripts || fileExists(path);
  host.getSourceFile = (path, version) => {
    const script = scripts[path];
    return script === undefined ? getSourceFile(path, version) : ts.createSourceFile(path, script, version);
  };
  const program = ts.createProgram(Object.keys(scripts), options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) =>
    `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
  );
}
