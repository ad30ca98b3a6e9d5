import { type App, route, setup } from "@fw/core";
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { get, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { compress } from "../../../examples/recipes/compression/compression.ts";
import { until } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";
import { serve } from "../serve.ts";
import { serveApp, type ServedApp } from "./serve_app.ts";

const TEXT = "All happy families are alike. ".repeat(100);
const SIZE = String(TEXT.length);
let cancelled = 0;

/** Responses with the headers that the query names; `/ticks` sends one line after the other. */
const app: App = setup({
  handlers: [
    route.on(["GET", "HEAD"], "/text", {
      resolve: ({ request }) => {
        const { status = "200", size = SIZE, ...headers } = Object.fromEntries(new URL(request.url).searchParams);
        const text = ["204", "304"].includes(status) ? null : TEXT.slice(0, Number(size));
        return new Response(text, { status: Number(status), headers: { "content-type": "text/plain", ...headers } });
      },
    }),
    route.get("/ticks", {
      resolve: ({ request }) =>
        new Response(ticks(), { headers: Object.fromEntries(new URL(request.url).searchParams) }),
    }),
  ],
  onResponse: ({ context, response }) => compress(context.request, response),
});

/** Lines without end, the next when the last one is taken. */
function ticks(): ReadableStream<Uint8Array> {
  const line = new TextEncoder().encode(`data: ${crypto.randomUUID()}\n\n`);
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      controller.enqueue(line);
    },
    cancel: () => void cancelled++,
  }, { highWaterMark: 0 });
}

