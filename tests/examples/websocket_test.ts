import { assertEquals, assertMatch } from "@std/assert";
import { connect, type Socket } from "node:net";
import { after, before, describe, it } from "@std/testing/bdd";
import { until } from "../support/until.ts";
import { granted } from "../support/granted.ts";
import { serve, type Served } from "./serve.ts";

const HANDSHAKE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

(granted("net", "read", "run") ? describe : describe.skip)("examples/websocket.ts", () => {
  let served: Served;
  before(async () => {
    served = await serve("examples/websocket.ts");
  });
  after(async () => {
    // On SIGTERM, Deno waits up to 15 seconds for a WebSocket whose client disconnected without closing it.
    Deno.kill(served.pid, "SIGKILL");
    await served.stop();
  });

  it("websocket.ts echoes messages, in order, and says what is wrong with others", async () => {
    const sent = ["Hello", "", "é\0\n", "x".repeat(65_000)];
    const received: unknown[] = [];
    const socket = await open();
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.addEventListener("message", ({ data }) => {
      if (data !== "{}" && received.push(JSON.parse(data)) === sent.length + 2) resolve();
    });
    for (const data of sent) socket.send(JSON.stringify({ name: "say", data }));
    socket.send("Hello");
    socket.send(JSON.stringify({ name: "say", data: 7 }));
    await promise;
    assertEquals(received.slice(0, sent.length), sent.map((data) => ({ name: "said", data })));
    assertEquals(received.slice(sent.length), [
      { name: "refused", data: ['Not JSON with a "name"'] },
      { name: "refused", data: ["Invalid input: expected string, received number"] },
    ]);
    await close(socket);
  });

  it("websocket.ts closes with 1009 on a message of more than 64 KiB", async () => {
    const socket = await open();
    const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener("close", resolve));
    socket.send("x".repeat(65_537));
    const { code, reason } = await closed;
    assertEquals([code, reason], [1009, "Too long"]);
  });

  it("websocket.ts responds with 503 and Retry-After while 256 are open, of which one address has 64 at most", async () => {
    using held = new DisposableStack();
    const hold = async (address: string) => {
      const { head, socket } = await openFrom(served, address);
      held.adopt(socket, () => socket.destroy());
      return Number(head.split(" ", 2)[1]);
    };
    for (let address = 2; address <= 5; address++) {
      for (let count = 0; count < 64; count++) assertEquals(await hold(`127.0.0.${address}`), 101);
      if (address < 5) assertEquals(await hold(`127.0.0.${address}`), 503);
    }
    assertEquals(await hold("127.0.0.6"), 503);
    held.dispose();
    await until(async () =>
      (await openFrom(served, "127.0.0.6").then(({ head, socket }) => {
        socket.destroy();
        return head;
      })).startsWith("HTTP/1.1 101")
    );
  });

  it("websocket.ts responds with 503 and Retry-After while 64 of an address are open, and accepts new ones after some have closed", async () => {
    const sockets = await Promise.all(Array.from({ length: 64 }, () => open()));
    const head = await handshake({});
    assertMatch(head, /^HTTP\/1\.1 503 [^]*retry-after: 5\r\n/);
    await Promise.all(sockets.map(close));
    // Clients that disconnect before, during or after the handshake must not count. There are more than 256 of each
    // kind.
    for (let turn = 0; turn < 900; turn++) {
      const { hostname, port } = new URL(served.origin);
      using connection = await Deno.connect({ hostname, port: Number(port) });
      await connection.write(encode("GET", { host: "h", ...HANDSHAKE }));
      if (turn % 3 > 0) await connection.read(new Uint8Array(turn % 3 === 1 ? 1 : 1024));
    }
    await until(async () => /^HTTP\/1\.1 101 /.test(await handshake({})));
    await close(await open());
  });

  it("websocket.ts gives the place of a client back that resets its connection during the handshake", async () => {
    const { hostname, port } = new URL(served.origin);
    for (let turn = 0; turn < 80; turn++) {
      using connection = await Deno.connect({ hostname, port: Number(port) });
      await connection.write(encode("GET", { host: "h" }));
      // To close a connection resets it, since the rest of this response is unread.
      await connection.read(new Uint8Array(1));
      await connection.write(encode("GET", { host: "h", ...HANDSHAKE }));
    }
    await until(async () => /^HTTP\/1\.1 101 /.test(await handshake({})));
  });

  it("websocket.ts closes with 1001 on SIGTERM, and exits with 0", async () => {
    const stopped = await serve("examples/websocket.ts");
    const socket = await open(stopped);
    const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener("close", resolve));
    await stopped.stop();
    assertEquals([(await closed).code, await stopped.exitCode], [1001, 0]);
  });

  it("websocket.ts denies what is no handshake, and pages of other sites, before the upgrade", async () => {
    const response = await fetch(`${served.origin}/echo`);
    assertEquals([response.status, await response.text()], [426, ""]);
    assertMatch(await handshake({ "sec-websocket-key": "short" }), /^HTTP\/1\.1 400 /);
    assertMatch(await handshake({ origin: "https://evil.example" }), /^HTTP\/1\.1 403 /);
    assertMatch(await handshake({ origin: served.origin }), /^HTTP\/1\.1 101 /);
  });

  it("websocket.ts denies every page when the Host header is empty", async () => {
    assertMatch(await handshake({ host: "", origin: "http://evil.example" }), /^HTTP\/1\.1 403 /);
    assertMatch(await handshake({ host: "", origin: "null" }), /^HTTP\/1\.1 403 /);
    assertMatch(await handshake({ host: "" }), /^HTTP\/1\.1 101 /);
  });

  it("websocket.ts adds no other header", async () => {
    const { status, headers, body } = await fetch(served.origin);
    await body?.cancel();
    assertEquals([status, [...headers.keys()].toSorted()], [200, ["content-length", "content-type", "date"]]);
  });

  it("websocket.ts responds with 404 to other methods, and to an invalid Host header", async () => {
    assertMatch(await handshake({}, "POST"), /^HTTP\/1\.1 404 /);
    assertMatch(await handshake({ host: "[::1" }), /^HTTP\/1\.1 404 /);
  });

  it("websocket.ts still serves others after clients disconnect or send invalid WebSocket frames", async () => {
    const { hostname, port } = new URL(served.origin);
    for (const bytes of ["", "GET / HTTP/1.1\r\n\r\n", "\xff\xff\xff\xff"]) {
      using connection = await Deno.connect({ hostname, port: Number(port) });
      await connection.write(encode("GET", { host: "h", ...HANDSHAKE }));
      await connection.read(new Uint8Array(1024));
      await connection.write(new TextEncoder().encode(bytes));
    }
    await close(await open());
  });

  async function open({ origin }: Pick<Served, "origin"> = served): Promise<WebSocket> {
    const socket = new WebSocket(`${origin.replace("http:", "ws:")}/echo`);
    socket.binaryType = "arraybuffer";
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    return socket;
  }

  async function close(socket: WebSocket): Promise<void> {
    const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
    socket.close();
    await closed;
  }

  /** Sends a handshake with some headers changed, or omitted if `undefined`. Returns the head of the response. */
  async function handshake(changes: Record<string, string | undefined>, method = "GET"): Promise<string> {
    const { hostname, port, host } = new URL(served.origin);
    using connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(encode(method, { host, ...HANDSHAKE, ...changes }));
    let head = "";
    for await (const text of connection.readable.pipeThrough(new TextDecoderStream(), { preventCancel: true })) {
      head += text;
      if (head.includes("\r\n\r\n")) break;
    }
    return head;
  }
});

/** Begins a WebSocket from an address of the loopback interface, and returns the head of the answer. */
function openFrom(
  { origin }: Served,
  localAddress: string,
): Promise<{ readonly head: string; readonly socket: Socket }> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly head: string; readonly socket: Socket }>();
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.once("data", (bytes) => resolve({ head: String(bytes), socket }));
  socket.on("error", reject);
  socket.write(encode("GET", { host: "h", ...HANDSHAKE }));
  return promise;
}

function encode(method: string, headers: Record<string, string | undefined>): Uint8Array {
  const lines = Object.entries(headers).filter(([, value]) => value !== undefined).map(([name, value]) =>
    `${name}: ${value}\r\n`
  );
  return new TextEncoder().encode(`${method} /echo HTTP/1.1\r\n${lines.join("")}\r\n`);
}
