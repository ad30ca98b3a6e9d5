import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, route, setup } from "../../../mod.ts";
import { type ClientOptions, createClient, UnexpectedResponse } from "../../../src/client/mod.ts";
import { events, lines, replyEvents, replyLines } from "../../../src/events/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { until } from "../../support/until.ts";

const any = z.unknown();
const api = {
  named: endpoint.get("/named", { responses: { 200: events({ t: any, message: any }, { maxLength: 100 }) } }),
  plain: endpoint.get("/plain", { responses: { 200: events(z.number()) } }),
  rows: endpoint.get("/rows", { responses: { 200: lines(any, { maxLength: 100 }) } }),
};

/** A response with these chunks, and what has become of its body. */
function respond(chunks: readonly (string | Uint8Array)[], contentType: string) {
  const state = { cancelled: 0 };
  const left = chunks.map((chunk) => typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
  const body = new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
    cancel() {
      state.cancelled++;
    },
  }, { highWaterMark: 0 });
  return { state, response: new Response(body, { headers: { "content-type": contentType } }) };
}

/** Reads the items of these chunks. The last one is the message of the error, if there is one. */
async function readChunks(
  name: keyof typeof api,
  chunks: readonly (string | Uint8Array)[],
  options: ClientOptions = {},
): Promise<readonly unknown[]> {
  const { response } = respond(chunks, name === "rows" ? "application/jsonl" : "text/event-stream");
  const client = createClient(api, { fetch: () => response, ...options });
  const items: unknown[] = [];
  try {
    for await (const item of (await client[name]()).body) items.push(item);
  } catch (error) {
    assert(error instanceof UnexpectedResponse);
    assertStrictEquals(error.response, response);
    items.push(error.message);
  }
  return items;
}

const UNEXPECTED = (name: string) => `GET http://localhost/${name} has answered 200, with another body than declared`;

