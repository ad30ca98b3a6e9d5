import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, type Reply, route, type RouteResponse, setup, type Validator } from "../../../mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { events, lines, replyEvents, replyLines } from "../../../src/events/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { holdToEndpoints } from "../../../src/testing/mod.ts";
import { request } from "../../support/request.ts";

const EVENTS = events({ token: z.object({ text: z.string() }), done: z.int() });
const LINES = lines(z.object({ id: z.int() }));

/** An app with one stream, held to what its endpoint declares. Its handler does not keep to it. */
function hold(declared: RouteResponse, response: (c: { request: Request }) => Response) {
  const watch = endpoint.get("/stream", { responses: { 200: declared } });
  const app = setup({ handlers: [route.get("/stream", { resolve: (c) => response(c) as Reply })] });
  return holdToEndpoints({ watch }, app);
}

/** What a held app sends. */
function send(declared: RouteResponse, response: () => Response): Promise<Response> {
  return hold(declared, response).fetch(request("/stream"));
}

/** A stream of these chunks, which says whether it was cancelled. */
function chunks(type: string, ...texts: readonly string[]) {
  let cancelled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const text = texts[read++];
      if (text === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(text));
    },
    cancel: () => void cancelled++,
  }, { highWaterMark: 0 });
  let read = 0;
  const response = new Response(body, { headers: { "content-type": type, "x-kept": "yes" } });
  return { response, cancelled: () => cancelled, read: () => read };
}

const sse = (...texts: readonly string[]) => chunks("text/event-stream; charset=utf-8", ...texts);
const jsonl = (...texts: readonly string[]) => chunks("application/jsonl", ...texts);

/** The message of the error that ends the body. */
async function fault(declared: RouteResponse, { response, cancelled }: ReturnType<typeof sse>): Promise<string> {
  const { message } = await assertRejects(async () => await (await send(declared, () => response)).text(), Error);
  assertEquals(cancelled(), 1);
  return message.replace(" of response 200 of GET /stream", "");
}

