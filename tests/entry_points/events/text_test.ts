/** Events whose data is text, which is sent as it is. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { endpoint, reply, route, setup } from "../../../mod.ts";
import { createClient, UnexpectedResponse } from "../../../src/client/mod.ts";
import { events, lines, replyEvents, text } from "../../../src/events/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, holdToEndpoints, mock } from "../../../src/testing/mod.ts";
import { request } from "../../support/request.ts";

const api = {
  chat: endpoint.get("/chat", {
    responses: { 200: events({ token: z.string(), html: text(), done: text() }), 404: { schema: z.string() } },
  }),
  plain: endpoint.get("/plain", { responses: { 200: events(text()) } }),
};
const HTML = "<p>\r\n  a\rb\n</p>";
const chat = route.on(api.chat, {
  resolve: (c) =>
    c.request.headers.has("x-missing") ? reply(404, "No") : replyEvents(200, async function* (_signal, event) {
      yield event("token", "Hello");
      yield event("html", HTML, { id: "7" });
      await Promise.resolve();
      yield event("done", "[DONE]");
    }),
});
const plain = route.on(api.plain, {
  resolve: () =>
    replyEvents(200, function* (_signal, event) {
      yield event("message", "[DONE]");
      yield event("message", "");
    }),
});
const app = setup({ handlers: [chat, plain], endpoints: api });
const sent = async (path: string) => await (await app.fetch(request(path))).text();

/** The data of the events that a client reads. */
async function dataOf(body: AsyncIterable<{ readonly data: unknown }>): Promise<readonly unknown[]> {
  const data: unknown[] = [];
  for await (const event of body) data.push(event.data);
  return data;
}

describe("text()", () => {
  it("declares data that is sent as it is, each line of it in a field of its own", async () => {
    assertEquals(
      await sent("/chat"),
      'event: token\ndata: "Hello"\n\nevent: html\nid: 7\ndata: <p>\ndata:   a\ndata: b\ndata: </p>\n\n' +
        "event: done\ndata: [DONE]\n\n",
    );
    assertEquals(await sent("/plain"), "data: [DONE]\n\ndata: \n\n");
    const other = await app.fetch(request("/chat", { headers: { "x-missing": "1" } }));
    assertEquals([other.status, await other.text()], [404, '"No"']);
  });

  it("is read by clients as it was sent, with line feeds, and with a validator, too", async () => {
    for (const validator of [undefined, standardSchema]) {
      const client = createClient(api, { fetch: app.fetch, validator });
      const answer = await client.chat();
      assertEquals(answer.status === 200 && await dataOf(answer.body), [
        "Hello",
        HTML.replaceAll(/\r\n?/g, "\n"),
        "[DONE]",
      ]);
      assertEquals(await dataOf((await client.plain()).body), ["[DONE]", ""]);
    }
  });

  it("breaks the stream off if the data is no string", async () => {
    const errors: unknown[] = [];
    const broken = route.get("/", {
      responses: { 200: events({ done: text() }) },
      resolve: () =>
        replyEvents(200, function* (_signal, event) {
          yield event("done", 7 as unknown as string);
        }, { onError: (error) => errors.push(String(error)) }),
    });
    const response = await setup({ handlers: [broken] }).fetch(request("/"));
    await assertRejects(() => response.text());
    assertEquals(errors, ["TypeError: Data of an event of text() must be a string: received number"]);
  });

  it("is not told to a response that is not of replyEvents, nor to a handler that returns none", async () => {
    const responses = { 200: events({ done: text() }) };
    const handlers = [
      route.get("/own", { resolve: () => new Response("data: x\n\n") }),
      { ...route.get("/none", { resolve: () => undefined as never }), responses },
    ];
    const own = { ...handlers[0], responses } as typeof handlers[1];
    const app = setup({ handlers: [own, ...handlers.slice(1)], onError: ({ error }) => new Response(String(error)) });
    assertEquals(await (await app.fetch(request("/own"))).text(), "data: x\n\n");
    assertEquals(
      await (await app.fetch(request("/none"))).text(),
      'TypeError: Handler must return a Response (for route GET "/none"): received undefined',
    );
  });

  it("is a string in documents, in mocks, and for holdToEndpoints", async () => {
    const { paths } = openapi({ info: { title: "", version: "" }, endpoints: api, openapi: "3.2.0" });
    const content: object = Object(paths["/plain"]?.get?.responses?.[200]?.content);
    assertEquals(JSON.stringify(content).includes('"data":{"type":"string"}'), true);
    const mocked = mock(api, { fc });
    assertEquals(
      (await dataOf((await createClient(api, { fetch: mocked.fetch }).plain()).body)).map((data) => typeof data),
      ["string"],
    );
    const held = holdToEndpoints(api, app);
    assertEquals(await dataOf((await createClient(api, { fetch: held.fetch }).plain()).body), ["[DONE]", ""]);
    assertEquals(await fuzz(() => app, { fc, runs: 2 }), []);
  });

  it("is not for lines, which are JSON, and is a Standard Schema of a string", async () => {
    assertThrows(
      () => lines(text() as unknown as z.ZodString),
      TypeError,
      "Schema of lines must not be text(), which is for events: lines are JSON",
    );
    const { validate, jsonSchema } = text()["~standard"];
    assertEquals([await validate("a"), await validate(1)], [{ value: "a" }, {
      issues: [{ message: "Expected a string" }],
    }]);
    assertEquals([jsonSchema.input(), jsonSchema.output()], [{ type: "string" }, { type: "string" }]);
  });
});

describe("an event with [DONE] whose data is declared as JSON", () => {
  const tokens = { read: endpoint.get("/", { responses: { 200: events(z.object({ text: z.string() })) } }) };
  const respond = () =>
    new Response('data: {"text":"a"}\n\ndata: [DONE]\n\ndata: {"text":"late"}\n\n', {
      headers: { "content-type": "text/event-stream" },
    });

  it("ends the stream for clients, as servers of language models mean it", async () => {
    const { body } = await createClient(tokens, { fetch: respond }).read();
    assertEquals(await dataOf(body), [{ text: "a" }]);
  });

  it("is not what an app declares: holdToEndpoints says so", async () => {
    const raw = setup({
      handlers: [{ ...route.get("/", { resolve: respond }), responses: tokens.read.responses ?? {} }],
    });
    const { body } = await createClient(tokens, { fetch: holdToEndpoints(tokens, raw).fetch }).read();
    await assertRejects(() => dataOf(body), Error, "must be JSON");
    await assertRejects(
      async () =>
        await dataOf(
          (await createClient(tokens, {
            fetch: () => new Response("data: [DONE\n\n", { headers: { "content-type": "text/event-stream" } }),
          }).read()).body,
        ),
      UnexpectedResponse,
    );
  });
});
