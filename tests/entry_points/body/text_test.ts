import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import * as v from "valibot";
import { z } from "zod";
import { type BodyReader, endpoint, reply, route, setup } from "../../../mod.ts";
import { bytes, decompressed, json, optional, text } from "../../../src/body/mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";

/** What a reader makes of a body: the value, or the code of its issue. */
async function read(
  bodyReader: BodyReader,
  body: BodyInit | null,
  { maxBodyBytes = 100, ...init }: RequestInit & { maxBodyBytes?: number } = {},
): Promise<unknown> {
  let seen: unknown;
  const app = setup({
    validator: standardSchema,
    maxBodyBytes,
    handlers: [route.post("/", {
      request: { body: z.unknown(), bodyReader },
      resolve(c) {
        seen = c.input.ok ? c.input.body : c.input.issues.map(({ code }) => code);
        return new Response();
      },
    })],
  });
  const sent: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half", ...init };
  await app.fetch(new Request("http://localhost/", sent));
  return seen;
}

/** A body of unknown length. `end` ends it: by default, as a client does. */
function streamOf(chunks: readonly string[], end?: Error): ReadableStream<Uint8Array> {
  const rest = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = rest.shift();
      if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk));
      else if (end === undefined) controller.close();
      else controller.error(end);
    },
  });
}

const cutOff = () => new Error("connection reset");

describe("text", () => {
  it("reads a body of any media type as a string", async () => {
    for (const type of ["text/plain", "text/csv; charset=utf-8", "application/xml", "x", ""]) {
      assertEquals(await read(text, "café 😀", { headers: { "content-type": type } }), "café 😀");
    }
    assertEquals(await read(text, streamOf(["a", "", "b"])), "ab");
    assertEquals(await read(text, ""), "");
    assertEquals(await read(text, null), "");
  });

  it("has no byte order mark, and U+FFFD for malformed bytes", async () => {
    assertEquals(await read(text, Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff)), "a\ufffd");
  });
});

describe("bytes", () => {
  it("reads a body of any media type as a Uint8Array", async () => {
    const value = Uint8Array.of(0, 0xff, 0x80);
    for (const type of ["image/png", "application/json", ""]) {
      assertEquals(await read(bytes, value, { headers: { "content-type": type } }), value);
    }
    assertEquals(await read(bytes, streamOf(["a", "b"])), Uint8Array.of(0x61, 0x62));
    assertEquals(await read(bytes, null), new Uint8Array());
  });
});

describe("text and bytes", () => {
  it("read no more than maxBodyBytes, counted as they arrive", async () => {
    for (const reader of [text, bytes, optional(text), optional(bytes)]) {
      assertEquals(await read(reader, "é", { maxBodyBytes: 1 }), ["body_too_large"]);
      let pulled = 0;
      const endless = new ReadableStream({
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(100));
        },
      }, { highWaterMark: 0 });
      assertEquals(await read(reader, endless, { maxBodyBytes: 250 }), ["body_too_large"]);
      assert(pulled <= 4, `${pulled} chunks`);
    }
  });

  it("say that a body is cut off or compressed, as data", async () => {
    for (const reader of [text, bytes, optional(text), optional(json)]) {
      assertEquals(await read(reader, streamOf(["a"], cutOff())), ["incomplete_body"]);
      assertEquals(await read(reader, streamOf([], cutOff())), ["incomplete_body"]);
      assertEquals(await read(reader, "x", { headers: { "content-encoding": "br" } }), [
        "unsupported_content_encoding",
      ]);
    }
    const gzipped = new Response(new Blob(["a"]).stream().pipeThrough(new CompressionStream("gzip")));
    const reader = decompressed(text, { maxBodyBytes: 10 });
    const headers = { "content-encoding": "gzip" };
    assertEquals(await read(reader, await gzipped.arrayBuffer(), { headers }), "a");
  });

  it("mean the same to the types, the client, the document and the server", async () => {
    const api = {
      note: endpoint.post("/note", {
        request: { body: z.string().max(5), bodyReader: text },
        responses: { 200: { schema: z.string() }, 400: {} },
      }),
      picture: endpoint.put("/picture", {
        request: { body: v.instance(Uint8Array), bodyReader: bytes },
        responses: { 200: { schema: z.number() }, 400: {} },
      }),
    };
    const app = setup({
      endpoints: api,
      validator: standardSchema,
      handlers: [
        route.on(api.note, { resolve: ({ input }) => input.ok ? reply(200, input.body) : reply(400) }),
        route.on(api.picture, { resolve: ({ input }) => input.ok ? reply(200, input.body.length) : reply(400) }),
      ],
    });
    const client = createClient(api, { fetch: app.fetch });
    assertEquals((await client.note({ body: '"é"' })).body, '"é"');
    assertEquals((await client.note({ body: "too long" })).status, 400);
    assertEquals((await client.picture({ body: Uint8Array.of(1, 2) })).body, 2);
    assertEquals((await client.picture({ body: new Blob(["abc"]) })).body, 3);
    const { paths } = openapi({
      info: { title: "", version: "" },
      endpoints: api,
      unrepresentable: "any",
    });
    assertEquals(paths["/note"]?.post?.requestBody, {
      required: true,
      content: {
        "text/plain": { schema: { type: "string", maxLength: 5 } },
        "*/*": { schema: { type: "string", maxLength: 5 } },
      },
    });
    assertEquals(Object.keys(paths["/picture"]?.put?.requestBody?.content ?? {}), ["application/octet-stream", "*/*"]);
  });
});

