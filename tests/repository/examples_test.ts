/** Which file tests an example, and which example a file tests. `tests/README.md` states the rule. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { ROOT } from "../support/server_process.ts";

/** Tests that are of several examples, each with what it is about. */
const OF_SEVERAL = [
  "book_store", // each store of the books, by one contract
  "broken_body", // bodies that are cut off, sent to each example that reads one
  "commands", // the commands on first lines, and in README
  "declared_responses", // which routes declare their responses
  "fuzzed", // each example with an app, by generated requests
  "immutable_headers", // responses whose headers cannot be changed, in each example with an onResponse
  "mocked", // mocks of their endpoints
  "recipes/layout", // what holds for each recipe
  "typed_clients", // the clients of the books and of the service
];

/** Examples whose test is elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "books_docs": "tests/slow/browser/books_docs_test.ts", // the page needs a browser
  "recipes/mounting_express": "tests/slow/runtimes/recipes_test.ts", // Express needs Node.js
};

(granted("read") ? describe : describe.skip)("each file", () => {
  it("X_test.ts tests the example X, a part of it, or a module of that name", () => {
    const examples = [...namesIn("examples/", /\.ts$/), "service", "recipes/modules"]; // two are folders only
    const modules = new Set(filesBelow("examples/").map((file) => file.replace(/^.*\/|\.ts$/g, "")));
    const others = namesIn("tests/examples/", /_test\.ts$/).filter((name) =>
      !examples.some((example) => name === example || name.startsWith(`${example}_`)) &&
      !modules.has(name.replace("recipes/", ""))
    );
    assertEquals(others, OF_SEVERAL);
  });

  it("of examples/ and of its recipes has a test", () => {
    const tests = namesIn("tests/examples/", /_test\.ts$/);
    const untested = namesIn("examples/", /\.ts$/).filter((name) => !tests.includes(name));
    assertEquals(untested, Object.keys(ELSEWHERE));
    for (const [name, file] of Object.entries(ELSEWHERE)) {
      const text = Deno.readTextFileSync(new URL(file, ROOT));
      assert(text.includes(name.replace("recipes/", "")), `${file} must test ${name}`);
    }
  });
});

/** The names of the files in a folder and in its `recipes/`, without the ending. */
function namesIn(folder: string, ending: RegExp): readonly string[] {
  return ["", "recipes/"].flatMap((within) =>
    [...Deno.readDirSync(new URL(folder + within, ROOT))].filter(({ isFile, name }) => isFile && ending.test(name))
      .map(({ name }) => within + name.replace(ending, ""))
  ).toSorted();
}

function filesBelow(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}${name}/`) : [folder + name]
  );
}