(granted("net", "read", "run") ? describe : describe.skip)("examples/recipes/compression.ts", () => {
  let served: ServedApp;
  before(() => void (served = serveApp(app)));
  after(() => served[Symbol.asyncDispose]());
  const ask = (path: string, headers: Record<string, string> = { "accept-encoding": "gzip" }) =>
    request(served.origin + path, headers);

  it("the recipe compression compresses text with gzip, and makes a strong ETag weak", async () => {
    const { headers, body } = await ask('/text?etag="a"');
    assertEquals([headers["content-encoding"], headers.vary, headers.etag], ["gzip", "accept-encoding", 'W/"a"']);
    assertEquals(gunzipSync(body).toString(), TEXT);
    assert(body.length < TEXT.length / 10);
  });

  it("the recipe compression sends what it is told by the weights of accept-encoding", async () => {
    const cases: readonly (readonly [string, boolean])[] = [
      ["br, gzip", true],
      ["*", true],
      ["", false],
      ["gzip;q=0", false],
      ["gzip;q=0.5, identity", false],
      ["br", false],
      // Longer than any client needs. It is not parsed. Node.js accepts 16 KiB.
      [`gzip${", br;q=0.1".repeat(1000)}`, false],
    ];
    for (const [accepted, isCompressed] of cases) {
      const { headers, body } = await ask('/text?etag="a"&vary=origin', { "accept-encoding": accepted });
      assertEquals([accepted, headers["content-encoding"] === "gzip"], [accepted, isCompressed]);
      assertEquals([headers.vary, headers.etag], ["origin, accept-encoding", isCompressed ? 'W/"a"' : '"a"']);
      assertEquals((isCompressed ? gunzipSync(body) : body).toString(), TEXT);
    }
    assertEquals((await ask("/text", {})).headers["content-encoding"], undefined);
  });

  it("the recipe compression leaves a response as it is that is small, binary, a part, encoded already, or must not be changed", async () => {
    const cases = [
      ["size=1023", "accept-encoding"],
      ["content-type=image/png"],
      ["content-type=application/octet-stream"],
      ["content-type=text/event-stream"],
      ["status=206&content-range=bytes 0-2999/9000"],
      ["content-encoding=x"],
      ["cache-control=public, no-transform"],
    ] as const;
    for (const [query, vary] of cases) {
      const { headers, body } = await ask(`/text?etag="a"&${encodeURI(query)}`);
      const { size = SIZE, "content-encoding": encoding } = Object.fromEntries(new URLSearchParams(query));
      assertEquals([query, headers["content-encoding"], headers.etag], [query, encoding, '"a"']);
      assertEquals([headers.vary, body.toString()], [vary, TEXT.slice(0, Number(size))]);
    }
    assertEquals((await ask("/text?size=1024")).headers["content-encoding"], "gzip");
  });

  it("the recipe compression compresses other text types", async () => {
    for (const type of ["application/problem+json; charset=utf-8", "image/svg+xml", "TEXT/html"]) {
      const { headers } = await ask(`/text?content-type=${encodeURIComponent(type)}`);
      assertEquals([type, headers["content-encoding"]], [type, "gzip"]);
    }
  });

  it("CVE-2026-24472, CVE-2026-44457: the recipe compression tells caches what the handler tells them, and adds to Vary; to credentials, it compresses only what is public", async () => {
    for (const told of [undefined, "private", "no-store", "private, max-age=60", "no-cache", "public, max-age=60"]) {
      for (const credentials of [{}, { cookie: "session=1" }, { authorization: "Basic YTpi" }]) {
        const query = new URLSearchParams({ vary: "authorization,cookie", ...told && { "cache-control": told } });
        const { headers } = await ask(`/text?${query}`, { "accept-encoding": "gzip", ...credentials });
        assertEquals(headers["cache-control"], told);
        const isCompressed = headers["content-encoding"] === "gzip";
        assertEquals(isCompressed, told?.startsWith("public") || Object.keys(credentials).length === 0);
        assertEquals(headers.vary, `authorization,cookie${isCompressed ? ", accept-encoding" : ""}`);
      }
    }
  });

  it("the recipe compression makes the ETag of a 304 weak, too", async () => {
    const { status, headers } = await ask('/text?status=304&etag="a"');
    assertEquals([status, headers.etag, headers.vary], [304, 'W/"a"', "accept-encoding"]);
    assertEquals((await ask('/text?status=304&etag="a"', {})).headers.etag, '"a"');
    assertEquals((await ask('/text?etag=W/"a"')).headers.etag, 'W/"a"');
  });

  it("the recipe compression drops the length that a handler has given", async () => {
    const { headers, body } = await ask(`/text?content-length=${TEXT.length}`);
    assertEquals([headers["content-length"], gunzipSync(body).toString()], [undefined, TEXT]);
  });

  it("the recipe compression sends events, and streams that must not be changed, as they come, and ends a stream with its client", async () => {
    for (const query of ["content-type=text/event-stream", "content-type=text/plain&cache-control=no-transform"]) {
      const before = cancelled;
      const { headers, socket } = await firstBytes(`${served.origin}/ticks?${query}`, "data: ");
      assertEquals(headers["content-encoding"], undefined);
      socket.destroy();
      await until(() => cancelled === before + 1);
    }
    const before = cancelled;
    const url = `${served.origin}/ticks?content-type=text/plain`;
    const { headers, socket } = await firstBytes(url, "\x1f\x8b");
    assertEquals(headers["content-encoding"], "gzip");
    socket.destroy();
    await until(() => cancelled === before + 1);
  });

  it("the recipe compression starts by the command of its first line, where Deno compresses nothing itself", async () => {
    await using example = await serve("examples/recipes/compression.ts");
    const { headers, body } = await request(`${example.origin}/numbers`, { "accept-encoding": "br, gzip" });
    assertEquals([headers["content-encoding"], headers.etag], ["gzip", 'W/"1000"']);
    assertEquals(JSON.parse(gunzipSync(body).toString()).length, 1000);
    const plain = await request(`${example.origin}/numbers`, { "accept-encoding": "br" });
    assertEquals([plain.headers["content-encoding"], JSON.parse(plain.body.toString()).length], [undefined, 1000]);
  });
});

/** Asks without decoding the answer, as `fetch` would. */
async function request(url: string, headers: Record<string, string>) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on("error", reject);
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

/** Asks, and reads until what has come begins like this. */
async function firstBytes(url: string, start: string): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { "accept-encoding": "gzip" }, agent: false }, resolve).on("error", reject);
  });
  let text = "";
  await new Promise<void>((resolve) => {
    response.on("error", () => {}); // it is cut off later
    response.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (text.startsWith(start)) resolve();
    });
  });
  return response;
}
