/** Sockets of Node.js, over real connections, with `node:http` and `ws` as Deno runs them. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type App, endpoint, reply, route, setup } from "../../mod.ts";
import { accept, handshake, nodeSockets, socket, type Sockets } from "../../src/sockets/mod.ts";
import { standardSchema } from "../../src/standard_schema/mod.ts";
import { granted } from "../support/granted.ts";
import { testSockets } from "../support/sockets/cases.ts";
import { concat, connectRaw, encodeFrame } from "../support/sockets/raw_client.ts";
import { until } from "../support/until.ts";

const PING = 9;
const PONG = 10;

const responses = { 101: socket({ client: {}, server: {} }), 400: {}, 403: {}, 426: {} };
const api = { live: endpoint.get("/live", { responses }) };

/** An app with a socket, which tells how sockets have ended. */
function createLive(closed: number[], options: { readonly replaces?: boolean } = {}): App<[Sockets]> {
  return setup({
    handlers: [
      route.on(api.live, {
        guards: [handshake({ origins: [] })],
        resolve: (c, sockets: Sockets) =>
          accept(c, api.live, sockets, { receive: {}, invalid() {}, closed: (code) => void closed.push(code) }),
      }),
      route.get("/long", { resolve: () => new Response(endless(), { headers: { "x-name": "é" } }) }),
      route.get("/head", { resolve: () => reply(204) }),
      route.get("/fails", {
        resolve: () => {
          throw new Error("the database secret");
        },
      }),
    ],
    onResponse: () => options.replaces ? new Response("replaced", { status: 503 }) : undefined,
  });
}

