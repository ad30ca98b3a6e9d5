/**
 * Sends requests with hostile `Host` headers and targets to running servers, as raw bytes: the servers of each runtime, the
 * oldest Bun that the manual promises, and adapters on `node:http` that people write themselves.
 */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { BUN, bundle, findProgram } from "./programs.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { granted } from "../../support/granted.ts";

/** The oldest version that the manual promises. */
const OLDEST_BUN = "bun@1.1.45";

/** A server, and whether an invalid `Host` header can move a path on it: see the table in `.github/manual/deployment.md`. */
interface Server {
  readonly name: string;
  readonly isMovedByHost: boolean;
  start(...args: readonly string[]): Promise<ServerProcess>;
}

const startBun = (bun: string, file: string) => async (...args: readonly string[]) =>
  await startServer(await findProgram(bun, "bun"), ["run", file, ...args]);
const startNode = (file: string) => async (...args: readonly string[]) => {
  const directory = await Deno.makeTempDir();
  try {
    return await startServer("node", [await bundle(file, directory), ...args]);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
};

const SERVERS: readonly Server[] = [
  {
    name: "Deno",
    isMovedByHost: true,
    start: (...args) =>
      startServer(Deno.execPath(), ["run", "--allow-net", "tests/slow/runtimes/wire/deno.ts", ...args]),
  },
  { name: "Bun 1.4", isMovedByHost: false, start: startBun(BUN, "tests/slow/runtimes/wire/bun.ts") },
  { name: "Bun 1.1.45", isMovedByHost: true, start: startBun(OLDEST_BUN, "tests/slow/runtimes/wire/bun.ts") },
  {
    name: "Node.js with @hono/node-server",
    isMovedByHost: false,
    start: startNode("tests/slow/runtimes/wire/node.ts"),
  },
  {
    name: "Bun 1.4 with an adapter on node:http",
    isMovedByHost: true,
    start: startBun(BUN, "tests/slow/runtimes/wire/adapter.ts"),
  },
  {
    name: "Bun 1.1.45 with an adapter on node:http",
    isMovedByHost: true,
    start: startBun(OLDEST_BUN, "tests/slow/runtimes/wire/adapter.ts"),
  },
  {
    name: "Node.js with an adapter on node:http",
    isMovedByHost: true,
    start: startNode("tests/slow/runtimes/wire/adapter.ts"),
  },
];

const TARGETS = ["/public", "/", "*", "/b", "/one/1", "/x", "/public?x=/admin", "/b?*", "//admin", "/files/a/b"];
const HOSTS = ["", "/admin", "/b", "/x/admin", "/one", "/files/", "?", "#", "/"]
  .flatMap((path) => ["", "?", "#", "?x=", "/"].map((end) => `h${path}${end}`))
  .concat(["h\\admin?", "u@h", "h /admin?", "h/admin *", "u:p@h/admin?", "h:80/admin?", "[::1]/admin#", "x/adm"]);

for (const { name, isMovedByHost, start } of SERVERS) {
  (granted("net", "read", "run", "write") ? describe : describe.skip)(`the url of a request, on ${name}`, () => {
    let server: ServerProcess;
    let trusting: ServerProcess;
    before(async () => {
      [server, trusting] = [await start(), await start("--trust-url")];
    });
    after(async () => {
      await server.stop();
      await trusting.stop();
    });

    /** Returns status and body of the response to a request with these bytes in the places of target and host. */
    const get = async (to: ServerProcess, target: string, host = "h"): Promise<string> => {
      using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(to.origin).port) });
      const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: x\r\nConnection: close\r\n\r\n`;
      await connection.write(new TextEncoder().encode(head));
      const answer = await new Response(connection.readable).text();
      const [headers = "", body = ""] = answer.split(/\r\n\r\n/, 2);
      const status = /^HTTP\/1\.1 (\d+)/.exec(headers)?.[1] ?? "closed";
      return status === "200" ? body.replace(/^[0-9a-f]+\r\n|\r\n0$/g, "").trim() : "refused";
    };
    /** The requests that reach another handler than they do with a proper host. */
    const movedOn = async (to: ServerProcess) => {
      const moved: string[] = [];
      for (const target of TARGETS) {
        const own = await get(to, target);
        for (const host of HOSTS) {
          const answer = await get(to, target, host);
          if (answer !== own && answer !== "refused") moved.push(`GET ${target}, Host: ${host} reaches ${answer}`);
        }
      }
      return moved;
    };

    it("reaches its own handler or none, whatever the Host header is", async () => {
      assertEquals(await get(server, "/public"), "public");
      assertEquals(await get(server, "/admin"), "admin");
      assertEquals(await get(server, "*", "x/admin?"), "refused");
      assertEquals(await movedOn(server), []);
    });

    it(`can${isMovedByHost ? "" : "not"} be moved by the Host header if the app trusts urls`, async () => {
      assertEquals((await movedOn(trusting)).length > 0, isMovedByHost);
    });

    it("reaches no handler with a fragment or with a decoded dot segment, unless the app trusts urls", async () => {
      for (const target of ["/public#x", "/admin#", "/public?x#y", "/files/#/x", "/files/a#b?c"]) {
        assertEquals(await get(server, target), "refused", target);
      }
      for (
        const [target, seen] of [
          ["/files/..%2fx", '"../x"'],
          ["/files/%2e%2e%5cx", '"..\\\\x"'],
          ["/files/a/..%2F", '"a/../"'],
          ["/one/a%2f..", '"a/.."'],
          ["/one/.%5C", '".\\\\"'],
        ] as const
      ) {
        assertEquals(await get(server, target), "refused", target);
        assertEquals(await get(trusting, target), seen, target);
      }
      assertEquals(await get(trusting, "/public#x"), "public");
      for (const target of ["/files/a%2fb", "/files/..a%2f", "/one/%252e%252e%252f"]) {
        assert(await get(server, target) !== "refused", target);
      }
    });
  });
}

(granted("net", "read", "run", "write") ? describe : describe.skip)("an empty Host header", () => {
  it("takes a segment from the path only on adapters that put it in front of the target", async () => {
    for (const { name, start } of SERVERS) {
      await using server = await start();
      using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(server.origin).port) });
      const head = "GET /x/admin HTTP/1.1\r\nHost: \r\nAuthorization: x\r\nConnection: close\r\n\r\n";
      await connection.write(new TextEncoder().encode(head));
      const answer = await new Response(connection.readable).text();
      // Nothing of it is left in such a request: the manual tells who writes an adapter to use a constant origin.
      assertEquals(answer.includes("admin"), name.includes("adapter"), name);
    }
  });
});
