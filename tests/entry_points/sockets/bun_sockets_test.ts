import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type BunSocket, type BunSocketData, bunSockets } from "../../../src/sockets/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";

const options = { validator: standardSchema, onError: () => {} };

/** A socket of Bun, and what is done to it. */
function fakeSocket(data: BunSocketData): BunSocket & { readonly log: string[] } {
  const log: string[] = [];
  return {
    data,
    log,
    send: (text) => log.push(text),
    close: (code, reason) => void log.push(`close ${code} ${reason}`),
    terminate: () => void log.push("terminate"),
    ping: () => log.push("ping"),
    getBufferedAmount: () => 7,
  };
}

describe("bunSockets()", () => {
  it("upgrades by the server that has received the request, and then responds with nothing", async () => {
    const sockets = bunSockets(options);
    const log: unknown[] = [];
    const fetch = sockets.serve((request, { upgrade }) =>
      upgrade(request, {
        open: (socket) => {
          socket.send("hello");
          log.push(socket.unsent());
          socket.close(4000, "bye");
          socket.terminate();
        },
        message: (data) => log.push(data),
        drain: () => log.push("drain"),
        close: (code, reason) => log.push(`${code} ${reason}`),
      })
    );
    let data: BunSocketData | undefined;
    const server = {
      upgrade(_request: Request, init: { readonly data: BunSocketData }) {
        data = init.data;
        return true;
      },
    };
    assertEquals(await fetch(new Request("http://localhost/"), server), undefined);
    const socket = fakeSocket(data as BunSocketData);
    const { websocket } = sockets;
    websocket.open(socket);
    websocket.message(socket, "text");
    websocket.pong(socket);
    websocket.drain(socket);
    websocket.close(socket, 4000, "bye");
    assertEquals(socket.log, ["hello", "close 4000 bye", "terminate"]);
    assertEquals(log, [7, "text", "drain", "4000 bye"]);
    assertEquals([websocket.maxPayloadLength, websocket.idleTimeout], [65_536, 0]);
  });

  it("responds with 400 if Bun rejects the request, and as the app does without a socket or after a hook", async () => {
    const sockets = bunSockets(options);
    const closed: number[] = [];
    const events = { open() {}, message() {}, drain() {}, close: (code: number) => void closed.push(code) };
    const server = { upgrade: () => false };
    const rejected = sockets.serve((request, { upgrade }) => upgrade(request, events));
    assertEquals((await rejected(new Request("http://localhost/"), server))?.status, 400);
    assertEquals(closed, [1006]);
    const replaced = sockets.serve((request, { upgrade }) => {
      upgrade(request, events);
      return new Response("replaced", { status: 503 });
    });
    const willing = { upgrade: () => true };
    const other = await replaced(new Request("http://localhost/"), willing);
    assertEquals([other?.status, await other?.text(), closed], [503, "replaced", [1006, 1006]]);
    const denied = sockets.serve((_request, _sockets, given) => new Response(`${given === server}`, { status: 403 }));
    const response = await denied(new Request("http://localhost/"), server);
    assertEquals([response?.status, await response?.text()], [403, "true"]);
    await assertRejects(
      // deno-lint-ignore require-await
      async () => sockets.upgrade(new Request("http://localhost/"), events),
      TypeError,
      "Bun must upgrade the request that it has received: use serve() of bunSockets",
    );
  });

  it("pings, and ends the connection of a client that does not answer", async () => {
    const { websocket } = bunSockets({ ...options, patience: 1 });
    const events = { open() {}, message() {}, drain() {}, close() {} };
    const [alive, dead] = [fakeSocket({ events }), fakeSocket({ events })];
    alive.ping = () => {
      alive.log.push("ping");
      websocket.pong(alive);
    };
    websocket.open(alive);
    websocket.open(dead);
    await new Promise<void>((resolve) => {
      dead.terminate = () => {
        dead.log.push("terminate");
        websocket.close(dead, 1006, "");
        resolve();
      };
    });
    websocket.close(alive, 1000, "");
    assertEquals(dead.log, ["ping", "terminate"]);
    assertEquals(alive.log.filter((entry) => entry !== "ping"), []);
  });
});