/** A body that never ends. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
}

if (granted("env", "net", "read")) {
  // Imported here, since `ws` reads the environment on import.
  const { serveNode, startNode, WebSocketServer } = await import("../support/sockets/node_server.ts");
  testSockets("node:http", startNode, { tellsUnsent: true, pings: true });

  const start = async (app: App<[Sockets]>, onError: (error: unknown) => void = () => {}) =>
    await serveNode(app, nodeSockets({ WebSocketServer, validator: standardSchema, onError }));

  /** Sends a text, and reads to the end of the connection. */
  const exchange = async (origin: string, text: string) => {
    const { hostname, port } = new URL(origin);
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(new TextEncoder().encode(text));
    return await new Response(connection.readable).text();
  };

  describe("a request with the header Upgrade on Node.js", () => {
    it("gets the response of the app if it does not become a socket", async () => {
      const server = await start(createLive([]));
      const upgrade = "Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n";
      assertEquals(
        await exchange(server.origin, `GET /head HTTP/1.1\r\n${upgrade}`),
        "HTTP/1.1 204 \r\nconnection: close\r\n\r\n",
      );
      assertMatch(await exchange(server.origin, `GET /none HTTP/1.1\r\n${upgrade}`), /^HTTP\/1.1 404 /);
      // The absolute form, as proxies send it.
      assertMatch(
        await exchange(server.origin, `GET http://localhost/head HTTP/1.1\r\n${upgrade}`),
        /^HTTP\/1.1 204 /,
      );
      assertMatch(
        await exchange(server.origin, "GET /head HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"),
        /^HTTP\/1.1 204 /,
      );
      // A body cannot be read there.
      assertMatch(
        await exchange(server.origin, `POST /head HTTP/1.1\r\nContent-Length: 2\r\n${upgrade}{}`),
        /^HTTP\/1.1 400 /,
      );
      for (const host of ["a b", "", "localhost:99999"]) {
        const text = `GET /head HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
        assertMatch(await exchange(server.origin, text), /^HTTP\/1.1 40[04] /, host);
      }
      await server.stop();
    });

    it("reads a long body only as fast as its client", async () => {
      const server = await start(createLive([]));
      using client = await connectRaw(server.origin, "/long", { upgrade: "h2c" });
      assertEquals([client.status, client.headers.get("x-name")], [200, "é"]);
      assertEquals((await client.body(1_000_000)).length, 1_000_000);
      client.connection.close();
      await server.stop();
    });

    it("cancels the body when the client goes, also while it waits for the next part", async () => {
      for (const parts of [1, Infinity]) {
        let left = parts;
        let isCancelled = false;
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 0));
            if (left-- > 0) controller.enqueue(new Uint8Array(10));
            else await new Promise(() => {});
          },
          cancel() {
            isCancelled = true;
          },
        });
        const app = setup({ handlers: [route.get("/parts", { resolve: (_c, _: Sockets) => new Response(body) })] });
        const server = await start(app);
        using client = await connectRaw(server.origin, "/parts", { upgrade: "h2c" });
        assertEquals((await client.body(10)).length, 10);
        client.connection.close();
        await until(() => isCancelled);
        await server.stop();
      }
    });

    it("is cut off, and no second response follows, if its body fails", async () => {
      const errors: unknown[] = [];
      let isFirst = true;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (!isFirst) throw new Error("the database secret");
          isFirst = false;
          controller.enqueue(new TextEncoder().encode("first"));
        },
      });
      const app = setup({ handlers: [route.get("/fails", { resolve: (_c, _: Sockets) => new Response(body) })] });
      const server = await start(app, (error) => void errors.push(error));
      using client = await connectRaw(server.origin, "/fails", { upgrade: "h2c" });
      assertMatch(await client.rest(), /^(first)?$/);
      assertEquals(errors.map(String), ["Error: the database secret"]);
      await server.stop();
    });

    it("gets a 500 if the app fails, and onError the error", async () => {
      const errors: string[] = [];
      const server = await start(createLive([]), (error) => {
        errors.push(`${error}`);
        throw error;
      });
      using client = await connectRaw(server.origin, "/fails");
      assertEquals([client.status, await client.rest(), errors], [500, "", ["Error: the database secret"]]);
      await server.stop();
    });

    it("does not become a socket if a hook replaces the response, or if ws rejects it", async () => {
      const closed: number[] = [];
      const replaced = await start(createLive(closed, { replaces: true }));
      using client = await connectRaw(replaced.origin, "/live");
      assertEquals([client.status, await client.rest(), closed], [503, "replaced", [1006]]);
      await replaced.stop();
      const server = await start(createLive(closed));
      using rejected = await connectRaw(server.origin, "/live", { "sec-websocket-protocol": ",," });
      assertEquals([rejected.status, closed], [400, [1006, 1006]]);
      await server.stop();
    });

    it("ends when the client goes before the app has responded", async () => {
      const started = Promise.withResolvers<AbortSignal>();
      const app = setup({
        handlers: [
          route.get("/live", {
            async resolve({ request }, _sockets: Sockets) {
              started.resolve(request.signal);
              await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
              return new Response("late");
            },
          }),
        ],
      });
      const server = await start(app);
      const connecting = connectRaw(server.origin, "/live").catch(() => {});
      const signal = await started.promise;
      server.cut();
      await connecting;
      await until(() => signal.aborted);
      await server.stop();
    });
  });

  describe("a socket of Node.js", () => {
    it("answers no more pings than its client reads, and the last one", async () => {
      const server = await start(createLive([]));
      using client = await connectRaw(server.origin, "/live");
      const pings = 200_000;
      for (let index = 0; index < pings; index += 1000) {
        const some = Array.from({ length: 1000 }, (_, n) => encodeFrame(PING, `${index + n}`.padEnd(125)));
        await client.write(concat(some));
      }
      let answered = 0;
      for (let last = ""; last !== `${pings - 1}`; answered++) {
        const frame = await client.next();
        assertEquals(frame?.opcode, PONG);
        last = `${frame?.text}`.trim();
      }
      assert(answered < pings * 0.9, `${answered} answers`);
      // Else the server waits for the client to close the connection.
      client.connection.close();
      await server.stop();
    });
  });

  describe("nodeSockets()", () => {
    it("gives the app the scheme of the connection", async () => {
      const sockets = nodeSockets({ WebSocketServer, validator: standardSchema, onError() {} });
      const urls: string[] = [];
      const listener = sockets.serve(({ url }) => {
        urls.push(url);
        return new Response();
      });
      await new Promise<void>((resolve) => {
        const connection = {
          encrypted: true,
          on() {},
          write: () => true,
          resume() {},
          destroy: resolve,
          end: (done: () => void) => done(),
        };
        listener({ method: "GET", url: "/a?b", rawHeaders: ["host", "example.com"] }, connection, new Uint8Array());
      });
      assertEquals(urls, ["https://example.com/a?b"]);
    });

    it("throws for a request that it has not received", () => {
      const sockets = nodeSockets({ WebSocketServer, validator: standardSchema, onError() {} });
      const events = { open() {}, message() {}, drain() {}, close() {} };
      assertThrows(
        () => sockets.upgrade(new Request("http://localhost/"), events),
        TypeError,
        'Node.js must upgrade the request that it has received: server.on("upgrade", sockets.serve(…))',
      );
      assert(sockets.tellsUnsent);
    });
  });
}