describe("the events of a response", () => {
  const text =
    '\uFEFF: hi\r\nevent: t\r\ndata: {"a":\rdata: "é😀"}\nid: 7\n\ndata:1\n\nevent: other\ndata: 2\n\nid: 8\n\n' +
    "retry: 10\nretry: x\nretry:-1\nid: a\0b\nevent: t\ndata: 3\r\rdata\r\n:\ndata:  4\n\r\nignored: 5\nevent: t\n\n" +
    "data: 6\nid\n\ndata: 7\nid: lost";
  const expected = [
    { event: "t", data: { a: "é😀" }, id: "7" },
    { event: "message", data: 1, id: "7" },
    { event: "t", data: 3, id: "8" },
    { event: "message", data: 4, id: "8" },
    { event: "message", data: 6, id: "" },
  ];

  it("are parsed as the standard says, however their bytes are split", async () => {
    const bytes = new TextEncoder().encode(text);
    assertEquals(await readChunks("named", [bytes]), expected);
    for (let size = 1; size < 20; size++) {
      const chunks: Uint8Array[] = [];
      for (let start = 0; start < bytes.length; start += size) {
        chunks.push(bytes.slice(start, start + size), new Uint8Array());
      }
      assertEquals(await readChunks("named", chunks), expected, `${size}`);
    }
  });

  it("lose one space before their data, and are none if the response ends before an empty line", async () => {
    const items = [{ event: "message", data: "a b", id: "" }, { event: "message", data: " c d", id: "" }];
    for (const end of ["", "data: 9", "data: 9\n", "data: 9\r\n"]) {
      assertEquals(await readChunks("named", [`data:"a b"\n\ndata: " c d"\n\n${end}`]), items);
    }
  });

  it("change retry by digits only", async () => {
    const { response } = respond(
      ["retry: 10\n\nretry: x\nretry:-1\nretry: 1x\nretry: x1\nretry\nother: 5\n6: 6\ndata: 1\n\n"],
      "text/event-stream",
    );
    const { body } = await createClient(api, { fetch: () => response }).plain();
    for await (const _ of body) assertEquals(body.retry, 10);
  });

  it("arrive when they are complete: a CR ends a line, also if LF may follow", async () => {
    for (const end of ["\n\n", "\r\r", "\r\n\r\n", "\r\n\r", "\n\r"]) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const response = new Response(readable, { headers: { "content-type": "text/event-stream" } });
      const { body } = await createClient(api, { fetch: () => response }).plain();
      const iterator = body[Symbol.asyncIterator]();
      for (const data of [1, 2]) {
        writer.write(new TextEncoder().encode(`data: ${data}${end}`)).catch(() => {});
        assertEquals((await iterator.next()).value?.data, data);
      }
      await iterator.return?.();
    }
  });

  it("tell their names apart, and have the last id and retry", async () => {
    const { response } = respond(
      ["retry: 3000\nid: 1\nevent: t\ndata: 1\n\n", "id: 2\n\nid: 3\ndata: 2"],
      "text/event-stream",
    );
    const { body } = await createClient(api, { fetch: () => response }).named();
    assertEquals([body.lastEventId, body.retry], ["", undefined]);
    for await (const item of body) {
      assertEquals([item.event, item.id, body.lastEventId, body.retry], ["t", "1", "1", 3000]);
    }
    // Not 3: that event was cut off, and has to be sent again.
    assertEquals(body.lastEventId, "2");
  });

  it("have the id of the request until one comes, since they continue after it", async () => {
    const { response } = respond(["data: 1\n\n", "id: 8\ndata: 2\n\n"], "text/event-stream");
    const client = createClient(api, { fetch: () => response });
    const { body } = await client.plain({ headers: { "last-event-id": "7" } });
    const ids: unknown[] = [];
    for await (const { id } of body) ids.push([id, body.lastEventId]);
    assertEquals(ids, [["7", "7"], ["8", "8"]]);
  });

  it("are an UnexpectedResponse if they are too long, in one line, in many, or in many chunks", async () => {
    const fits = "x".repeat(91);
    assertEquals(await readChunks("named", [`data: "${fits}\ndata:"\n\n`]), [UNEXPECTED("named")]);
    assertEquals(await readChunks("named", [`data:"${fits}"\n\n`]), [{ event: "message", data: fits, id: "" }]);
    const [one, other] = ["[1,".padEnd(49), "2]".padEnd(50)]; // with a line break, 100 characters
    const [item] = await readChunks("named", [`data:${one}\n`, `data:${other}\n\n`]);
    assertEquals(item, { event: "message", data: [1, 2], id: "" });
    const long = [
      [`data:${one}\n`, `data:${other} \n\n`],
      [`data: "${"x".repeat(94)}"`],
      [`: ${"x".repeat(99)}\n`],
      [`data: ${"x".repeat(60)}\ndata: ${"x".repeat(60)}\n\n`],
      Array.from({ length: 30 }, () => "data: x"),
      [...Array.from({ length: 102 }, () => "data\n"), "\n"],
      Array.from({ length: 102 }, () => "data\n"),
    ];
    for (const chunks of long) assertEquals(await readChunks("named", chunks), [UNEXPECTED("named")]);
    assertEquals(await readChunks("plain", [`data: 1${" ".repeat(2 ** 20 - 10)}\n\n`]), [{
      event: "message",
      data: 1,
      id: "",
    }]);
    assertEquals(await readChunks("plain", [`data: 1${" ".repeat(2 ** 20)}\n\n`]), [UNEXPECTED("plain")]);
  });

  it("are an UnexpectedResponse if their data is not JSON", async () => {
    for (const data of ["data: {", "data: one", "data", "data:", "data: 1\ndata: 2"]) {
      assertEquals(await readChunks("named", ["data: 0\n\n", `${data}\n\n`]), [
        { event: "message", data: 0, id: "" },
        UNEXPECTED("named"),
      ]);
    }
  });

  it("are validated one by one, if the client has a validator, and keep what was received", async () => {
    const dated = { when: endpoint.get("/when", { responses: { 200: events({ at: z.coerce.date(), n: z.int() }) } }) };
    const { response, state } = respond(
      ['event: at\ndata: "1970-01-01"\n\n', "event: n\ndata: 1\n\n", "event: n\ndata: 1.5\n\n"],
      "text/event-stream",
    );
    const client = createClient(dated, { fetch: () => response, validator: standardSchema });
    const seen: unknown[] = [];
    const error = await assertRejects(async () => {
      for await (const { data } of (await client.when()).body) seen.push(data);
    }, UnexpectedResponse);
    assertEquals([seen, state.cancelled], [["1970-01-01", 1], 1]);
    assertEquals(Object(error.cause).issues[0].path, []);
  });

  it("whose names are inherited are skipped, as other unknown ones", async () => {
    assertEquals(await readChunks("named", ["event: toString\ndata: {\n\nevent: __proto__\ndata: 1\n\n"]), []);
  });

  it("have a media type: a page of a proxy is an UnexpectedResponse, whose body can be read", async () => {
    for (const type of ["text/html", "text/event-streams", "application/jsonl", "", "text/event"]) {
      const client = createClient(api, { fetch: () => new Response("<h1>", { headers: { "content-type": type } }) });
      const error = await assertRejects(() => client.named(), UnexpectedResponse);
      assertEquals([error.message, await error.response.text()], [UNEXPECTED("named"), "<h1>"]);
    }
    const bare = new Response(new Uint8Array());
    await assertRejects(() => createClient(api, { fetch: () => bare }).named(), UnexpectedResponse);
    for (const type of ["text/event-stream;charset=utf-8", "Text/Event-Stream ; a=b"]) {
      const { response } = respond(["data: 1\n\n"], type);
      const { body } = await createClient(api, { fetch: () => response }).plain();
      for await (const { data } of body) assertEquals(data, 1);
    }
  });

  it("end the request when the loop is left, and when it throws", async () => {
    for (const leave of [() => true, () => raise(new Error("Enough"))]) {
      const { response, state } = respond(["data: 1\n\ndata: 2\n\n", "data: 3\n\n"], "text/event-stream");
      const { body } = await createClient(api, { fetch: () => response }).plain();
      try {
        for await (const _ of body) if (leave()) break;
      } catch {
        // the error of the loop
      }
      assertEquals(state.cancelled, 1);
    }
  });

  it("end with the reason of an aborted signal, also in process, where nothing else ends the body", async () => {
    let ended = 0;
    const app = setup({
      handlers: [
        route.on(api.plain, {
          resolve: () =>
            replyEvents(200, async function* (signal, event) {
              try {
                yield event("message", 1);
                await new Promise((resolve) => signal.addEventListener("abort", resolve));
              } finally {
                ended++;
              }
            }),
        }),
      ],
    });
    const client = createClient(api, { fetch: app.fetch });
    const reason = new Error("Enough");
    const aborter = new AbortController();
    const { body } = await client.plain({ signal: aborter.signal });
    const iterator = body[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = iterator.next();
    aborter.abort(reason);
    assertStrictEquals(await assertRejects(() => waiting), reason);
    await until(() => ended === 1);
    const { body: late } = await client.plain({ signal: new AbortController().signal });
    for await (const _ of late) break;
    await until(() => ended === 2);
  });

  it("end with the reason of a signal that is aborted before the loop, or between two events of a chunk", async () => {
    for (const isBefore of [true, false]) {
      const { response, state } = respond(["data: 1\n\ndata: 2\n\n"], "text/event-stream");
      const aborter = new AbortController();
      const { body } = await createClient(api, { fetch: () => response }).plain({ signal: aborter.signal });
      const reason = new Error("Enough");
      const seen: unknown[] = [];
      if (isBefore) aborter.abort(reason);
      const error = await assertRejects(async () => {
        for await (const { data } of body) {
          seen.push(data);
          aborter.abort(reason);
        }
      });
      assertStrictEquals(error, reason);
      assertEquals([seen, state.cancelled], [isBefore ? [] : [1], 1]);
    }
  });

  it("end with the error of a connection that breaks", async () => {
    const failure = new Error("The connection is gone");
    let turn = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (turn++ === 0) controller.enqueue(new TextEncoder().encode("data: 1\n\n"));
        else controller.error(failure);
      },
    }, { highWaterMark: 0 });
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const { body: stream } = await createClient(api, { fetch: () => response }).plain();
    const seen: unknown[] = [];
    const error = await assertRejects(async () => {
      for await (const { data } of stream) seen.push(data);
    });
    assertStrictEquals(error, failure);
    assertEquals(seen, [1]);
  });

  it("are none in a response without a body", async () => {
    for (const name of ["plain", "rows"] as const) {
      const headers = { "content-type": name === "rows" ? "application/jsonl" : "text/event-stream" };
      const { body } = await createClient(api, { fetch: () => new Response(null, { headers }) })[name]();
      for await (const _ of body) raise(new Error("There is none"));
    }
  });
});

