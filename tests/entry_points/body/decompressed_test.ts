import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { type BodyReader, reply, route, setup } from "../../../mod.ts";
import { decompressed, form, json, optional } from "../../../src/body/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";

/** Compresses a body. */
async function compress(body: BlobPart, format: CompressionFormat = "gzip"): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([body]).stream().pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The value of a body, or the codes of its issues. */
async function read(
  body: BodyInit | null,
  headers: Record<string, string>,
  { bodyReader = decompressed(json, { maxBodyBytes: 1000 }), maxBodyBytes = 500 }: {
    bodyReader?: BodyReader | null;
    maxBodyBytes?: number;
  } = {},
): Promise<unknown> {
  const { fetch } = setup({
    validator: standardSchema,
    maxBodyBytes,
    handlers: [
      route.post("/", {
        request: { body: z.unknown(), ...bodyReader && { bodyReader } },
        resolve: ({ input }) => reply(200, input.ok ? input.body : input.issues.map(({ code }) => code)),
      }),
    ],
  });
  const init = { method: "POST", body, headers, duplex: "half" };
  return await (await fetch(new Request("http://localhost/", init))).json();
}

const gzip = { "content-encoding": "gzip" };

describe("decompressed()", () => {
  it("reads JSON that is compressed by gzip or deflate, and JSON that is not", async () => {
    const text = '{"a":[1,"ü"]}';
    const value = { a: [1, "ü"] };
    assertEquals(await read(await compress(text), gzip), value);
    assertEquals(await read(await compress(text), { "content-encoding": "X-GZIP" }), value);
    assertEquals(await read(await compress(text, "deflate"), { "content-encoding": "deflate" }), value);
    assertEquals(await read(text, {}), value);
    assertEquals(await read(text, { "content-encoding": "identity" }), value);
  });

  it("reads a body whose request has no Host: its url is only a path on Bun", async () => {
    const body = await compress('"a"');
    for (const reader of [decompressed(json, { maxBodyBytes: 1000 }), optional(json)]) {
      const isPlain = reader.contentTypes.length > 0 && !("maxBodyBytes" in reader) && reader.optional === true;
      const incoming = new Request("http://localhost/", {
        method: "POST",
        body: isPlain ? '"a"' : body,
        headers: isPlain ? {} : gzip,
      });
      Object.defineProperty(incoming, "url", { value: "/" });
      assertEquals(await reader.read(incoming, 1000), { value: "a" });
    }
  });

  it("reads forms", async () => {
    const bodyReader = decompressed(form, { maxBodyBytes: 1000 });
    const type = "application/x-www-form-urlencoded";
    assertEquals(await read(await compress("a=1&a=2"), { ...gzip, "content-type": type }, { bodyReader }), {
      a: ["1", "2"],
    });
    assertEquals(await read(await compress("a=1"), gzip, { bodyReader }), ["unsupported_media_type"]);
  });

  it("says that an encoding is not supported, with and without it", async () => {
    for (const coding of ["br", "gzip, gzip", "zstd", "constructor"]) {
      assertEquals(await read(await compress("1"), { "content-encoding": coding }), ["unsupported_content_encoding"]);
    }
    const plain = { bodyReader: null };
    assertEquals(await read(await compress("1"), gzip, plain), ["unsupported_content_encoding"]);
    assertEquals(await read(await compress("1"), gzip, { ...plain, maxBodyBytes: Infinity }), [
      "unsupported_content_encoding",
    ]);
    assertEquals(await read("{", { "content-encoding": "identity" }, plain), ["invalid_json"]);
    const type = "application/x-www-form-urlencoded";
    const headers = { ...gzip, "content-type": type };
    assertEquals(await read(await compress("a=1"), headers, { bodyReader: form }), ["unsupported_content_encoding"]);
  });

  it("says that a body is not what its encoding says", async () => {
    const whole = await compress(JSON.stringify("x".repeat(300)));
    for (const body of ["not gzip", whole.slice(0, -9), new Uint8Array(100)]) {
      assertEquals(await read(body, gzip), ["invalid_content_encoding"]);
    }
    assertEquals(await read(await compress("not json"), gzip), ["invalid_json"]);
    for (const body of ["", null]) assertEquals(await read(body, gzip), ["invalid_content_encoding"]);
    assertEquals(await read(null, {}), ["invalid_json"]);
  });

  it("says that the client has cut the body off", async () => {
    const [part] = [(await compress(JSON.stringify("x".repeat(300)))).slice(0, 20)];
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(part),
      pull: (controller) => controller.error(new Error("cut off")),
    }, { highWaterMark: 0 });
    assertEquals(await read(body, gzip), ["incomplete_body"]);
  });

  it("bounds the bytes that arrive, and those that they become", async () => {
    const random = crypto.getRandomValues(new Uint8Array(600));
    assertEquals(await read(await compress(random), gzip), ["body_too_large"]);
    assertEquals(await read(await compress(JSON.stringify("x".repeat(997))), gzip), "x".repeat(997 + 1).slice(1));
    assertEquals(await read(await compress(JSON.stringify("x".repeat(999))), gzip), ["body_too_large"]);
    assertEquals(await read(JSON.stringify("x".repeat(999)), {}, { maxBodyBytes: 5000 }), ["body_too_large"]);
  });

  it("reads a body with as many bytes as may arrive, and stops at one more", async () => {
    const body = await compress(JSON.stringify("é".repeat(40)));
    const { byteLength } = body;
    assertEquals(await read(body, gzip, { maxBodyBytes: byteLength }), "é".repeat(40));
    assertEquals(await read(body, gzip, { maxBodyBytes: byteLength - 1 }), ["body_too_large"]);
    const random = await compress(crypto.getRandomValues(new Uint8Array(60_000)));
    let pulls = 0;
    let isCancelled = false;
    const long = new ReadableStream<Uint8Array>({
      pull: (controller) =>
        pulls < 200 ? controller.enqueue(random.slice(300 * pulls, 300 * ++pulls)) : controller.close(),
      cancel() {
        isCancelled = true;
      },
    }, { highWaterMark: 0 });
    const bodyReader = decompressed(json, { maxBodyBytes: 1_000_000 });
    assertEquals(await read(long, gzip, { bodyReader, maxBodyBytes: 1000 }), ["body_too_large"]);
    assert(pulls < 10 && isCancelled, `${pulls} chunks`);
  });

  it("stops at the bound: a bomb is not decompressed", async () => {
    // A megabyte for each kilobyte, in chunks that a client sends one by one.
    const megabyte = new Uint8Array(2 ** 20);
    let made = 0;
    const zeros = new ReadableStream({
      pull: (controller) => made++ < 256 ? controller.enqueue(megabyte) : controller.close(),
    });
    const compressed = await new Response(zeros.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
    const bomb = new Uint8Array(compressed);
    let sent = 0;
    const source = () =>
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull(controller) {
          if (sent >= bomb.length) return controller.close();
          controller.enqueue(bomb.slice(sent, sent += 4096));
        },
      }, { highWaterMark: 0 });
    // Node.js takes all that arrives, before it decompresses.
    const control = source().pipeThrough(new DecompressionStream("gzip")).getReader();
    await control.read();
    const taken = sent;
    await control.cancel();
    sent = 0;
    const body = source();
    const options = { bodyReader: decompressed(json, { maxBodyBytes: 10_000 }), maxBodyBytes: 2 ** 20 };
    assertEquals(await read(body, gzip, options), ["body_too_large"]);
    assert(sent <= taken + 65_536, `${sent} of ${bomb.length} bytes were read, and ${taken} without a bound`);
  });

  it("rejects wrong options", () => {
    for (const maxBodyBytes of [0, 1.5, Infinity, 2 ** 31]) {
      assertThrows(
        () => decompressed(json, { maxBodyBytes }),
        TypeError,
        "Option maxBodyBytes of decompressed must be",
      );
    }
    const misspelt = { maxBodyByte: 1, maxBodyBytes: 1 };
    assertThrows(() => decompressed(json, misspelt), TypeError, "did you mean maxBodyBytes?");
  });
});
