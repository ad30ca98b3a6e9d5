import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, type Context, denyInvalid, route, setup } from "../../../mod.ts";
import { accepting } from "../../support/accepting.ts";
import { contextOf } from "../../support/context_of.ts";
import { post, request } from "../../support/request.ts";

/** The parts of the input that do not need the body. */
const SHAPE = { url: "http://localhost/", method: "POST", headers: new Headers() };

describe("raw.body", () => {
  /** What the handler of a route with a body schema sees. */
  async function read(incoming: Request, maxBodyBytes?: number) {
    let seen: Context<object> | undefined;
    const app = setup({
      validator: accepting,
      handlers: [route.all("/*", {
        request: { body: {}, ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }) },
        resolve(c) {
          seen = c;
          return new Response();
        },
      })],
    });
    await app.fetch(incoming);
    assert(seen !== undefined);
    return seen;
  }

  const invalid = (body: string) => ({
    ok: false,
    failed: ["body"],
    issues: [{ part: "body", path: [], message: "Invalid JSON", code: "invalid_json" }],
    received: { body },
  });

  it("is the parsed JSON if there is a body schema, whatever the content type", async () => {
    for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded", ""]) {
      const incoming = request("/", { method: "POST", body: '{"a":[1,null]}', headers: { "content-type": type } });
      const c = await read(incoming);
      assertEquals(c.raw.body, { a: [1, null] });
      assertEquals(c.input as unknown, { ok: true, body: { a: [1, null] } });
    }
    for (const body of ["null", "0", '""', "false", "[]", " 1 "]) {
      assertEquals((await read(post("/", body))).raw.body, JSON.parse(body));
    }
  });

  it("is undefined without a body schema, and the body is left unread", async () => {
    const c = await contextOf("/", post("/", '{"a":1}'));
    assertStrictEquals(c.raw.body, undefined);
    assertEquals(c.request.bodyUsed, false);
    assertEquals(await c.request.json(), { a: 1 });
    await assertRejects(() => c.request.text(), TypeError);
  });

  it("is read once: with a body schema the handler cannot read it again", async () => {
    const c = await read(post("/", "{}"));
    assertEquals(c.request.bodyUsed, true);
    await assertRejects(() => c.request.text(), TypeError);
  });

  it("is undefined for an empty body or invalid JSON, which produces an issue with the received text", async () => {
    for (const body of ["", " ", "{", "{a:1}", "undefined", "NaN", "'x'", "1 2", '{"a":1}x', "\u00a0{}", "{}\0"]) {
      const c = await read(post("/", body));
      assertStrictEquals(c.raw.body, undefined);
      assertEquals(c.input as unknown, invalid(body));
    }
    assertEquals((await read(request("/"))).input as unknown, invalid(""));
    assertEquals((await read(request("/", { method: "DELETE" }))).input as unknown, invalid(""));
  });

  it("may begin with a byte order mark, which is ignored, bounded or not", async () => {
    const body = () => new Uint8Array([0xef, 0xbb, 0xbf, 0x31]);
    assertEquals((await read(post("/", body()))).raw.body, 1);
    assertEquals((await read(post("/", body()), 4)).raw.body, 1);
    // Some adapters have a text() that keeps the mark.
    const kept = (text: string) => ({ ...SHAPE, text: () => Promise.resolve(`\ufeff${text}`) }) as unknown as Request;
    assertEquals((await read(kept("1"))).raw.body, 1);
    assertEquals((await read(kept("{"))).input as unknown, invalid("{"));
  });

  it("keeps `__proto__` as a key like any other", async () => {
    const c = await read(post("/", '{"__proto__":{"polluted":true}}'));
    assertEquals(Object.keys(c.raw.body as object), ["__proto__"]);
    assertEquals("polluted" in (c.raw.body as object), false);
  });

  it("is data or an issue, not an error, if it is nested too deeply for the parser", async () => {
    const depth = 200_000;
    const c = await read(post("/", "[".repeat(depth) + "]".repeat(depth)));
    assert(c.raw.body === undefined || Array.isArray(c.raw.body));
  });

  describe("with maxBodyBytes", () => {
    const tooLarge = {
      ok: false,
      failed: ["body"],
      issues: [{ part: "body", path: [], message: "Body too large", code: "body_too_large" }],
      received: {},
    };

    /** A body of these chunks, and how many of them have been asked for. */
    function streamed(
      ...chunks: string[]
    ): { body: ReadableStream<Uint8Array<ArrayBuffer>>; pulled: () => number; cancelled: () => boolean } {
      let pulled = 0;
      let cancelled = false;
      const encoder = new TextEncoder();
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull(controller) {
          const chunk = chunks[pulled++];
          if (chunk === undefined) controller.close();
          else controller.enqueue(encoder.encode(chunk));
        },
        cancel() {
          cancelled = true;
        },
      }, { highWaterMark: 0 });
      return { body, pulled: () => pulled, cancelled: () => cancelled };
    }

    const streamRequest = (body: ReadableStream, headers: HeadersInit = {}) =>
      new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit);

    it("accepts exactly that many bytes and rejects one more", async () => {
      assertEquals((await read(post("/", '"1234"'), 6)).raw.body, "1234");
      assertEquals((await read(post("/", '"12345"'), 6)).input as unknown, tooLarge);
      assertEquals((await read(post("/", "1"), 0)).input as unknown, tooLarge);
      assertEquals((await read(post("/", ""), 0)).input as unknown, invalid(""));
      assertEquals((await read(request("/"), 0)).input as unknown, invalid(""));
    });

    it("counts bytes, not characters, and joins characters split between chunks", async () => {
      assertEquals((await read(post("/", '"é"'), 4)).raw.body, "é");
      assertEquals((await read(post("/", '"é"'), 3)).input as unknown, tooLarge);
      const bytes = new TextEncoder().encode('"\u{1F600}"');
      const body = new ReadableStream({
        start(controller) {
          for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
          controller.close();
        },
      });
      assertEquals((await read(streamRequest(body), 6)).raw.body, "\u{1F600}");
    });

    it("stops reading as soon as the bound is exceeded", async () => {
      const { body, pulled, cancelled } = streamed("[1,", "2,", "3,", "4,", "5]");
      assertEquals((await read(streamRequest(body), 4)).input as unknown, tooLarge);
      assertEquals([pulled(), cancelled()], [2, true]);
    });

    it("ignores the content-length of chunked and of compressed bodies", async () => {
      for (const [name, value] of [["transfer-encoding", "chunked"], ["content-encoding", "gzip"]] as const) {
        const { body, pulled, cancelled } = streamed("[1,", "2,", "3,", "4,", "5]");
        const headers = { "content-length": "0", [name]: value };
        assertEquals((await read(streamRequest(body, headers), 4)).input as unknown, tooLarge);
        assertEquals([pulled(), cancelled()], [2, true], name);
      }
    });

    it("CVE-2026-44456: is decided on before guards and handler run, though they do not read the body", async () => {
      const ran: string[] = [];
      const app = setup({
        validator: accepting,
        handlers: [route.post("/", {
          request: { body: {}, maxBodyBytes: 4 },
          guards: [
            denyInvalid(({ issues: [issue] }) => new Response(issue?.code, { status: 413 })),
            () => (ran.push("guard"), allow()),
          ],
          resolve: () => (ran.push("handler"), new Response()),
        })],
      });
      const { body } = streamed("[1,", "2,", "3]");
      const response = await app.fetch(streamRequest(body, { "transfer-encoding": "chunked" }));
      assertEquals([response.status, await response.text(), ran], [413, "body_too_large", []]);
      assertEquals((await app.fetch(streamRequest(streamed("[1", "]").body))).status, 200);
      assertEquals(ran, ["guard", "handler"]);
    });

    it("does not wait for the cancelled body to end", async () => {
      const streamWith = (cancel: () => Promise<void>) => {
        let pulls = 0;
        return new ReadableStream<Uint8Array<ArrayBuffer>>({
          pull(controller) {
            if (++pulls > 100) controller.close();
            else controller.enqueue(new Uint8Array(10));
          },
          cancel,
        });
      };
      const pending = streamWith(() => new Promise(() => {}));
      assertEquals((await read(streamRequest(pending), 4)).input as unknown, tooLarge);
      const failing = streamWith(() => Promise.reject(new Error("nobody minds")));
      assertEquals((await read(streamRequest(failing), 4)).input as unknown, tooLarge);
    });

    it("CVE-2026-54288: does not trust content-length, neither too small nor too large", async () => {
      const long = streamed("[1,", "2,", "3]");
      assertEquals((await read(streamRequest(long.body, { "content-length": "1" }), 4)).input as unknown, tooLarge);
      const short = streamed("[1]");
      assertEquals((await read(streamRequest(short.body, { "content-length": "1000" }), 4)).raw.body, [1]);
    });

    it("counts the same with the content-length of a server", async () => {
      const told = (body: string, length: string, headers?: HeadersInit) =>
        request("/", { method: "POST", body, headers: { ...headers, "content-length": length } });
      const text = '"é\u{1F600}"';
      for (const bound of [7, 8, 9, 26, 27, 28, 100]) {
        const { raw, input } = await read(told(text, "8"), bound);
        assertEquals(
          [raw.body, input.ok ? undefined : input],
          bound < 8 ? [undefined, tooLarge] : ["é\u{1F600}", undefined],
        );
      }
      assertEquals((await read(told("", "0"), 100)).input as unknown, invalid(""));
      assertEquals((await read(told("{", "1"), 100)).input as unknown, invalid("{"));
    });

    it("opens the stream of a body, or encodes its text, only where it may be too large", async () => {
      const { encode } = TextEncoder.prototype;
      const workFor = async (body: string, maxBytes: number) => {
        const bytes = new TextEncoder().encode(body);
        const headers = { "content-length": String(bytes.length) };
        const incoming = request("/", { method: "POST", body: bytes, headers });
        const work = { opened: 0, encoded: 0 };
        Object.defineProperty(incoming, "body", {
          get() {
            work.opened++;
            return new Response(bytes).body;
          },
        });
        TextEncoder.prototype.encode = function (text) {
          work.encoded++;
          return encode.call(this, text);
        };
        try {
          assertEquals((await read(incoming, maxBytes)).raw.body, JSON.parse(body));
        } finally {
          TextEncoder.prototype.encode = encode;
        }
        return work;
      };
      // A character has at most three bytes.
      assertEquals(await workFor("123", 10), { opened: 0, encoded: 0 });
      assertEquals(await workFor("123", 9), { opened: 0, encoded: 0 });
      assert((await workFor("123", 8)).opened > 0);
    });

    it("counts the bytes of the body, whatever content-length a program sets", async () => {
      const told = (body: string, length: string) =>
        request("/", { method: "POST", body, headers: { "content-length": length } });
      for (const length of ["", "0", "1", "-1", "1e1", "11", "12", "1000", "NaN", "Infinity"]) {
        assertEquals((await read(told('"12345678"', length), 10)).raw.body, "12345678", length);
        assertEquals((await read(told('"123456789"', length), 10)).input as unknown, tooLarge, length);
        assertEquals((await read(told('"ééé"', length), 8)).raw.body, "ééé", length);
        assertEquals((await read(told('"éééé"', length), 8)).input as unknown, tooLarge, length);
      }
    });

    it("applies the bound of setup, unless the route has its own", async () => {
      const seen: unknown[] = [];
      const resolve = (c: Context<object>) => {
        seen.push(c.raw.body);
        return new Response();
      };
      const app = setup({
        validator: accepting,
        maxBodyBytes: 3,
        handlers: [
          route.post("/app", { request: { body: {} }, resolve }),
          route.post("/less", { request: { body: {}, maxBodyBytes: 2 }, resolve }),
          route.post("/more", { request: { body: {}, maxBodyBytes: 9 }, resolve }),
          route.post("/any", { request: { body: {}, maxBodyBytes: Infinity }, resolve }),
        ],
      });
      for (const path of ["/app", "/less", "/more", "/any"]) await app.fetch(post(path, "123"));
      for (const path of ["/app", "/less", "/more", "/any"]) await app.fetch(post(path, "1234567890"));
      assertEquals(seen, [123, undefined, 123, 123, undefined, undefined, undefined, 1234567890]);
    });
  });

  describe("that the client cuts off", () => {
    /** What a server makes of a connection that ends: a stream that fails, with an error of its own. */
    const cutOff = (error: unknown, headers: HeadersInit, ...chunks: string[]) => {
      const body = new ReadableStream({
        pull(controller) {
          const chunk = chunks.shift();
          if (chunk === undefined) controller.error(error);
          else controller.enqueue(new TextEncoder().encode(chunk));
        },
      }, { highWaterMark: 0 });
      return new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
    };

    it("is data, with or without a bound: the issue incomplete_body, and no value in received", async () => {
      const errors = [
        new Error("reset"),
        new TypeError("terminated"),
        new DOMException("gone", "AbortError"),
        undefined,
      ];
      for (const error of errors) {
        for (const chunks of [[], ["{}"], ['{"a":', "1"]]) {
          for (const [bound, headers] of [[Infinity, {}], [1000, {}], [1000, { "content-length": "9" }]] as const) {
            const { input, raw } = await read(cutOff(error, headers, ...chunks), bound);
            assertEquals(input as unknown, {
              ok: false,
              failed: ["body"],
              issues: [{ part: "body", path: [], message: "Incomplete body", code: "incomplete_body" }],
              received: {},
            });
            assertStrictEquals(raw.body, undefined);
          }
        }
      }
    });

    it("is incomplete, not empty, if an adapter ends its stream instead", async () => {
      const [aborter, body] = [
        new AbortController(),
        new ReadableStream({ start: (controller) => controller.close() }),
      ];
      const init = { method: "POST", body, duplex: "half", signal: aborter.signal } as RequestInit;
      const incoming = new Request("http://localhost/", init);
      aborter.abort();
      const { input } = await read(incoming, 1000);
      assertEquals(!input.ok && input.issues[0]?.code, "incomplete_body");
    });

    it("is too large if it exceeds the bound before that", async () => {
      const { input } = await read(cutOff(new Error("reset"), {}, '{"a":', "1"), 5);
      assertEquals(!input.ok && input.issues[0]?.code, "body_too_large");
    });
  });

  it("that has been read before, or whose stream is locked, is an error with or without a bound", async () => {
    for (const maxBodyBytes of [100, 1, Infinity]) {
      const errors: unknown[] = [];
      const app = setup({
        validator: accepting,
        maxBodyBytes,
        handlers: [route.post("/", { request: { body: {} }, resolve: () => new Response("not reached") })],
        onError({ error, context }) {
          errors.push(error instanceof TypeError, context.stage);
          return new Response(null, { status: 500 });
        },
      });
      const used = post("/", "{}");
      await used.text();
      assertEquals((await app.fetch(used)).status, 500);
      const locked = post("/", "{}");
      locked.body?.getReader();
      assertEquals((await app.fetch(locked)).status, 500);
      assertEquals(errors, [true, "body", true, "body"]);
    }
  });
});
