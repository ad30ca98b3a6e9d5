import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import app from "../../../examples/recipes/ndjson.ts";
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

  it("the recipe ndjson makes an issue of another content type, a line that is not JSON, and too many bytes", async () => {
    assertEquals(await post('{"title":"Emma"}', { "content-type": "application/json" }), [400, [
      "unsupported_media_type",
    ]]);
    assertEquals(await post('{"title":"Emma"}\n{'), [400, ["invalid_ndjson"]]);
    assertEquals(await post(`{"title":"${"x".repeat(64 * 1024)}"}`), [400, ["body_too_large"]]);
  });

  it("the recipe ndjson validates the values", async () => {
    assertEquals(await post('{"title":""}'), [400, ["too_small"]]);
    assertEquals(await post(null), [400, ["too_small"]]);
  });

  it("the recipe ndjson answers with at most ten issues, however many lines are not accepted", async () => {
    const [status, codes] = await post("1\n".repeat(30_000));
    assertEquals([status, (codes as string[]).length], [400, 10]);
  });

  it("the recipe ndjson is described by its content type", () => {
    const document = openapi({ info: { title: "Books", version: "1" }, routes: app.routes });
    assertEquals(Object.keys(document.paths["/books"]?.post?.requestBody?.content ?? {}), ["application/x-ndjson"]);
  });
});
