import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ROOT } from "../support/server_process.ts";
import { granted } from "../support/granted.ts";

const PAGE = ".github/ADVISORIES.md";

(granted("read") ? describe : describe.skip)("the page of advisories", () => {
  it("links for each advisory the file with the test that shows it", async () => {
    const listed = idsByFile(await Deno.readTextFile(new URL(PAGE, ROOT)));
    const tested = new Map<string, readonly string[]>();
    for await (const file of testsBelow("tests")) {
      const titles = [...(await Deno.readTextFile(new URL(file, ROOT))).matchAll(/\bit\(\s*"([^"]*)"/g)].join();
      const ids = [...new Set(titles.match(ID))].toSorted();
      if (ids.length > 0) tested.set(file, ids);
    }
    assert(tested.size > 8, `Only ${tested.size} files found`);
    assertEquals(Object.fromEntries(listed), Object.fromEntries(tested));
  });

  it("is linked from README and from SECURITY.md", async () => {
    for (const [file, link] of [["README.md", `](${PAGE}`], [".github/SECURITY.md", "](ADVISORIES.md"]] as const) {
      assert((await Deno.readTextFile(new URL(file, ROOT))).includes(link), `${file} must have a link ${link})`);
    }
  });
});

const ID = /\b(?:CVE-\d{4}-\d+|GHSA(?:-\w{4}){3}|WS-\d{4}-\d+)\b/g;

/** The ids that the page lists, by the file that their link leads to. */
function idsByFile(page: string): ReadonlyMap<string, readonly string[]> {
  const listed = new Map<string, readonly string[]>();
  for (const [, text = "", file = ""] of page.matchAll(/\[([^\]]*)\]\(\.\.\/(tests\/[^)]*)\)/g)) {
    const ids = text.match(ID) ?? [];
    listed.set(file, [...new Set([...(listed.get(file) ?? []), ...ids])].toSorted());
  }
  return listed;
}

async function* testsBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    if (isDirectory) yield* testsBelow(`${folder}/${name}`);
    else if (name.endsWith("_test.ts")) yield `${folder}/${name}`;
  }
}
