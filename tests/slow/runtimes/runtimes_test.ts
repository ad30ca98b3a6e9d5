/** Each runtime serves the same routes in a process of its own, by its entry in examples/runtimes/. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { spawnSync } from "node:child_process";
import { assertMaySkip } from "../../support/assert_may_skip.ts";
import { BUN, bundle, findProgram, run } from "./programs.ts";
import { ROOT, type ServerProcess, startServer } from "../../support/server_process.ts";
import { until } from "../../support/until.ts";
import { LOCKED } from "../../support/flags.ts";
import { granted } from "../../support/granted.ts";

/** Arguments of `unshare` that make a program process 1, as in a container; without root, where users may make namespaces. */
const AS_PROCESS_1 = ["--map-root-user", "--pid", "--fork"];

const isGranted = granted("env", "net", "read", "run", "write");
const hasNamespaces = isGranted && spawnSync("unshare", [...AS_PROCESS_1, "true"]).status === 0;
if (!hasNamespaces) assertMaySkip("The right to make namespaces with `unshare`");

/** A running server. Miniflare starts workerd, so workerd has no process here. */
type Server = Partial<Omit<ServerProcess, "stop">> & { readonly origin: string; stop(): Promise<void> };

/** The commands of the servers that run as processes of their own. */
const COMMANDS: Readonly<Record<string, (directory: string) => Promise<readonly string[]>>> = {
  "Deno": () =>
    Promise.resolve([Deno.execPath(), "serve", "--host", "127.0.0.1", "--port", "0", "examples/runtimes/deno.ts"]),
  "Bun": async () => [await findProgram(BUN, "bun"), "run", "examples/runtimes/bun.ts"],
  "Node.js": async (directory) => ["node", await bundle("examples/runtimes/node.ts", directory)],
};

function start([program = "", ...args]: readonly string[]): Promise<ServerProcess> {
  return startServer(program, args, { PORT: "0" });
}

