import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { endpoint, reply, route, setup } from "@fw/core";
import { createClient, UnexpectedResponse } from "@fw/core/client";
import { events, lines, replyEvents, replyLines } from "@fw/core/events";
import { form } from "@fw/core/body";
import { standardSchema } from "@fw/core/standard-schema";
import { addBook, type BooksClient, createBooksClient, findTitle } from "../../../examples/recipes/client.ts";
import * as api from "../../../examples/recipes/client/api.ts";
import { writeModule } from "../../../examples/recipes/client/publish.ts";
import app from "../../../examples/recipes/client/app.ts";
import { z } from "zod";
import { describeServed } from "../describe_served.ts";
import { serveApp } from "./serve_app.ts";

describeServed("examples/recipes/client.ts", (served) => {
  it("the recipe client adds a book once, and finds it", async () => {
    const client = createBooksClient(served.origin);
    assertEquals(await findTitle(client, "the-trial"), undefined);
    assertEquals(await addBook(client, "The Trial"), "the-trial");
    assertEquals(await addBook(client, "The trial"), "the-trial");
    assertEquals(await findTitle(client, "the-trial"), "The Trial");
  });

  it("the recipe client throws what the API says of a title that is not accepted", async () => {
    await assertRejects(() => addBook(createBooksClient(served.origin), " "), TypeError, "title: Too small");
  });

  it("the recipe client throws for a response that is not declared", async () => {
    for (const body of ["<h1>Bad gateway</h1>", '{"error":"Bad gateway"}', "null", null]) {
      const init = { status: 502, headers: { "content-type": "application/json" } };
      await using proxy = serveApp({ fetch: () => new Response(body, init) });
      const client = createBooksClient(proxy.origin);
      for (const call of [() => addBook(client, "Emma"), () => findTitle(client, "emma")]) {
        const { response } = await assertRejects(call, UnexpectedResponse, "has answered 502");
        await response.body?.cancel();
      }
    }
  });
}, "examples/recipes/client/app.ts");

describe("examples/recipes/client/app.ts", () => {
  it("the app of the recipe client sends what its endpoints declare", async () => {
    const client = createClient(api, { fetch: app.fetch, validator: standardSchema });
    const added = await client.addBook({ body: { title: "Persuasion" } });
    const taken = await client.addBook({ body: { title: "Persuasion" } });
    const invalid = await client.addBook({ body: { title: "" } });
    const shown = await client.showBook({ params: { id: "persuasion" } });
    const missing = await client.showBook({ params: { id: "none" } });
    assertEquals([added, taken, invalid, shown, missing].map(({ status }) => status), [201, 409, 400, 200, 404]);
  });
});

describe("examples/recipes/client/publish.ts", () => {
  /** Publishes what a module exports, and imports it as a client does. */
  async function publish(exported: Readonly<Record<string, unknown>>) {
    const text = writeModule(exported).replace("@fw/core/events", import.meta.resolve("@fw/core/events"));
    return await import(`data:text/javascript,${encodeURIComponent(text)}`);
  }

  it("the published module has the endpoints, whose client sends and receives what is declared", async () => {
    const client: BooksClient = createClient(await publish(api), { fetch: app.fetch });
    assertEquals((await client.addBook({ body: { title: "Sanditon" } })).status, 201);
    assertEquals((await client.showBook({ params: { id: "sanditon" } })).body, { id: "sanditon", title: "Sanditon" });
  });

  it("the published module reads streams of events and of lines, and declared headers", async () => {
    const declared = {
      watch: endpoint.get("/watch", {
        responses: {
          200: events({ token: z.string(), done: z.int() }, { headers: { "x-model": { required: true } } }),
        },
      }),
      tick: endpoint.get("/tick", { responses: { 200: events(z.int()) } }),
      list: endpoint.get("/list", { responses: { 200: lines(z.object({ id: z.int() }), { maxLength: 20 }) } }),
      add: endpoint.post("/add", { responses: { 201: { headers: { location: { schema: z.string() } } } } }),
    };
    const app = setup({
      endpoints: declared,
      handlers: [
        route.on(declared.watch, {
          resolve: () =>
            replyEvents(200, function* (_signal, event) {
              yield event("token", "Hello", { id: "1" });
              yield event("done", 1);
            }, { headers: { "x-model": "small" } }),
        }),
        route.on(declared.tick, {
          resolve: () =>
            replyEvents(200, function* (_signal, event) {
              yield event("message", 1);
            }),
        }),
        route.on(declared.list, { resolve: () => replyLines(200, [{ id: 1 }, { id: 2 }, { id: 10 ** 20 }]) }),
        route.on(declared.add, { resolve: () => reply(201, undefined, { headers: { location: "/7" } }) }),
      ],
    });
    const published: typeof declared = await publish(declared);
    const client = createClient(published, { fetch: app.fetch });

    const watched = await client.watch();
    assertEquals(watched.headers["x-model"], "small");
    assertEquals(await Array.fromAsync(watched.body), [
      { event: "token", data: "Hello", id: "1" },
      { event: "done", data: 1, id: "1" },
    ]);
    assertEquals(await Array.fromAsync((await client.tick()).body), [{ event: "message", data: 1, id: "" }]);
    const ids: number[] = [];
    const { body } = await client.list();
    await assertRejects(async () => {
      for await (const { id } of body) ids.push(id);
    }, UnexpectedResponse);
    assertEquals(ids, [1, 2]);
    assertEquals((await client.add()).headers.location, "/7");
  });

  it("the published module has no schemas, whatever else the module of the endpoints exports", async () => {
    const schema = z.object({ title: z.string() });
    const published = await publish({
      MAX_TITLE: 200,
      BASE_PATH: '/v1/"books"',
      schema,
      codes: new Map([["taken", 409]]),
      nothing: null,
      missing: undefined,
      helper: () => "text",
      default: endpoint.get("/default", { responses: { 204: {} } }),
      delete: endpoint.delete("/books/:id", { responses: { 204: {} } }),
      'a "name"': endpoint.on(["GET", "PUT"], "/many"),
      upload: endpoint.post("/covers", { request: { body: schema, bodyReader: form }, responses: { 201: {} } }),
      cover: endpoint.get("/covers/:id", { responses: { 200: { contentType: "image/png" }, 404: { schema } } }),
      served: route.get("/served", { responses: { 204: {} }, resolve: () => reply(204) }),
    });
    assertEquals({ ...published }, {
      MAX_TITLE: 200,
      BASE_PATH: '/v1/"books"',
      default: { method: "GET", path: "/default", responses: { 204: {} } },
      delete: { method: "DELETE", path: "/books/:id", responses: { 204: {} } },
      'a "name"': { method: ["GET", "PUT"], path: "/many" },
      upload: { method: "POST", path: "/covers", request: { body: {}, bodyReader: {} }, responses: { 201: {} } },
      cover: {
        method: "GET",
        path: "/covers/:id",
        responses: { 200: { contentType: "image/png" }, 404: { schema: {} } },
      },
      served: { method: "GET", path: "/served", responses: { 204: {} } },
    });
  });
});
