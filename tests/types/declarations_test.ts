/** What packages of a monorepo export, with `declaration: true`, and without an annotation. */
import { assert, assertEquals } from "@std/assert";
import { before, describe, it } from "@std/testing/bdd";
import type { Emitted, PublicType } from "../support/emit_declarations.ts";

const granted = (["env", "read"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

(granted ? describe : describe.skip)("the declarations of a package", () => {
  let emitted: Emitted;
  let ofMembers: Emitted;
  before(async () => {
    // Imported here, since the compiler reads the environment on import: without that permission these tests are skipped.
    const { emitDeclarations } = await import("../support/emit_declarations.ts");
    const read = (name: string) => Deno.readTextFile(new URL(`./declarations/${name}`, import.meta.url));
    emitted = emitDeclarations({ "values.ts": await read("values.ts"), "derived.ts": await read("derived.ts") });
    ofMembers = emitDeclarations({ "members.ts": takeApart(emitted.publicTypes) });
  });

  it("are emitted for a value of each kind, for the function that makes it, and for what is made of it", () => {
    assertEquals([...emitted.mistakes, ...emitted.errors], []);
    const exported = Object.values(emitted.declarations).join("").match(/^export (?:declare )?(?:const|function)/gm);
    assert(Number(exported?.length) > 150, `${exported?.length} exports`);
  });

  it("name only types that an entry point exports, and none that is @internal", () => {
    const names = Object.values({ ...emitted.declarations, ...ofMembers.declarations })
      .flatMap((text) => [...text.matchAll(/import\("(?!zod|\.\/)([^"]+)"\)\.(\w+)/g)])
      .map(([, module, name]) => `${module} ${name}`);
    assert(new Set(names).size > 50, `${new Set(names).size} names`);
    assertEquals(names.filter((name) => !emitted.publicNames.has(name)), []);
  });

  it("are emitted for a copy of a value of each public type, and for each of its members", () => {
    assertEquals(ofMembers.errors, []);
    const exported = ofMembers.declarations["members.ts"]?.match(/^export declare const/gm);
    assert(Number(exported?.length) > 1000, `${exported?.length} exports`);
  });

  it("of endpoints do not name the schema library", () => {
    const { "values.ts": text = "" } = emitted.declarations;
    for (const [declared] of text.matchAll(/^export declare const of\w+: [^]*?;$/gm)) {
      assert(!declared.includes("zod"), declared);
    }
  });
});

/** A module that copies a value of each type, and returns its members one by one. */
function takeApart(types: readonly PublicType[]): string {
  return types.map(({ module, name, needed, members }, index) => {
    const given = `(given: Type${index}${needed === 0 ? "" : `<${Array(needed).fill("any")}>`})`;
    return [
      `import type { ${name} as Type${index} } from "${module}";`,
      `export const copy${index} = ${given} => ({ ...given });`,
      ...members.filter((member) => !member.startsWith("__@")).map((member, at) =>
        `export const member${index}_${at} = ${given} => given[${JSON.stringify(member)}];`
      ),
    ].join("\n");
  }).join("\n");
}
