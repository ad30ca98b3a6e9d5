import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { connect, type Socket } from "node:net";
import { connectRaw, encodeHandshake } from "../support/sockets/raw_client.ts";
import { until } from "../support/until.ts";
import { describeServed } from "./describe_served.ts";
import { discard } from "./discard.ts";
import { serve } from "./serve.ts";

const TEXT = 1;
const CLOSE = 8;

describeServed("examples/websocket.ts", (served) => {
  const open = () => connectRaw(served.origin, "/echo");
  /** Waits until an address gets a place. */
  const untilFree = (address?: string) => until(async () => await statusFor(served.origin, address) === 101);

  it("websocket.ts echoes messages, in order, and says what is wrong with others", async () => {
    using client = await open();
    const say = (data: unknown) => JSON.stringify({ name: "say", data });
    const texts = ["Hello", "", "é\0\n", "x".repeat(65_000)];
    for (const message of [...texts.map(say), "Hello", say(7)]) await client.send(TEXT, message);
    const expected = [
      ...texts.map((data) => ({ name: "said", data })),
      { name: "refused", data: ['Not JSON with a "name"'] },
      { name: "refused", data: ["Invalid input: expected string, received number"] },
    ];
    for (const message of expected) assertEquals(JSON.parse((await client.next())?.text ?? ""), message);
  });

  it("websocket.ts closes with 1009 on a message of more than 64 KiB", async () => {
    using client = await open();
    await client.send(TEXT, "x".repeat(65_537));
    assertEquals((await client.next())?.text, "1009 Too long");
  });

  it("websocket.ts denies what is no handshake, and pages of other sites", async () => {
    assertEquals((await served.request("/echo").then(discard)).status, 426);
    for (const [origin, status] of [["https://evil.example", 403], [served.origin, 101]] as const) {
      using client = await connectRaw(served.origin, "/echo", { origin });
      assertEquals(client.status, status);
    }
  });

  it("websocket.ts responds with 503 and Retry-After while 256 are open, of which one address has 64 at most", async () => {
    await untilFree();
    using held = new DisposableStack();
    const hold = async (address: string) => {
      const { status, socket } = await openFrom(served.origin, address);
      held.adopt(socket, () => socket.destroy());
      return status;
    };
    for (let address = 2; address <= 5; address++) {
      for (let count = 0; count < 64; count++) assertEquals(await hold(`127.0.0.${address}`), 101);
      if (address < 5) assertEquals(await hold(`127.0.0.${address}`), 503);
    }
    using refused = await open();
    assertEquals([refused.status, refused.headers.get("retry-after")], [503, "5"]);
    held.dispose();
    await untilFree("127.0.0.6");
  });

  it("websocket.ts gives the place of a client back that disconnects before, during or after the handshake, or resets its connection", async () => {
    const { hostname, port } = new URL(served.origin);
    // There are more of each kind than an address has places.
    for (let turn = 0; turn < 4 * 80; turn++) {
      using connection = await Deno.connect({ hostname, port: Number(port) });
      if (turn % 4 === 3) {
        // To close a connection resets it, since the rest of this response is unread.
        await connection.write(encodeHandshake("/echo", { upgrade: undefined }));
        await connection.read(new Uint8Array(1));
      }
      await connection.write(encodeHandshake("/echo"));
      if (turn % 4 === 1) await connection.read(new Uint8Array(1));
      if (turn % 4 === 2) await connection.read(new Uint8Array(1024));
    }
    await untilFree();
  });

  it("websocket.ts closes with 1001 on SIGTERM, and exits with 0", async () => {
    const stopped = await serve("examples/websocket.ts");
    using client = await connectRaw(stopped.origin, "/echo");
    const stopping = stopped.stop();
    const closed = await client.next();
    assertEquals([closed?.opcode, closed?.text.slice(0, 4)], [CLOSE, "1001"]);
    await client.send(CLOSE, closed?.bytes ?? "");
    await stopping;
    assertEquals(await stopped.exitCode, 0);
  });
});

/** Begins a WebSocket from an address of the loopback interface. */
async function openFrom(origin: string, localAddress?: string) {
  const { hostname, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const socket: Socket = connect({ host: hostname, port: Number(port), ...localAddress && { localAddress } });
  socket.once("data", resolve);
  socket.on("error", reject);
  socket.write(encodeHandshake("/echo"));
  return { status: Number(String(await promise).split(" ", 2)[1]), socket };
}

/** The status of a handshake, whose connection is then ended. */
async function statusFor(origin: string, localAddress?: string): Promise<number> {
  const { status, socket } = await openFrom(origin, localAddress);
  socket.destroy();
  return status;
}
