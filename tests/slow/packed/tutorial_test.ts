/** The tutorial of the manual, command by command, in an empty folder: with Deno, and with Node.js and npm. */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import config from "../../../deno.json" with { type: "json" };
import { ROOT } from "../../support/server_process.ts";
import { granted } from "../../support/granted.ts";
import { pack } from "../../tools/pack.ts";
import { findProgram } from "../runtimes/programs.ts";
import { type Program, startProgram } from "./start_program.ts";

/** How the commands of a runtime are changed: the package is that of this checkout, and the port is free. */
interface Runtime {
  readonly name: string;
  readonly install: (command: string) => string;
  readonly serve: string;
  readonly check: string;
  readonly test: string;
  /** Starts one of two instances on a port. */
  readonly instance: string;
}

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("the tutorial", () => {
  let folder = "";
  let page = "";
  let packed = "";
  let path = "";
  before(async () => {
    folder = await Deno.makeTempDir();
    page = await Deno.readTextFile(new URL(".github/manual/getting-started.md", ROOT));
    packed = await pack(`${folder}/npm`);
    const node = await findProgram("node@24", "node");
    path = `${node.replace(/\/node$/, "")}:${Deno.execPath().replace(/\/deno$/, "")}:${Deno.env.get("PATH")}`;
  });
  after(() => Deno.remove(folder, { recursive: true }));

  const imports = () =>
    Object.fromEntries(
      Object.entries(config.exports).map(([name, file]) => [name.replace(".", "@fw/core"), new URL(file, ROOT).href]),
    );
  const runtimes: readonly Runtime[] = [
    {
      name: "Deno",
      // JSR has no such version yet.
      install: (command) => command.replace("jsr:@fw/core ", ""),
      serve: "deno serve --host 127.0.0.1 app.ts",
      check: "deno check app.ts",
      test: "deno test",
      instance: "deno serve --host 127.0.0.1 --port PORT --allow-read=. --allow-write=. shared.ts",
    },
    {
      name: "Node.js",
      install: (command) => command.replace("@fw/core", packed),
      serve: "node server.ts",
      check: "npx tsc",
      test: "node --test",
      instance: "PORT=PORT node server.ts",
    },
  ];

  for (const { name, install, serve, check, test, instance } of runtimes) {
    it(`does what it says with ${name}`, async () => {
      const root = `${folder}/${name}`;
      await Deno.mkdir(root);
      const [, commands = ""] = new RegExp(`\\nWith ${name}:\\n\\n\`\`\`sh\\n([^]*?)\`\`\``).exec(page) ?? [];
      const project = `${root}/notes`;
      const lines = install(commands).trim().split("\n");
      await sh(lines[0] ?? "", root);
      if (name === "Deno") await Deno.writeTextFile(`${project}/deno.json`, JSON.stringify({ imports: imports() }));
      for (const line of lines.slice(1)) await sh(line, project);
      if (name === "Node.js") {
        const [, tsconfig = ""] = /```json\n([^]*?)```/.exec(page) ?? [];
        await Deno.writeTextFile(`${project}/tsconfig.json`, tsconfig);
      }

      for (const command of [serve, check, test]) assert(page.includes(`\n${command}\n`), `The page needs ${command}`);
      const files = [...page.matchAll(/^```ts.*\n\/\/ ([\w.]+)\n([^]*?)^```$/gm)];
      const write = async (wanted: string, version: number) => {
        const [, , text = ""] = files.filter(([, file]) => file === wanted).at(version) ?? [];
        await Deno.writeTextFile(`${project}/${wanted}`, text);
      };
      /** A command of the page, with another port. */
      const said = (command: string, written: string, port: string) => {
        assert(page.includes(`\n${command}\n`), `The page needs ${command}`);
        return command.replace(written, port);
      };
      const onPort = (command: string, port: string) => said(command.replace(/PORT(?!=)/, port), port, "0");
      const shown = "curl -i http://localhost:8000/notes/1";
      const add = `curl -i -d '{"text":"Read Emma"}' http://localhost:8000/notes`;
      const empty = `curl -i -d '{"text":""}' http://localhost:8000/notes`;
      const signed = `curl -i -d '{"text":"Read Emma"}' -H 'authorization: Bearer ada' http://localhost:8000/notes`;
      for (const [version, asked] of [{ [shown]: 200 }, { [add]: 201, [empty]: 400 }, { [signed]: 201 }].entries()) {
        await write("app.ts", version);
        if (name === "Node.js") await write("server.ts", 0);
        await using server = await startServer(serve.replace("serve --host", "serve --port 0 --host"), project);
        for (const [command, status] of Object.entries(asked)) {
          const printed = await sh(said(command, "8000", server.port), project);
          assertEquals(/^HTTP\/1\.1 (\d+)/.exec(printed)?.[1], `${status}`, printed);
        }
      }
      await write("app.test.ts", 0);
      await write("fuzz.test.ts", 0);
      await sh(check, project);
      await sh(test, project);

      await write("shared.ts", 0);
      if (name === "Node.js") {
        const server = await Deno.readTextFile(`${project}/server.ts`);
        await Deno.writeTextFile(`${project}/server.ts`, server.replace("./app.ts", "./shared.ts"));
      }
      await using first = await startServer(onPort(instance, "8001"), project);
      await using second = await startServer(onPort(instance, "8002"), project);
      const added = await sh(said(`curl -d '{"text":"Read Emma"}' ${ADA}:8001/notes`, "8001", first.port), project);
      const { id } = JSON.parse(added);
      const read = await sh(said(`curl ${ADA}:8002/notes/ID`, "8002", second.port).replace("ID", id), project);
      assertEquals(JSON.parse(read), { id, text: "Read Emma" });
    });
  }

  /** Runs a command as a shell does. */
  async function sh(command: string, cwd: string): Promise<string> {
    const { success, stdout, stderr } = await new Deno.Command("sh", {
      args: ["-c", command],
      cwd,
      env: { PATH: path, NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    if (!success) throw new Error(`${command} failed: ${out}${err}`);
    return out ?? "";
  }

  /** Starts a server by a command of the page. */
  const startServer = (command: string, cwd: string): Promise<Program> =>
    startProgram("sh", ["-c", `exec env ${command}`], { cwd, env: { PATH: path } });
});

/** What each call of the last version of the app sends, and where. */
const ADA = "-H 'authorization: Bearer ada' http://localhost";