describe("optional()", () => {
  it("has undefined for a body of no bytes, whatever its media type, and leaves any other to the reader", async () => {
    const empty = [null, "", new Uint8Array(), streamOf([]), streamOf(["", ""])];
    for (const body of empty) {
      for (const reader of [optional(json), optional(text), optional(bytes)]) {
        assertEquals(await read(reader, body instanceof ReadableStream ? streamOf([]) : body), undefined);
      }
    }
    assertEquals(
      await read(optional(json), null, { headers: { "content-type": "text/csv", "content-length": "0" } }),
      undefined,
    );
    for (const body of ['{"a":1}', streamOf(['{"a"', ":1}"]), streamOf(["", '{"a":1}', ""])]) {
      assertEquals(await read(optional(json), body), { a: 1 });
    }
    const length = { headers: { "content-length": "7" } };
    assertEquals(await read(optional(json), '{"a":1}', length), { a: 1 });
    for (const body of [" ", "{", "undefined"]) assertEquals(await read(optional(json), body), ["invalid_json"]);
  });

  it("keeps the text that is not JSON, as a route without a reader does", async () => {
    const received: unknown[] = [];
    for (const bodyReader of [undefined, json, optional(json)]) {
      const app = setup({
        validator: standardSchema,
        handlers: [route.post("/", {
          request: { body: z.unknown(), ...bodyReader && { bodyReader } },
          resolve(c) {
            if (!c.input.ok) received.push(c.input.received);
            return new Response();
          },
        })],
      });
      await app.fetch(new Request("http://localhost/", { method: "POST", body: "{" }));
    }
    assertEquals(received, [{ body: "{" }, { body: "{" }, { body: "{" }]);
  });

  it("works around and within decompressed", async () => {
    const options = { maxBodyBytes: 100 };
    const compress = async (body: string) =>
      await new Response(new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
    const headers = { "content-encoding": "gzip" };
    for (const reader of [optional(decompressed(json, options)), decompressed(optional(json), options)]) {
      assertEquals(reader.optional, true);
      assertEquals(await read(reader, null), undefined);
      assertEquals(await read(reader, await compress("[1]"), { headers }), [1]);
    }
    assertEquals(await read(decompressed(optional(json), options), await compress(""), { headers }), undefined);
  });

  it("leaves a body that was read before to the reader, which rejects it", async () => {
    const used = new Request("http://localhost/", { method: "POST", body: "[1]" });
    await used.text();
    const outcome = await optional(json).read(used, 10).then(() => "read", () => "rejected");
    assertEquals(outcome, "rejected");
  });

  it("rejects what is not a reader", () => {
    for (const reader of [undefined, null, {}, z.string()]) {
      assertThrows(
        () => optional(reader as unknown as BodyReader),
        TypeError,
        "Argument of optional must be a reader such as json: { contentTypes, read }: received",
      );
    }
  });
});
