import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { once } from "node:events";
import { createServer } from "node:net";
import { createSocketOpener, type SocketOpener } from "../../examples/books/postgres_socket.ts";
import { granted } from "./serve.ts";

(granted("net") ? describe : describe.skip)("createSocketOpener()", () => {
  /** Opens sockets, and returns the pauses before them. The pauses end immediately. */
  async function pausesOf(opener: SocketOpener, count: number): Promise<readonly number[]> {
    const pauses: number[] = [];
    const { setTimeout } = globalThis;
    globalThis.setTimeout = Object.assign((run: () => void, pause: number) => {
      pauses.push(pause);
      run();
      return 0;
    }, setTimeout);
    try {
      for (let index = 0; index < count; index++) (await opener.open()).on("error", () => {}).destroy();
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    return pauses;
  }

  it("createSocketOpener() opens the first sockets without a pause, then doubles the pause until one works", async () => {
    const opener = createSocketOpener([{ host: "127.0.0.1", port: 1 }], 3);
    assertEquals(await pausesOf(opener, 12), [10, 20, 40, 80, 160, 320, 500, 500, 500]);
    opener.confirm();
    assertEquals(await pausesOf(opener, 5), [10, 20]);
  });

  it("createSocketOpener() uses a host until it is rejected, and switches once for all sockets that fail together", async () => {
    const servers = [createServer().listen(0, "127.0.0.1"), createServer().listen(0, "127.0.0.1")];
    await Promise.all(servers.map((server) => once(server, "listening")));
    const hosts = servers.map((server) => {
      const address = server.address();
      return { host: "127.0.0.1", port: typeof address === "object" ? address?.port ?? 0 : 0 };
    });
    const opener = createSocketOpener(hosts, 100);
    const open = async () => {
      const socket = await opener.open();
      socket.on("error", () => {}).destroy();
      return { socket, index: hosts.findIndex(({ port }) => "port" in socket && socket.port === port) };
    };
    try {
      const first = [await open(), await open(), await open()];
      assertEquals(first.map(({ index }) => index), [0, 0, 0]);
      for (const { socket } of first) opener.reject(socket);
      const second = await open();
      assertEquals([second.index, (await open()).index], [1, 1]);
      opener.reject(second.socket);
      assertEquals((await open()).index, 0);
    } finally {
      for (const server of servers) server.close();
    }
  });
});
