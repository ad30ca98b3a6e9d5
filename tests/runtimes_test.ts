/** The same routes, served by each runtime in a process of its own, as the entries in examples/runtimes/ say. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { BUN, bundle, findProgram } from "./runtimes/programs.ts";
import { type ServerProcess, startServer } from "./server_process.ts";
import { until } from "./until.ts";

const granted = (["env", "net", "read", "run", "write"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

/** A running server; workerd is not ours to start as a process, miniflare does. */
type Server = Pick<ServerProcess, "origin" | "stop"> & Partial<ServerProcess>;

const RUNTIMES: Readonly<Record<string, (directory: string) => Promise<Server>>> = {
  "Deno": () =>
    startServer(Deno.execPath(), ["serve", "--host", "127.0.0.1", "--port", "0", "examples/runtimes/deno.ts"]),

  "Bun": async () => startServer(await findProgram(BUN, "bun"), ["run", "examples/runtimes/bun.ts"], { PORT: "0" }),

  "Node.js": async (directory) =>
    startServer("node", [await bundle("examples/runtimes/node.ts", directory)], { PORT: "0" }),

  "Workers": async (directory) => {
    // Only now: it looks at the environment at once, and where that is not permitted these tests are skipped.
    const { Miniflare } = await import("miniflare");
    const worker = new Miniflare({
      modules: true,
      modulesRoot: "/",
      scriptPath: await bundle("examples/runtimes/worker.ts", directory),
      compatibilityDate: "2026-01-01",
      bindings: { RUNTIME: "Workers" },
      host: "127.0.0.1",
      port: 0,
      handleRuntimeStdio() {}, // the error that a route throws on purpose
    });
    return { origin: (await worker.ready).origin, stop: () => worker.dispose() };
  },
};

for (const [runtime, start] of Object.entries(RUNTIMES)) {
  (granted ? describe : describe.skip)(`on ${runtime}, with a server of its own`, () => {
    let server: Server;
    let directory = "";
    before(async () => {
      directory = await Deno.makeTempDir();
      server = await start(directory);
    });
    after(async () => {
      await server.stop();
      await Deno.remove(directory, { recursive: true });
    });
    const request = (path: string, init?: RequestInit) => fetch(server.origin + path, init);

    it("routes, decodes parameters and hands the environment over", async () => {
      const response = await request("/hello/Zo%C3%AB");
      assertEquals([response.status, await response.text()], [200, `Hello Zoë, from ${runtime}`]);
      const missing = await request("/hello/");
      assertEquals([missing.status, await missing.text()], [404, ""]);
    });

    it("knows the client's address from what the runtime hands over", async () => {
      assertMatch(await (await request("/address")).text(), /^(::ffff:)?127\.0\.0\.1$|^::1$|^$/);
      if (runtime !== "Workers") assert((await (await request("/address")).text()) !== "");
    });

    it("reads and validates a body, and bounds it", async () => {
      const post = async (body: string) => {
        const response = await request("/guests", { method: "POST", body });
        return [response.status, await response.json()];
      };
      assertEquals(await post('{"name":"Ada"}'), [201, { name: "Ada" }]);
      assertEquals((await post("{"))[0], 400);
      assertEquals(await post('{"nom":"Ada"}'), [400, [{ part: "body", path: [], message: "Not accepted" }]]);
      const [status, [issue]] = await post(`"${"x".repeat(70_000)}"`);
      assertEquals([status, issue.code], [413, "body_too_large"]);
    });

    it("lets work go on after the response", async () => {
      const before = await (await request("/visits")).json();
      const response = await request("/visits", { method: "POST" });
      assertEquals([response.status, await response.text()], [202, ""]);
      await until(async () => await (await request("/visits")).json() !== before);
      assertEquals(await (await request("/visits")).json(), before + 1);
    });

    it("answers HEAD where a route says so, with the headers and no body, and nowhere else", async () => {
      const head = await request("/page", { method: "HEAD" });
      assertEquals([head.status, head.headers.get("x-page"), await head.text()], [200, "1", ""]);
      assertEquals((await request("/hello/ada", { method: "HEAD" })).status, 404);
      assertEquals((await request("/page", { method: "OPTIONS" })).status, 404);
    });

    it("streams, until the client has had enough", async () => {
      const aborter = new AbortController();
      // Compressed by the runtime's server, a stream would not come line by line.
      const response = await request("/lines", { signal: aborter.signal, headers: { "accept-encoding": "identity" } });
      let text = "";
      const decoder = new TextDecoder();
      for await (const bytes of response.body ?? []) {
        text += decoder.decode(bytes, { stream: true });
        if (text.includes("line 3\n")) break;
      }
      aborter.abort();
      assert(text.startsWith("line 1\nline 2\nline 3\n"), text);
      assertEquals(await (await request("/page")).text(), "A page");
    });

    it("takes urls as they come", async () => {
      for (
        const [path, rest] of [["a%2Fb", "a/b"], ["%25zz", "%zz"], ["a//b", "a//b"], ["%E2%82%AC", "€"], [
          "x?y=/z",
          "x",
        ]]
      ) {
        assertEquals(await (await request(`/files/${path}`)).json(), rest);
      }
    });

    it("leaves an error that nobody handles to the runtime: it is logged, and the client gets a 500 with nothing of it", async () => {
      const response = await request("/broken");
      assertEquals(response.status, 500);
      const text = await response.text();
      if (server.printed === undefined) {
        // Miniflare is a tool for development: it shows the error to the client instead.
        assertMatch(text, /The disk is full/);
      } else {
        assert(!/disk|routes\.ts|lifecycle|at /.test(text), text);
        const { printed } = server;
        await until(() => printed().includes("The disk is full"), printed);
      }
      assertEquals(await (await request("/page")).text(), "A page");
    });
  });
}
