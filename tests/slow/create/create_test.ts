/**
 * Writes an app for each runtime, by the packed program, and does with it what its README says: installs, checks and
 * tests it, starts it and calls it, and follows its container file.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { dirname } from "node:path";
import { after, before, describe, it } from "@std/testing/bdd";
import config from "../../../deno.json" with { type: "json" };
import { freePort } from "../../support/free_port.ts";
import { granted } from "../../support/granted.ts";
import { ROOT } from "../../support/server_process.ts";
import { until } from "../../support/until.ts";
import { pack } from "../../tools/pack.ts";
import { BUN, findProgram, run } from "../runtimes/programs.ts";

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("an app that is created", () => {
  let directory = "";
  let packed = "";
  let node = "";
  let bun = "";
  before(async () => {
    directory = await Deno.makeTempDir();
    packed = await pack(`${directory}/npm`);
    [node, bun] = await Promise.all([findProgram("node@24", "node"), findProgram(BUN, "bun")]);
    await Deno.mkdir(`${directory}/program`);
    await Deno.writeTextFile(`${directory}/program/package.json`, '{"private":true}');
    await run("npm", ["install", ...FLAGS, packed], `${directory}/program`);
  });
  after(() => Deno.remove(directory, { recursive: true }));

  /** Runs a command in an app, with Node.js 24. */
  async function runIn(app: string, program: string, ...args: readonly string[]): Promise<string> {
    const command = new Deno.Command(program, {
      args: [...args],
      cwd: `${directory}/${app}`,
      env: env(),
      stdin: "null",
    });
    const { success, stdout, stderr } = await command.output();
    const printed = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    if (!success) throw new Error(`${program} ${args.join(" ")} failed:\n${printed}`);
    return printed;
  }

  const env = (port = 0) => ({
    NO_COLOR: "1",
    CI: "1",
    WRANGLER_SEND_METRICS: "false",
    PORT: String(port),
    PATH: [node, bun, Deno.execPath()].map(dirname).concat(Deno.env.get("PATH") ?? "").join(":"),
  });

  /** Writes an app by the packed program. It depends on the packed module, in place of the published one. */
  async function createPacked(app: string, ...args: readonly string[]): Promise<void> {
    await run("npx", ["@fw/core", "create", `../${app}`, ...args], `${directory}/program`);
    const file = `${directory}/${app}/package.json`;
    const manifest = await Deno.readTextFile(file);
    assertStringIncludes(manifest, `"@fw/core": "^${config.version}"`);
    await Deno.writeTextFile(file, manifest.replace(`"^${config.version}"`, JSON.stringify(`file:${packed}`)));
  }

  /** Starts an app by the command of its manifest, on a free port, calls it, and returns how it stops. */
  async function startAndCall(app: string, start: string, endless?: string): Promise<Deno.CommandStatus> {
    const port = freePort();
    const [program = "", ...args] = start.replace("8000", String(port)).split(" ");
    const installed = `${directory}/${app}/node_modules/.bin/${program}`;
    const isInstalled = await Deno.stat(installed).then(() => true, () => false);
    const programs: Readonly<Record<string, string>> = { bun, deno: Deno.execPath(), node };
    const server = new Deno.Command(isInstalled ? installed : programs[program] ?? program, {
      args,
      cwd: `${directory}/${app}`,
      env: env(port),
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
      await until(() => get("/docs").then(async (response) => (await response.body?.cancel(), true), () => false));
      assertEquals(await (await get("/hello/Ada")).json(), { message: "Hello Ada" });
      const invalid = await get(`/hello/${"x".repeat(41)}`);
      assertEquals([invalid.status, typeof (await invalid.json()).error], [400, "string"]);
      const page = await get("/docs");
      assertEquals([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
      assertStringIncludes(await page.text(), "/hello/{name}");
      // A page that watches events does not end its request.
      if (endless !== undefined) assertEquals((await get(endless)).status, 200);
    } finally {
      // A browser opens connections before it needs them. Such a connection must not keep the process alive.
      const idle = await Deno.connect({ hostname: "127.0.0.1", port });
      server.kill("SIGTERM");
      await server.status;
      idle.close();
    }
    return await server.status;
  }

  /**
   * In a container, nothing ends a process that does not handle SIGTERM, or waits for a stream, until it is killed after
   * ten seconds.
   */
  async function assertStops(app: string): Promise<void> {
    const file = `${directory}/${app}/app.ts`;
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.replace("handlers: [", `handlers: [${ENDLESS}`));
    const { code, signal } = await startAndCall(app, await startOf(app), "/endless");
    await Deno.writeTextFile(file, text);
    assertEquals([code, signal], [0, null]);
  }

  /**
   * Follows the steps of an app's container file in a folder that has only what they copy. The images are not pulled:
   * the runtime of the test takes their place.
   *
   * @returns The folder, and the command that starts the app there.
   */
  async function buildContainer(app: string): Promise<readonly [folder: string, start: string]> {
    const folder = `${app}-container`;
    await Deno.mkdir(`${directory}/${folder}`);
    const steps = await Deno.readTextFile(`${directory}/${app}/Dockerfile`);
    const argumentsOf = (name: string) =>
      [...steps.matchAll(new RegExp(`^${name} (.+)$`, "gm"))].map((step) => step[1]);
    for (const [, name, values = ""] of steps.matchAll(/^(COPY|RUN) (.+)$/gm)) {
      if (name === "COPY") await runIn(app, "sh", "-c", `cp ${values.replace(/\.\/$/, `../${folder}`)}`);
      else await runIn(folder, "sh", "-c", values);
    }
    const [image = ""] = argumentsOf("FROM");
    const [command = ""] = argumentsOf("CMD");
    // The image of Deno runs its command by `deno`.
    const start = (image.startsWith("denoland/deno:") ? ["deno"] : []).concat(JSON.parse(command)).join(" ");
    return [folder, start];
  }

  async function startOf(app: string): Promise<string> {
    return JSON.parse(await Deno.readTextFile(`${directory}/${app}/package.json`)).scripts.start;
  }

  it("for Node.js is installed, checked, tested, started, called and stopped", async () => {
    await createPacked("on-node");
    await runIn("on-node", "npm", "install", ...FLAGS);
    const readme = await Deno.readTextFile(`${directory}/on-node/README.md`);
    const [, manual = ""] = /The manual is in `([^`]+)`/.exec(readme) ?? [];
    for (const file of ["README.md", "../SKILL.md"]) await Deno.stat(`${directory}/on-node/${manual}${file}`);
    assertStringIncludes(await runIn("on-node", "npm", "test"), "pass 3");
    await runIn("on-node", "npm", "run", "check");
    await assertStops("on-node");
    await startAndCall(...await buildContainer("on-node"));
  });

  it("for Bun is installed, checked, tested, started, called and stopped", async () => {
    await createPacked("on-bun", "--for=bun");
    await runIn("on-bun", bun, "install");
    assertStringIncludes(await runIn("on-bun", bun, "test"), "3 pass");
    await runIn("on-bun", bun, "run", "check");
    await assertStops("on-bun");
    await startAndCall(...await buildContainer("on-bun"));
  });

  it("for Workers is installed, checked, tested, started and called", async () => {
    await createPacked("on-workers", "--for=workers");
    await runIn("on-workers", "npm", "install", ...FLAGS);
    assertStringIncludes(await runIn("on-workers", "npm", "test"), "pass 3");
    await runIn("on-workers", "npm", "run", "check");
    await startAndCall("on-workers", await startOf("on-workers"));
  });

  it("for Deno is checked, tested, started and called", async () => {
    const program = new URL("src/create/mod.ts", ROOT).pathname;
    await run(Deno.execPath(), ["run", "--allow-all", program, `${directory}/on-deno`]);
    // The checkout in place of the module on JSR.
    const file = `${directory}/on-deno/deno.json`;
    const settings = JSON.parse(await Deno.readTextFile(file));
    assertEquals(settings.imports["@fw/core"], `jsr:@fw/core@^${config.version}`);
    for (const [subpath, path] of Object.entries(config.exports)) {
      settings.imports[`@fw/core${subpath.slice(1)}`] = new URL(path, ROOT).href;
    }
    await Deno.writeTextFile(file, JSON.stringify(settings));
    assertStringIncludes(await runIn("on-deno", Deno.execPath(), "task", "test"), "3 passed");
    await runIn("on-deno", Deno.execPath(), "task", "check");
    await startAndCall("on-deno", settings.tasks.start);
    await startAndCall(...await buildContainer("on-deno"));
  });
});

/** A route whose response does not end. It sends a byte each second: Bun ends silent responses after ten. */
const ENDLESS = `route.get("/endless", {
  resolve: () => new Response(new ReadableStream({
    pull: (controller) => new Promise((done) => setTimeout(done, 1000)).then(() => controller.enqueue(new Uint8Array(1))),
  })),
}),`;

const FLAGS = ["--no-audit", "--no-fund", "--prefer-offline"];
