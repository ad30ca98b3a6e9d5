/** What `tests/docs/` lists, so that plain `deno test` runs all code in doc comments. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import config from "../../deno.json" with { type: "json" };
import { granted } from "../examples/serve.ts";
import { ROOT } from "../support/server_process.ts";

(granted("read") ? describe : describe.skip)("tests/docs/", () => {
  it("names each module with code in its doc comments, in sources.ts", () => {
    const files = ["mod.ts", ...modulesBelow("src").toSorted()].filter((file) => /^ *\* ```ts$/m.test(read(file)));
    const lines = files.map((file) => `export { default as "${file}" } from "../../${file}" with { type: "text" };`);
    assertEquals(read("tests/docs/sources.ts").trim().split("\n").slice(1), lines);
  });

  it("loads each sub-path of the package, in doc_comments_test.ts", () => {
    const imports = Object.keys(config.exports).map((path) => `import "${path.replace(".", config.name)}";`);
    const test = read("tests/docs/doc_comments_test.ts");
    assertEquals(imports.filter((line) => !test.includes(line)), []);
  });
});

function modulesBelow(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? modulesBelow(`${folder}/${name}`) : name.endsWith(".ts") ? [`${folder}/${name}`] : []
  );
}

function read(file: string): string {
  return Deno.readTextFileSync(new URL(file, ROOT));
}
