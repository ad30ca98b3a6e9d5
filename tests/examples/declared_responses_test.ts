import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type ts from "typescript";
import { ROOT } from "../support/server_process.ts";
import { granted } from "../support/granted.ts";

/** The routes that declare no responses. `examples/README.md` says why. */
const PLAIN = [
  'access_log.ts "/broken"',
  'books_docs.ts "/*"',
  'cors.ts "/broken"',
  'hello.ts "/hello/:name"',
  'problem_details.ts "/broken"',
  'recipes/better_auth.ts "/api/auth/*"',
  'recipes/mcp.ts "/mcp"',
  'recipes/modules/unmet_needs.ts "/books"',
  'recipes/modules/unmet_needs.ts "/books/:id"',
  'recipes/modules/unmet_needs.ts "/books/:id"',
  'recipes/mounting.ts "/legacy/*"',
  "recipes/mounting.ts `${prefix}/*`",
  "recipes/mounting.ts prefix",
  'recipes/mounting/shop.ts "/broken"',
  'request_id.ts "/broken"',
  'runtimes/routes.ts "/broken"',
  ...["bun", "deno", "node", "workers"].map((runtime) => `templates/${runtime}/app.ts "/docs"`),
];

(granted("env", "read") ? describe : describe.skip)("the examples", () => {
  it("declare the responses of every route, except where there is nothing to check", async () => {
    // Imported here, since the compiler reads the environment on import: without that permission this test is skipped.
    const { default: ts } = await import("typescript");
    /** The keys of an object literal. */
    const keysOf = (node: ts.Node | undefined) =>
      node !== undefined && ts.isObjectLiteralExpression(node)
        ? node.properties.map(({ name }) => name?.getText())
        : [];
    const plain: string[] = [];
    let routes = 0;
    for (const file of filesIn("")) {
      const text = await Deno.readTextFile(new URL(file, EXAMPLES));
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2024, true);
      const visit = (node: ts.Node): void => {
        const [options, at] = ts.isCallExpression(node) ? node.arguments.toReversed() : [];
        if (at !== undefined && keysOf(options).includes("resolve")) {
          routes++;
          // The responses of an endpoint stand elsewhere: `route.on(api.showBook, { resolve })`.
          const declares = at.getText().startsWith("api.") || keysOf(options).includes("responses");
          if (!declares) plain.push(`${file} ${at.getText()}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
    assertEquals(plain.toSorted(), PLAIN);
    assert(routes > 100, `${routes} routes`);
  });
});

const EXAMPLES = new URL("examples/", ROOT);

/** The modules of a folder of the examples, at any depth. */
function filesIn(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(folder, EXAMPLES))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesIn(`${folder}${name}/`) : name.endsWith(".ts") ? [folder + name] : []
  );
}
