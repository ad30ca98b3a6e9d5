/**
 * Uploads over raw sockets, to handlers that do not read them whole: no client hangs, and one that sends no more than the
 * bound gets the response, whether it reads while it sends or not.
 */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { granted } from "../../support/granted.ts";
import type { ServerProcess } from "../../support/server_process.ts";
import { HEAD, RUNTIMES, TAIL } from "./uploads/runtimes.ts";

const MIB = 1024 * 1024;

for (const [name, start] of Object.entries(RUNTIMES)) {
  (granted("net", "read", "run", "write") ? describe : describe.skip)(`an upload to ${name}`, () => {
    let server: ServerProcess;
    before(async () => {
      server = await start();
    });
    after(() => server.stop());

    /**
     * Sends a file of so many bytes over a raw socket.
     *
     * @returns The status and the end of the response; `""` if the connection was closed without one.
     */
    async function upload(path: string, size: number, reads: "while it sends" | "after it has sent"): Promise<string> {
      using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(server.origin).port) });
      const write = async (bytes: Uint8Array) => {
        for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
      };
      let text = "";
      const read = async () => {
        const buffer = new Uint8Array(65_536);
        try {
          for (let count; (count = await connection.read(buffer)) !== null;) {
            text += new TextDecoder().decode(buffer.subarray(0, count));
            if (/(left|denied|failed|\d+|")$/.test(text) && text.includes("\r\n\r\n")) return;
          }
        } catch { /* the connection was reset */ }
      };
      const reading = reads === "while it sends" ? read() : undefined;
      try {
        const length = HEAD.length + size + TAIL.length;
        await write(new TextEncoder().encode(
          `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: multipart/form-data; boundary=x\r\n` +
            `content-length: ${length}\r\n\r\n${HEAD}`,
        ));
        const block = new Uint8Array(65_536).fill(7);
        for (let sent = 0; sent < size; sent += block.length) await write(block.subarray(0, size - sent));
        await write(new TextEncoder().encode(TAIL));
      } catch { /* the server has closed the connection */ }
      await (reading ?? read());
      const [, status = "", body = ""] = /^HTTP\/1\.1 (\d+)[^]*\r\n\r\n(?:[\da-f]+\r\n)?"?(\w*)/.exec(text) ?? [];
      return `${status} ${body}`.trim();
    }

    it("is read whole", async () => {
      assertEquals(await upload("/usual/reads", 20 * MIB, "while it sends"), `200 ${20 * MIB}`);
    });

    const ways = { leaves: "413 left", throws: "500 failed", denies: "403 denied" };
    for (const [way, expected] of Object.entries(ways)) {
      for (const reads of ["while it sends", "after it has sent"] as const) {
        it(`that a handler ${way}, within the bound: a client that reads ${reads} gets the response`, async () => {
          assertEquals(await upload(`/patient/${way}`, 20 * MIB, reads), expected);
        });

        it(`that a handler ${way}, beyond the bound: a client that reads ${reads} does not hang`, async () => {
          const received = await upload(`/usual/${way}`, 40 * MIB, reads);
          assert([expected, ""].includes(received), `Received ${received}`);
          console.log(`    ${name}, ${way}, reads ${reads}: ${received || "the connection is closed"}`);
        });
      }
    }

    it("that ends early leaves the server as it was", async () => {
      const { hostname, port } = new URL(server.origin);
      const connection = await Deno.connect({ hostname, port: Number(port) });
      await connection.write(new TextEncoder().encode(
        "POST /usual/reads HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: multipart/form-data; boundary=x\r\n" +
          `content-length: 1000000\r\n\r\n${HEAD}${"x".repeat(1000)}`,
      ));
      connection.close();
      assertEquals(await upload("/usual/reads", 1000, "while it sends"), "200 1000");
    });
  });
}
