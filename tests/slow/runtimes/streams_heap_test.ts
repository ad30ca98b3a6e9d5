/** Streams with a signal that lives as long as the process leave nothing behind, on Node.js. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { startServer } from "../../support/server_process.ts";
import { until } from "../../support/until.ts";
import { bundle, findProgram } from "./programs.ts";
import { granted } from "../../support/granted.ts";

const STREAMS = 15_000;

/** How many streams are open at once: Node.js 20 warns of the eleventh listener of a signal. */
const CLIENTS = 20;

/** `AbortSignal.any` kept 6,500 bytes for each stream. The rest of a heap varies by some hundred kilobytes in all. */
const BYTES_PER_STREAM = 200;

const VERSIONS = { 20: "node@20", 22: "node@22" };

for (const [major, spec] of Object.entries(VERSIONS)) {
  (granted("env", "net", "read", "run", "write") ? describe : describe.skip)(`streams on Node.js ${major}`, () => {
    it(`leave nothing of ${STREAMS} streams in the heap, though their signal goes on`, async () => {
      const directory = await Deno.makeTempDir();
      const program = await bundle("tests/slow/runtimes/streams/heap.ts", directory);
      const server = await startServer(await findProgram(spec, "node"), ["--expose-gc", program]);
      const stateOf = async () => await (await fetch(`${server.origin}/heap`)).json();

      /** Opens a stream, and reads it to its end, or leaves it after the first event. */
      const use = async (index: number) => {
        const path = ["/events", "/lines", "/endless"][index % 3];
        const { body } = await fetch(server.origin + path);
        assert(body !== null);
        const reader = body.getReader();
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          if (path === "/endless") await reader.cancel();
        }
      };
      const useAll = async (count: number) => {
        let started = 0;
        const client = async () => {
          while (started < count) await use(started++);
        };
        await Promise.all(Array.from({ length: CLIENTS }, client));
        await until(async () => (await stateOf()).open === 0);
      };

      try {
        await useAll(1500); // what is compiled and cached once
        const before = await stateOf();
        await useAll(STREAMS);
        const after = await stateOf();
        assertMatch(after.version, new RegExp(`^v${major}\\.`));
        const each = (after.used - before.used) / STREAMS;
        console.log(`Node.js ${after.version}: ${each.toFixed(1)} bytes for each of ${STREAMS} streams`);
        assert(each < BYTES_PER_STREAM, `${each} bytes for each stream`);
        assertEquals(/warning/i.test(server.printed()), false, server.printed());
      } finally {
        await server.stop();
        await Deno.remove(directory, { recursive: true });
      }
    });
  });
}
