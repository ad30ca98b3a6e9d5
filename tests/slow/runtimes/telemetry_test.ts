/** What the SDK of OpenTelemetry records of a server, on each runtime: also of clients that leave. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { FLAGS } from "../../support/flags.ts";
import { granted } from "../../support/granted.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { until } from "../../support/until.ts";
import { BUN, bundle, findProgram } from "./programs.ts";
import type { Recorded } from "./telemetry/app.ts";

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** Starts a program of telemetry/, bundled: other runtimes do not know our import map. */
async function startBundled(program: string, name: string): Promise<ServerProcess> {
  const directory = await Deno.makeTempDir();
  const file = await bundle(`tests/slow/runtimes/telemetry/${name}.ts`, directory);
  const server = await startServer(program, [file]);
  await Deno.remove(directory, { recursive: true });
  return server;
}

const RUNTIMES: Readonly<Record<string, () => Promise<ServerProcess>>> = {
  "Deno": () => startServer(Deno.execPath(), ["run", "--allow-all", ...FLAGS, "tests/slow/runtimes/telemetry/deno.ts"]),
  "Bun": async () => startBundled(await findProgram(BUN, "bun"), "bun"),
  "Node.js": () => startBundled("node", "node"),
  "Node.js 22": async () => startBundled(await findProgram("node@22", "node"), "node"),
  "Node.js 24": async () => startBundled(await findProgram("node@24", "node"), "node"),
};

for (const [name, start] of Object.entries(RUNTIMES)) {
  (granted("net", "read", "run", "write") ? describe : describe.skip)(`telemetry() on ${name}`, () => {
    let server: ServerProcess;
    before(async () => {
      server = await start();
    });
    after(() => server.stop());

    const get = (path: string, init?: RequestInit) => fetch(server.origin + path, init);

    const spans: Recorded["spans"][number][] = [];

    /** What is measured now. The spans that have ended are added to `spans`. */
    async function read(): Promise<Recorded["measured"]> {
      const recorded: Recorded = await (await get("/recorded")).json();
      spans.push(...recorded.spans);
      return recorded.measured;
    }

    /** Waits for the span of a route. */
    async function spanOf(name: string): Promise<Recorded["spans"][number]> {
      await until(async () => {
        await read();
        return spans.some((span) => span.name === name);
      });
      return spans.find((span) => span.name === name) ?? (() => {
        throw new Error("No span");
      })();
    }

    async function countActive(): Promise<number | undefined> {
      return (await read()).find(({ metric }) => metric === "http.server.active_requests")?.value;
    }

    it("records a request below its parent, and the call of a store below the request", async () => {
      const response = await get("/books/7?token=secret", { headers: { traceparent: PARENT } });
      assertEquals(await response.json(), { id: "7" });
      const { attributes, traceId, parent, spanId } = await spanOf("GET /books/:id");
      assertEquals([traceId, parent], [PARENT.slice(3, 35), PARENT.slice(36, 52)]);
      assertEquals([attributes["http.route"], attributes["url.path"], attributes["server.address"]], [
        "/books/:id",
        "/books/7",
        "127.0.0.1",
      ]);
      assertEquals((await spanOf("books.find")).parent, spanId);
    });

    it("records what was thrown", async () => {
      assertEquals((await get("/broken")).status, 500);
      const { status, attributes, exceptions } = await spanOf("GET /broken");
      assertEquals([status, attributes["error.type"], exceptions], [2, "RangeError", ["broken"]]);
    });

    it("ends the span of a stream with its body, within which its calls are", async () => {
      spans.length = 0;
      const response = await get("/events");
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      while (!text.includes("data: 1\n\n")) text += (await reader?.read())?.value;
      assertEquals([await countActive(), spans.map(({ name }) => name)], [1, []]);
      await (await get("/next")).text();
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) text += part.value;
      assertStringIncludes(text, "data: 2\n\n");
      const { status, spanId } = await spanOf("GET /events");
      assertEquals([status, (await spanOf("books.find")).parent], [0, spanId]);
      assertEquals(await countActive(), 0);
    });

    it("ends the span of a stream whose client leaves", async () => {
      const leaving = new AbortController();
      const response = await get("/lines", { signal: leaving.signal });
      await response.body?.getReader().read();
      leaving.abort();
      const { status, attributes } = await spanOf("GET /lines");
      assertEquals([status, attributes["error.type"], attributes["http.response.status_code"]], [2, "AbortError", 200]);
    });

    it("ends the span of a request whose client leaves before the response", async () => {
      const leaving = new AbortController();
      const response = get("/waits", { signal: leaving.signal }).catch((error) => error.name);
      await until(async () => await countActive() === 1);
      leaving.abort();
      assertEquals(await response, "AbortError");
      const { status, attributes } = await spanOf("GET /waits");
      assertEquals([status, attributes["error.type"]], [2, "AbortError"]);
      assertEquals(await countActive(), 0);
    });
  });
}
