import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import app from "../../../examples/recipes/ndjson.ts";
import { ndjson } from "../../../examples/recipes/ndjson.ts";
import { openapi } from "../../../src/openapi/mod.ts";

const NDJSON = { "content-type": "application/x-ndjson" };

/** Status, and the number of books or the codes of the issues. */
async function post(body: BodyInit | null, headers: HeadersInit = NDJSON): Promise<[number, unknown]> {
  const response = await app.fetch(new Request("http://localhost/books", { method: "POST", body, headers }));
  const { created, issues } = await response.json();
  return [response.status, created ?? issues.map(({ code }: { code: string }) => code)];
}

describe("examples/recipes/ndjson.ts", () => {
  it("the recipe ndjson reads one value per line, whatever chunks the bytes come in", async () => {
    assertEquals(await post('{"title":"Emma"}\n{"title":"Ulysses"}\n'), [201, 2]);
    assertEquals(await post('\r\n{"title":"Emma"}\r\n\n'), [201, 1]);
    const bytes = new TextEncoder().encode('{"title":"é😀"}\n{"title":"b"}');
    const stream = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
    assertEquals(await post(stream()), [201, 2]);
  });

  it("the recipe ndjson exports all rows, page by page, which it reads again", async () => {
    const titles = Array.from({ length: 990 }, (_, index) => `Book ${index}`);
    const body = titles.map((title) => `${JSON.stringify({ title })}\n`).join("");
    assertEquals(await post(body, { "content-type": "application/jsonl" }), [201, 990]);
    const { headers, body: exported } = await app.fetch(new Request("http://localhost/books"));
    assertEquals(headers.get("content-type"), "application/jsonl");
    const chunks = await Array.fromAsync(exported?.pipeThrough(new TextDecoderStream()) ?? []);
    assertEquals(chunks.length, 2);
    const rows = chunks.join("").trim().split("\n").map((line) => JSON.parse(line));
    assertEquals(rows.slice(-990).map(({ title }) => title), titles);
    assertEquals(await post(chunks.join("")), [201, rows.length]);
    assertEquals((await (await app.fetch(new Request("http://localhost/books"))).text()).split("\n").length, 1001);
  });

  it("the recipe ndjson makes an issue of another content type, a line that is not JSON, and too many bytes", async () => {
    for (const type of ["", "application/x-ndjsonx", "text/plain; application/x-ndjson", "application/x-ndjson, x"]) {
      assertEquals(await post('{"title":"Emma"}', { "content-type": type }), [400, ["unsupported_media_type"]], type);
    }
    assertEquals(await post('{"title":"Emma"}', { "content-type": "Application/X-NDJSON ; charset=utf-8" }), [201, 1]);
    assertEquals(await post('{"title":"Emma"}\n{'), [400, ["invalid_ndjson"]]);
    assertEquals(await post('{"title":"Emma"},{"title":"Ulysses"}'), [400, ["invalid_ndjson"]]);
    assertEquals(await post(`{"title":"${"x".repeat(64 * 1024)}"}`), [400, ["body_too_large"]]);
  });

  it("the recipe ndjson reads no further than its bound, and keeps what characters are", async () => {
    const read = (maxBytes: number, ...chunks: readonly number[][]) => {
      const asked = { chunks: 0, cancelled: false };
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const chunk = chunks[asked.chunks++];
          if (chunk) controller.enqueue(Uint8Array.from(chunk));
          else controller.close();
        },
        cancel() {
          asked.cancelled = true;
        },
      }, { highWaterMark: 0 });
      const request = new Request("http://localhost", { method: "POST", body, headers: NDJSON });
      return ndjson.read(request, maxBytes).then((result) => ({ ...result, ...asked }));
    };
    const quote = 0x22;
    const euro = [0xe2, 0x82, 0xac];
    const whole = { value: ["€€"], chunks: 5, cancelled: false };
    assertEquals(await read(8, [quote, 0xe2], [0x82], [0xac, ...euro.slice(0, 2)], [0xac, quote]), whole);
    const issue = { message: "Body too large", code: "body_too_large" };
    const tooLarge = { issue, chunks: 4, cancelled: true };
    assertEquals(await read(7, [quote, 0xe2], [0x82], [0xac, ...euro.slice(0, 2)], [0xac, quote], [1]), tooLarge);
    assertEquals(await read(9, [0xef, 0xbb], [0xbf, 0x31, 0x0a]), { value: [1], chunks: 3, cancelled: false });
    const cutOff = await read(9, [quote, ...euro, quote, 0x0a, 0xe2]);
    assertEquals(cutOff, {
      issue: { message: "A line is not JSON", code: "invalid_ndjson" },
      chunks: 2,
      cancelled: false,
    });
  });

  it("the recipe ndjson validates the values", async () => {
    assertEquals(await post('{"title":""}'), [400, ["too_small"]]);
    assertEquals(await post(null), [400, ["too_small"]]);
  });

  it("the recipe ndjson responds with at most ten issues, however many lines are not accepted", async () => {
    const [status, codes] = await post("1\n".repeat(30_000));
    assertEquals([status, (codes as string[]).length], [400, 10]);
  });

  it("the recipe ndjson is described by its content type", () => {
    const document = openapi({ info: { title: "Books", version: "1" }, routes: app.routes });
    assertEquals(Object.keys(document.paths["/books"]?.post?.requestBody?.content ?? {}), [
      "application/jsonl",
      "application/x-ndjson",
    ]);
  });
});
