/** What the program that writes an app does with its arguments and with folders. `tests/slow/create/` runs the apps. */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import config from "../../deno.json" with { type: "json" };
import { create } from "../../src/create/create.ts";
import { TEMPLATES } from "../../src/create/templates.ts";
import { granted } from "../support/granted.ts";
import { ROOT } from "../support/server_process.ts";
import { templatesModule } from "../tools/write_templates.ts";

const suite = granted("read", "write") ? describe : describe.skip;

suite("create()", () => {
  let folder = "";
  before(async () => {
    folder = await Deno.makeTempDir();
  });
  after(() => Deno.remove(folder, { recursive: true }));

  const read = (path: string) => Deno.readTextFileSync(`${folder}/${path}`);

  it("writes the app for the runtime that runs it, by the name of the folder, and says what to do next", () => {
    const said = create([`${folder}/Café shop!`], "node");
    assertStringIncludes(said, `${folder}/Café shop! is an app for Node.js. Next:`);
    assertStringIncludes(said, "\n  npm install\n  npm test\n  npm start");
    assertEquals(JSON.parse(read("Café shop!/package.json")).name, "caf-shop");
    assertStringIncludes(read("Café shop!/app.ts"), 'title: "caf-shop"');
    assertStringIncludes(read("Café shop!/.gitignore"), "node_modules/");
    const written = [...Deno.readDirSync(`${folder}/Café shop!`)].map(({ name }) => name.replace(/^\./, "")).toSorted();
    assertEquals(written, Object.keys(TEMPLATES.node));
  });

  it("writes it for another runtime, also as npx calls it", () => {
    for (const [runtime, name] of Object.entries({ bun: "Bun", deno: "Deno", workers: "Cloudflare Workers" })) {
      const said = create(["create", `--for=${runtime}`, `${folder}/${runtime}`], "node");
      assertStringIncludes(said, `is an app for ${name}.`);
    }
    assertEquals(JSON.parse(read("workers/wrangler.json")).name, "workers");
    assertStringIncludes(create([`${folder}/create`], "deno"), "deno task start");
  });

  it("writes into a folder that is there if it is empty, and into no other", () => {
    Deno.mkdirSync(`${folder}/---`);
    create([`${folder}/---`], "bun");
    assertEquals(JSON.parse(read("---/package.json")).name, "my-app");
    const error = assertThrows(() => create([`${folder}/---`], "bun"), Error);
    assertEquals(error.message, `The folder ${folder}/--- is not empty: name a new one`);
  });

  it("says how it is called if it is called otherwise", () => {
    for (const args of [[], ["create"], ["a", "b"], ["--help"], ["a", "--for=php"], ["a", "--for=constructor"]]) {
      const { message } = assertThrows(() => create(args, "node"), Error);
      assertEquals(
        message,
        "Name one folder, and a runtime if it is not node: create my-app --for=bun|deno|node|workers",
      );
    }
  });
});

suite("the templates", () => {
  it("are those that the program has", async () => {
    const written = await Deno.readTextFile(new URL("src/create/templates.ts", ROOT));
    assert(written === await templatesModule(), "Run deno run -A tests/tools/write_templates.ts");
  });

  it("have the same app and the same test", () => {
    const { node, ...others } = TEMPLATES;
    for (const template of Object.values(others)) {
      for (const file of ["api.ts", "app.ts", "app.test.ts"]) assertEquals(template[file], node[file]);
    }
  });

  it("name this version", () => {
    for (const template of Object.values(TEMPLATES)) {
      const { "package.json": manifest, "deno.json": settings } = template;
      assertStringIncludes(manifest ?? settings ?? "", `@^${config.version}"`.slice(manifest === undefined ? 0 : 1));
    }
  });
});
