import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type RuntimeSocket, workerSockets } from "../../../src/sockets/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";

const options = { validator: standardSchema, onError: () => {} };
const globals: { WebSocketPair?: unknown; Response: unknown } = globalThis;

/** The end of the server. */
class FakeSocket {
  readonly log: string[] = [];
  readonly listeners: Record<string, (event: object) => void> = {};
  accept() {
    this.log.push("accept");
  }
  send(text: string) {
    this.log.push(text);
  }
  close(code?: number, reason?: string) {
    this.log.push(["close", code, reason].filter((part) => part !== undefined).join(" "));
  }
  addEventListener(type: string, listener: (event: object) => void) {
    this.listeners[type] = listener;
  }
}

/** Runs with the globals of a Worker, of which only the response of the status 101 is missing elsewhere. */
async function withWorker(
  use: (accept: (events?: Partial<Events>) => Promise<readonly [FakeSocket, RuntimeSocket]>, log: unknown[]) => unknown,
): Promise<void> {
  const { WebSocketPair, Response } = globals;
  const log: unknown[] = [];
  const sockets: FakeSocket[] = [];
  globals.WebSocketPair = class {
    readonly 0 = "the end of the client";
    readonly 1 = new FakeSocket();
    constructor() {
      sockets.push(this[1]);
    }
  };
  globals.Response = class {
    constructor(_body: null, init: object) {
      Object.assign(this, init);
    }
  };
  try {
    await use(async () => {
      let opened: RuntimeSocket | undefined;
      const response = workerSockets(options).upgrade(new Request("http://localhost/"), {
        open: (socket) => opened = socket,
        message: (data) => log.push(data),
        drain() {},
        close: (code, reason) => log.push(`${code} ${reason}`),
      });
      assertEquals({ ...response }, { status: 101, webSocket: "the end of the client" } as never);
      assertEquals(opened, undefined);
      await Promise.resolve();
      return [sockets.at(-1) as FakeSocket, opened as never];
    }, log);
  } finally {
    Object.assign(globals, { WebSocketPair, Response });
  }
}

type Events = Parameters<ReturnType<typeof workerSockets>["upgrade"]>[1];

describe("workerSockets()", () => {
  it("passes on what happens, until the socket is closed", () =>
    withWorker(async (accept, log) => {
      const [socket, opened] = await accept();
      opened.send("hello");
      assertEquals(opened.unsent(), undefined);
      socket.listeners["message"]?.({ data: "text" });
      socket.listeners["close"]?.({ code: 4001, reason: "bye" });
      opened.send("late");
      opened.close(1000, "");
      opened.terminate();
      assertEquals(socket.log, ["accept", "hello", "close"]);
      assertEquals(log, ["text", "4001 bye"]);
    }));

  it("closes once, and ends after an error", () =>
    withWorker(async (accept, log) => {
      const [closed, first] = await accept();
      first.close(4000, "enough");
      first.terminate();
      closed.listeners["close"]?.({});
      assertEquals(closed.log, ["accept", "close 4000 enough"]);
      const [cut, second] = await accept();
      second.terminate();
      second.close(1000, "");
      assertEquals(cut.log, ["accept", "close 1008"]);
      const [failed] = await accept();
      failed.listeners["error"]?.({});
      assertEquals(log, ["1005 ", "1006 "]);
    }));

  it("throws elsewhere", () => {
    const { WebSocketPair } = globals;
    globals.WebSocketPair = undefined;
    try {
      assertThrows(
        () => workerSockets(options).upgrade(new Request("http://localhost/"), {} as never),
        TypeError,
        "workerSockets runs on Cloudflare Workers",
      );
    } finally {
      globals.WebSocketPair = WebSocketPair;
    }
  });
});