describe("the lines of a response", () => {
  it("are one JSON value each, with or without a last end of line, however their bytes are split", async () => {
    const bytes = new TextEncoder().encode('\uFEFF{"a":"é"}\r\n\n \t\n[2,\r3]\n"4"\n5');
    const expected = [{ a: "é" }, [2, 3], "4", 5];
    assertEquals(await readChunks("rows", [bytes]), expected);
    assertEquals(await readChunks("rows", Array.from(bytes, (byte) => Uint8Array.of(byte))), expected);
    assertEquals(await readChunks("rows", ["1\n"]), [1]);
  });

  it("are an UnexpectedResponse if they are too long, not JSON, or cut off within a character", async () => {
    const failed = [1, UNEXPECTED("rows")];
    assertEquals(await readChunks("rows", ["1\n", `"${"x".repeat(99)}"\n`]), failed);
    assertEquals(await readChunks("rows", ["1\n", ...Array.from({ length: 101 }, () => " ")]), failed);
    assertEquals(await readChunks("rows", ["1\n", "{\n"]), failed);
    assertEquals(await readChunks("rows", ["1\n", "{"]), failed);
    assertEquals(await readChunks("rows", ["1\n2", Uint8Array.of(0xE2, 0x82)]), failed);
    assertEquals(await readChunks("rows", [`"${"x".repeat(98)}"\n`]), ["x".repeat(98)]);
    assertEquals(await readChunks("rows", [`"${"x".repeat(98)}"`, "\n"]), ["x".repeat(98)]);
  });

  it("are validated one by one, if the client has a validator", async () => {
    const ids = { list: endpoint.get("/ids", { responses: { 200: lines(z.int()) } }) };
    const { response } = respond(["1\n1.5\n"], "application/jsonl");
    const client = createClient(ids, { fetch: () => response, validator: standardSchema });
    const seen: unknown[] = [];
    const read = async () => {
      for await (const id of (await client.list()).body) seen.push(id);
    };
    await assertRejects(read, UnexpectedResponse);
    assertEquals(seen, [1]);
  });

  it("come from replyLines(), one after the other", async () => {
    const handlers = [route.on(api.rows, { resolve: () => replyLines(200, [{ id: 1 }, "two", null]) })];
    const { body } = await createClient(api, { fetch: setup({ handlers }).fetch }).rows();
    const items: unknown[] = [];
    for await (const item of body) items.push(item);
    assertEquals(items, [{ id: 1 }, "two", null]);
  });
});

