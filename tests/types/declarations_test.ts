/** What packages of a monorepo export, with `declaration: true`, and without an annotation. */
import { assert, assertEquals } from "@std/assert";
import { before, describe, it } from "@std/testing/bdd";
import type { Emitted } from "../support/emit_declarations.ts";

const granted = (["env", "read"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

(granted ? describe : describe.skip)("the declarations of a package", () => {
  let emitted: Emitted;
  before(async () => {
    // Imported here, since the compiler reads the environment on import: without that permission these tests are skipped.
    const { emitDeclarations } = await import("../support/emit_declarations.ts");
    const read = (name: string) => Deno.readTextFile(new URL(`./declarations/${name}`, import.meta.url));
    emitted = emitDeclarations({ "values.ts": await read("values.ts"), "derived.ts": await read("derived.ts") });
  });

  it("are emitted for a value of each kind, for the function that makes it, and for what is made of it", () => {
    assertEquals(emitted.errors, []);
    const exported = Object.values(emitted.declarations).join("").match(/^export (?:declare )?(?:const|function)/gm);
    assert(Number(exported?.length) > 150, `${exported?.length} exports`);
  });

  it("name only types that an entry point exports, and none that is @internal", () => {
    const names = Object.values(emitted.declarations)
      .flatMap((text) => [...text.matchAll(/import\("(?!zod|\.\/)([^"]+)"\)\.(\w+)/g)])
      .map(([, module, name]) => `${module} ${name}`);
    assert(new Set(names).size > 50, `${new Set(names).size} names`);
    assertEquals(names.filter((name) => !emitted.publicNames.has(name)), []);
  });

  it("of endpoints do not name the schema library", () => {
    const { "values.ts": text = "" } = emitted.declarations;
    for (const [declared] of text.matchAll(/^export declare const of\w+: [^]*?;$/gm)) {
      assert(!declared.includes("zod"), declared);
    }
  });
});
