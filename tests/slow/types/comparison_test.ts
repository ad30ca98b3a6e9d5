/** Each cell of the table in README that compares frameworks is what a program shows with the real packages. */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { ROOT } from "../../support/server_process.ts";
import { run } from "../runtimes/programs.ts";
import { type Framework, FRAMEWORKS, type Mistake, ROWS, type Run } from "./comparison.ts";
import { compile, installPeers, OURS } from "./peers.ts";
import { granted } from "../../support/granted.ts";

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("the table of README", () => {
  let directory = "";
  let project = "";
  let errors: ReadonlyMap<string, string> = new Map();
  let table: readonly (readonly string[])[] = [];

  before(async () => {
    directory = await Deno.makeTempDir();
    project = await installPeers(directory, "all");
    const modules: Record<string, string> = {};
    for (const { name, cell } of cells()) {
      if (cell === undefined || "run" in cell) continue;
      assert(cell.code.includes(cell.from), `The code of ${name} must have ${cell.from}`);
      modules[`${name}_correct`] = cell.code;
      modules[`${name}_mistake`] = cell.code.replace(cell.from, cell.to);
    }
    errors = await compile(project, modules);
    table = tableOf(await Deno.readTextFile(new URL("README.md", ROOT)));
  });
  after(() => Deno.remove(directory, { recursive: true }));

  it("has these columns and rows", () => {
    const [columns = [], ...rows] = table;
    assertEquals(columns.slice(1), [...FRAMEWORKS]);
    assertEquals(rows.map(([row]) => row), Object.keys(ROWS));
  });

  for (const { name, row, framework, cell } of cells()) {
    it(`says what a program shows: ${row}, ${framework}`, async () => {
      const cells = table.find(([first]) => first === row) ?? [];
      assertEquals(cells[1 + FRAMEWORKS.indexOf(framework)], await shown(name, cell));
    });
  }

  async function shown(name: string, cell: Mistake | Run | undefined): Promise<string> {
    if (cell === undefined) return "–";
    if ("run" in cell) return await hidesHash(name, cell) ? "yes" : "no";
    assertEquals(errors.get(`${name}_correct`), undefined);
    return errors.has(`${name}_mistake`) ? cell.reported ?? "yes" : "no";
  }

  /** Runs a program that sends a row with a hash. */
  async function hidesHash(name: string, cell: Run): Promise<boolean> {
    const code = cell.run.replace(/"(@fw\/core)"/, `"${OURS["@fw/core"]}"`);
    await Deno.writeTextFile(`${project}/${name}.js`, `const ROW = { id: "1", hash: "x" };\n${code}`);
    const flags = ["--quiet", "--no-check", "--node-modules-dir=manual", "--allow-all"];
    const printed = JSON.parse(await run(Deno.execPath(), ["run", ...flags, `${name}.js`], project));
    assertEquals(printed.id, "1");
    return !Object.hasOwn(printed, "hash");
  }
});

interface Cell {
  /** The name of its module. */
  readonly name: string;
  readonly row: string;
  readonly framework: Framework;
  readonly cell: Mistake | Run | undefined;
}

function cells(): readonly Cell[] {
  return Object.entries(ROWS).flatMap(([row, programs], index) =>
    FRAMEWORKS.map((framework) => ({ name: `${framework}_${index}`, row, framework, cell: programs[framework] }))
  );
}

/** The cells of the table whose first column of a framework is ours. */
function tableOf(readme: string): readonly (readonly string[])[] {
  const [table = ""] = /^\|[^|\n]*\| here .*\n(?:\|.*\n)*/m.exec(readme) ?? [];
  const lines = table.trimEnd().split("\n").filter((line) => !/^\|[ -]*-\s*\|/.test(line));
  return lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}