const RUNTIMES: Readonly<Record<string, (directory: string) => Promise<Server>>> = {
  ...Object.fromEntries(
    Object.entries(COMMANDS).map(([runtime, command]) => [
      runtime,
      async (directory) => start(await command(directory)),
    ]),
  ),

  "Workers": async (directory) => {
    // Imported here, since it reads the environment on import: without that permission these tests are skipped.
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

for (const [runtime, startRuntime] of Object.entries(RUNTIMES)) {
  (isGranted ? describe : describe.skip)(
    `on ${runtime}, with a server of its own`,
    () => {
      let server: Server;
      let directory = "";
      before(async () => {
        directory = await Deno.makeTempDir();
        server = await startRuntime(directory);
      });
      after(async () => {
        await server.stop();
        await Deno.remove(directory, { recursive: true });
      });
      const request = (path: string, init?: RequestInit) => fetch(server.origin + path, init);

      it("routes, decodes parameters and passes the environment on", async () => {
        const response = await request("/hello/Zo%C3%AB");
        assertEquals([response.status, await response.text()], [200, `Hello Zoë, from ${runtime}`]);
        const missing = await request("/hello/");
        assertEquals([missing.status, await missing.text()], [404, ""]);
      });

      it("knows the client's address from the runtime's arguments", async () => {
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

      it("responds to a body that is nested as deeply as its bound allows", async () => {
        const nested = `{"name":"Ada","more":${"[".repeat(32_000)}${"]".repeat(32_000)}}`;
        const response = await request("/guests", { method: "POST", body: nested });
        assertEquals([response.status, await response.json()], [201, { name: "Ada" }]);
      });

      it("lets work continue after the response", async () => {
        const before = await (await request("/visits")).json();
        const response = await request("/visits", { method: "POST" });
        assertEquals([response.status, await response.text()], [202, ""]);
        await until(async () => await (await request("/visits")).json() !== before);
        assertEquals(await (await request("/visits")).json(), before + 1);
      });

      it("responds to HEAD only on a route for HEAD, with the headers and no body", async () => {
        const head = await request("/page", { method: "HEAD" });
        assertEquals([head.status, head.headers.get("x-page"), await head.text()], [200, "1", ""]);
        assertEquals((await request("/hello/ada", { method: "HEAD" })).status, 404);
        assertEquals((await request("/page", { method: "OPTIONS" })).status, 404);
      });

      it("streams until the client disconnects", async () => {
        const aborter = new AbortController();
        // If the server compressed the stream, it would not arrive line by line.
        const response = await request("/lines", {
          signal: aborter.signal,
          headers: { "accept-encoding": "identity" },
        });
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

      it("accepts urls as the runtime passes them", async () => {
        for (
          const [path, rest] of [["a%2Fb", "a/b"], ["%25zz", "%zz"], ["a//b", "a//b"], ["%E2%82%AC", "€"], [
            "x?y=/z",
            "x",
          ]]
        ) {
          assertEquals(await (await request(`/files/${path}`)).json(), rest);
        }
      });

      it("leaves an unhandled error to the runtime: it is logged, and the client receives a 500 without its text", async () => {
        const response = await request("/broken");
        assertEquals(response.status, 500);
        const text = await response.text();
        if (server.printed === undefined) {
          // Miniflare is for development: it sends the error to the client instead.
          assertMatch(text, /The disk is full/);
        } else {
          assert(!/disk|routes\.ts|lifecycle|at /.test(text), text);
          const { printed } = server;
          await until(() => printed().includes("The disk is full"), printed);
        }
        assertEquals(await (await request("/page")).text(), "A page");
      });

      it("logs an error of work that goes on after the response, and serves on", async () => {
        const response = await request("/broken", { method: "POST" });
        assertEquals([response.status, await response.text()], [202, ""]);
        const { printed } = server;
        if (printed !== undefined) await until(() => printed().includes("The mail server is gone"), printed);
        assertEquals(await (await request("/page")).text(), "A page");
      });
    },
  );
}

(isGranted ? describe : describe.skip)("on Node.js, the server", () => {
  it("responds with 400 to a target that a proxy and the adapter read in two ways", async () => {
    const directory = await Deno.makeTempDir();
    const server = await start(["node", await bundle("examples/runtimes/node.ts", directory)]);
    try {
      const statuses = ["/page", "/x/../page", "/%2e/page", "/..\\page", "http:///page"].map(async (target) => {
        using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(server.origin).port) });
        await connection.write(
          new TextEncoder().encode(`GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`),
        );
        return (await new Response(connection.readable).text()).slice(9, 12);
      });
      assertEquals(await Promise.all(statuses), ["200", "400", "400", "400", "400"]);
    } finally {
      await server.stop();
      await Deno.remove(directory, { recursive: true });
    }
  });
});

(isGranted ? describe : describe.skip)("on SIGTERM, a server", () => {
  const HALF = 'POST /guests HTTP/1.1\r\nHost: h\r\nContent-Length: 14\r\n\r\n{"name"';
  let directory = "";
  before(async () => {
    directory = await Deno.makeTempDir();
  });
  after(() => Deno.remove(directory, { recursive: true }));

  for (const [runtime, command] of Object.entries(COMMANDS)) {
    it(`finishes open requests, ends streams, accepts no new ones and exits with 0, on ${runtime}`, async () => {
      const server = await start(await command(directory));
      using idle = await connect(server, "GET /page HTTP/1.1\r\nHost: h\r\n\r\n");
      await readUntil(idle, "A page");
      using stream = await connect(server, "GET /lines HTTP/1.1\r\nHost: h\r\n\r\n");
      await readUntil(stream, "line 1\n");
      using request = await connect(server, HALF);
      await fetch(`${server.origin}/page`).then((response) => response.text()); // by now the first half has been read

      const stopping = server.stop();
      await readUntil(stream, "0\r\n\r\n"); // the last chunk
      assertEquals(await idle.read(new Uint8Array(1)), null);
      await assertRejects(() => connect(server, ""), Deno.errors.ConnectionRefused);
      const answer = runtime === "Deno" ? "\r\n\r\n" : '{"name":"Ada"}';
      if (runtime !== "Deno") await request.write(new TextEncoder().encode(':"Ada"}'));
      const head = await readUntil(request, answer);
      assertMatch(head, runtime === "Deno" ? /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n/ : /^HTTP\/1\.1 201 /);
      request.close();
      await stopping;
      assertEquals(await server.exitCode, 0);
    });
  }

  it("finishes the work that goes on after a response, and exits with 0", async () => {
    const ends = Object.entries(COMMANDS).map(async ([runtime, command]) => {
      const server = await start(await command(directory));
      const { status } = await fetch(`${server.origin}/mails`, { method: "POST" });
      assertEquals([runtime, status], [runtime, 202]);
      await server.stop();
      return [runtime, await server.exitCode, server.printed().includes("The mail is sent")];
    });
    assertEquals(await Promise.all(ends), [["Deno", 0, true], ["Bun", 0, true], ["Node.js", 0, true]]);
  });

  (hasNamespaces ? it : it.skip)("exits with 0 as process 1 of a container, too", async () => {
    for (const [runtime, command] of Object.entries(COMMANDS)) {
      const server = await start(["unshare", ...AS_PROCESS_1, ...await command(directory)]);
      const children = await Deno.readTextFile(`/proc/${server.pid}/task/${server.pid}/children`);
      Deno.kill(Number(children), "SIGTERM");
      // `unshare` ignores the signal and exits with the code of the server.
      await server.stop();
      assertEquals([runtime, await server.exitCode], [runtime, 0]);
    }
  });

  it("exits with 0 even if a client never sends the rest of its request", async () => {
    const codes = Object.entries(COMMANDS).map(async ([runtime, command]) => {
      const server = await start(await command(directory));
      using _request = await connect(server, HALF);
      await fetch(`${server.origin}/page`).then((response) => response.text());
      await server.stop();
      return [runtime, await server.exitCode];
    });
    assertEquals(await Promise.all(codes), [["Deno", 0], ["Bun", 0], ["Node.js", 0]]);
  });
});

(isGranted ? describe : describe.skip)(
  "the oldest Deno that examples/books.ts promises",
  () => {
    let deno = "";
    before(async () => {
      // The program of the npm package only starts this one, and does not pass signals on.
      deno = (await run(await findProgram("deno@2.5.0", "deno"), ["eval", "console.log(Deno.execPath())"])).trim();
    });

    it("is named at the beginning of the example", async () => {
      assertMatch(await Deno.readTextFile(new URL("examples/books.ts", ROOT)), /^\/\/ With Deno 2\.5 or later/m);
    });

    it("checks its types", async () => {
      // Not locked: this version adds types of Node.js that the lock file does not have. It trusts the certificates that Deno 2.9 does.
      await run("env", ["DENO_TLS_CA_STORE=mozilla,system", deno, "check", "examples/books.ts"]);
    });

    it("serves it, and ends with 0 on SIGTERM though a client never sends the rest of its request", async () => {
      const flags = ["--host=127.0.0.1", "--port=0", ...LOCKED];
      const server = await start([deno, "serve", ...flags, "examples/books.ts"]);
      const response = await fetch(`${server.origin}/books?limit=3`);
      assertEquals([response.status, (await response.json()).data.length], [200, 3]);
      using _request = await connect(server, "POST /books HTTP/1.1\r\nHost: h\r\nContent-Length: 14\r\n\r\n{");
      await fetch(`${server.origin}/books`).then((response) => response.text());
      await server.stop();
      assertEquals(await server.exitCode, 0);
    });
  },
);

async function connect({ origin }: Server, text: string): Promise<Deno.Conn> {
  const { hostname, port } = new URL(origin);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode(text));
  return connection;
}

/** Reads until this text arrives, and returns all that was read. */
async function readUntil(connection: Deno.Conn, expected: string): Promise<string> {
  const bytes = new Uint8Array(4096);
  let text = "";
  while (!text.includes(expected)) {
    const count = await connection.read(bytes);
    assert(count !== null, `The connection ended before ${expected}: ${text}`);
    text += new TextDecoder().decode(bytes.subarray(0, count));
  }
  return text;
}