describe("the items of a stream", () => {
  it("pass through as they are, if they fit their schemas", async () => {
    const texts = [":\n\n", 'event: token\ndata: {"te', 'xt":"é"}\n\nevent: done\nid: 1\ndata: 2\n\n', "event: to"];
    const sent = await send(EVENTS, () => sse(...texts).response);
    assertEquals([sent.status, sent.headers.get("x-kept")], [200, "yes"]);
    assertEquals(await sent.text(), texts.join(""));
    assertEquals(
      await (await send(LINES, () => jsonl('{"id":1}\n\n', '{"id":2}').response)).text(),
      '{"id":1}\n\n{"id":2}',
    );
    assertEquals(await (await send(LINES, () => jsonl().response)).text(), "");
    assertEquals(await (await send(events(z.int()), () => sse("data: 1\n\n").response)).text(), "data: 1\n\n");
  });

  it("end the stream with an error if they do not fit", async () => {
    const wrong = await fault(
      EVENTS,
      sse("event: done\ndata: 1\n\n", 'event: token\ndata: {"text":1}\n\n', "data: 1\n\n"),
    );
    assertEquals(wrong.replace(/: I.*/, ""), "Item 2 must fit its schema: text");
    assertEquals((await fault(LINES, jsonl('{"id":"1"}\n'))).replace(/: I.*/, ""), "Item 1 must fit its schema: id");
  });

  it("end the stream with an error if they have a key that their schema does not have", async () => {
    const rule = "must not have the key";
    assertEquals(
      await fault(EVENTS, sse('event: token\ndata: {"text":"a","secret":1}\n\n')),
      `Item 1 ${rule} secret: its schema does not have it`,
    );
    assertEquals(
      await fault(LINES, jsonl('{"id":1}\n{"id":2,"secret":1}\n')),
      `Item 2 ${rule} secret: its schema does not have it`,
    );
  });

  it("end the stream with an error if they are events that are not declared, which a client would skip", async () => {
    assertEquals(
      await fault(EVENTS, sse("event: done\ndata: 1\n\nevent: tokens\ndata: 1\n\n")),
      "Item 2 must be an event that is declared: received tokens",
    );
    assertEquals(await fault(EVENTS, sse("data: 1\n\n")), "Item 1 must be an event that is declared: received message");
  });

  it("end the stream with an error if they are not JSON, or longer than a client reads", async () => {
    assertEquals(await fault(LINES, jsonl("{secret\n")), "Item 1 must be JSON: received a body that is not");
    const short = lines(z.string(), { maxLength: 10 });
    assertEquals(await fault(short, jsonl('"a"\n', '"0123456789"\n')), "Item 2 must be one that clients read");
    assertEquals(
      await fault(events(z.int(), { maxLength: 10 }), sse(`data: ${" ".repeat(20)}`)),
      "Item 1 must be one that clients read",
    );
  });

  it("reach the client before the stream goes on, which is read no faster than the client reads", async () => {
    const { response, read } = jsonl('{"id":1}\n', '{"id":2}\n', '{"id":3}\n');
    const reader = (await send(LINES, () => response)).body?.getReader();
    await new Promise((resolve) => setTimeout(resolve));
    assertEquals(read(), 0);
    await reader?.read();
    assertEquals(read(), 1);
    await reader?.read();
    assertEquals(read(), 2);
  });

  it("end with the error of the app where the stream breaks off, and with the client", async () => {
    const failed = new Error("The database is gone");
    const broken = new ReadableStream({ pull: (controller) => controller.error(failed) });
    const sent = await send(LINES, () => new Response(broken, { headers: { "content-type": "application/jsonl" } }));
    assertStrictEquals(await sent.text().catch((error) => error), failed);

    const { response, cancelled } = jsonl('{"id":1}\n', '{"id":2}\n');
    const reader = (await send(LINES, () => response)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    assertEquals(cancelled(), 1);
    const unread = jsonl();
    await (await send(LINES, () => unread.response)).body?.cancel();
    assertEquals(unread.cancelled(), 1);
  });

  it("end with the reason of a signal that is aborted before they are read", async () => {
    const reason = new Error("Enough");
    const { response, cancelled } = jsonl('{"id":1}\n');
    const sent = await hold(LINES, () => response).fetch(request("/stream", { signal: AbortSignal.abort(reason) }));
    assertStrictEquals(await assertRejects(() => sent.text()), reason);
    assertEquals(cancelled(), 1);
  });

  it("are checked for a client, and where the handler is typed", async () => {
    const api = {
      chat: endpoint.get("/chat", { responses: { 200: EVENTS } }),
      list: endpoint.get("/list", { responses: { 200: LINES } }),
    };
    const app = setup({
      handlers: [
        route.on(api.chat, {
          resolve: () =>
            replyEvents(200, function* (_signal, event) {
              yield event("token", { text: "a" }, { id: "7" });
              yield event("done", 1);
            }, { heartbeat: 1 }),
        }),
        route.get("/list", { resolve: () => replyLines(200, [{ id: 1 }, { id: "2" }]) }),
      ],
    });
    const held = holdToEndpoints(api, app);
    const client = createClient(api, { fetch: held.fetch });
    const names: string[] = [];
    for await (const { event } of (await client.chat()).body) names.push(event);
    assertEquals(names, ["token", "done"]);
    const { body } = await client.list();
    await assertRejects(
      async () => {
        for await (const _ of body);
      },
      Error,
      "Item 2 of response 200 of GET /list must fit its schema: id",
    );
    assertEquals(held.unseen(), []);
  });

  it("are not checked in a response to HEAD, or without a body", async () => {
    const unread = sse("data: 1\n\n");
    const held = hold(EVENTS, () => unread.response);
    const sent = await held.fetch(request("/stream", { method: "GET" }));
    assertEquals(sent.headers.get("x-kept"), "yes");
    await sent.body?.cancel();
    const both = endpoint.on(["GET", "HEAD"], "/stream", { responses: { 200: LINES } });
    const empty = new Response(null, { headers: { "content-type": "application/jsonl" } });
    const app = setup({ handlers: [route.on(["GET", "HEAD"], "/stream", { resolve: () => empty })] });
    for (const method of ["GET", "HEAD"]) {
      assertStrictEquals(await holdToEndpoints({ both }, app).fetch(request("/stream", { method })), empty);
    }
  });

  it("are validated by the validator that is given, whose result is the cause of the error", async () => {
    const item = z.object({ id: z.int() });
    const watch = endpoint.get("/stream", { responses: { 200: lines(item) } });
    const app = setup({ handlers: [route.get("/stream", { resolve: () => jsonl('{"id":1}\n').response })] });
    const asked: unknown[][] = [];
    const refused = { ok: false, issues: [{ part: "body", path: [], message: "no" }] } as const;
    const validator: Validator = {
      validate(...args) {
        asked.push(args);
        return refused;
      },
    };
    const sent = await holdToEndpoints({ watch }, app, { validator }).fetch(request("/stream"));
    const error = await assertRejects(() => sent.text(), Error, "must fit its schema: no");
    assertEquals(asked, [[item, { id: 1 }, "body", { method: "GET", path: "/stream" }]]);
    assertStrictEquals(error.cause, refused);
  });

  it("need schemas that the validator accepts", () => {
    const own = { "~standard": {} };
    const app = setup({ handlers: [] });
    for (
      const [declared, name] of [[events({ own }), "event own"], [events(own), "event message"], [
        lines(own),
        "the lines",
      ]] as const
    ) {
      const watch = endpoint.get("/stream", { responses: { 200: declared } });
      for (const options of [{}, { validator: standardSchema }]) {
        assertThrows(
          () => holdToEndpoints({ watch }, app, options),
          TypeError,
          `Schema of ${name} of response 200 of GET /stream must be one the validator accepts: received an object`,
        );
      }
    }
  });
});