describe("a declared stream", () => {
  it("does not do without a schema that an import cycle has left undefined", () => {
    const cycle = undefined as never;
    for (const declared of [events(cycle), events({ left: z.int(), gone: cycle }), lines(cycle)]) {
      assertThrows(
        () => endpoint.get("/left", { responses: { 200: declared } }),
        TypeError,
        'Option "schema" of responses.200 of endpoint GET "/left" is undefined. If you import it, break the import cycle',
      );
    }
  });

  it("is an entry of responses, with the description and headers that are given", () => {
    const headers = { "x-total": { description: "How many there are" } };
    const schema = z.int();
    const options = { description: "Numbers", headers };
    for (const declared of [events(schema, options), lines(schema, options)]) {
      const { contentType, schema: whole, "~stream": stream, ...others } = declared;
      assertEquals<unknown>(others, options);
      assertEquals<unknown>(stream.items, contentType === "application/jsonl" ? schema : { message: schema });
      // For documents that cannot describe items.
      assertEquals(whole["~standard"].jsonSchema.output(), { type: "string" });
    }
    assertEquals(Object.keys(lines(schema)), ["contentType", "schema", "~stream"]);
  });

  it("takes any kind of schema for one of all events, and a record of them for events by name", () => {
    const isNumber = (value: unknown): value is number => typeof value === "number";
    const parsed = { safeParse: (value: unknown) => ({ success: true, data: value }) };
    for (const schema of [isNumber, parsed, z.int(), { "~standard": z.int()["~standard"] }]) {
      assertEquals<unknown>(events(schema)["~stream"].items, { message: schema });
      assertEquals<unknown>(events({ a: schema })["~stream"].items, { a: schema });
    }
  });

  it("tells whoever asks of the events that are not declared", async () => {
    const skipped: string[] = [];
    const { response } = respond(["event: a\ndata: 1\n\nevent: b\ndata: 2\n\ndata: 3\n\n"], "text/event-stream");
    const items = events({ a: any })["~stream"].read({
      request: new Request("http://localhost/"),
      response,
      unexpected: () => new Error("unexpected"),
      skip: (event) => skipped.push(event),
      parse: (_schema, text) => Promise.resolve(text),
    });
    const read: unknown[] = [];
    for await (const item of items) read.push(item);
    assertEquals([read, skipped], [[{ event: "a", data: "1", id: "" }], ["b", "message"]]);
  });

  it("gives the client no body for HEAD", async () => {
    const both = { read: endpoint.on(["GET", "HEAD"], "/", { responses: { 200: events(z.int()) } }) };
    const handlers = [route.on(both.read, { resolve: () => replyEvents(200, () => []) })];
    const { body, response } = await createClient(both, { fetch: setup({ handlers }).fetch }).read({ method: "HEAD" });
    assertEquals([body, response.status], [undefined, 200]);
  });
});

function raise(error: Error): never {
  throw error;
}
