import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createClient, UnexpectedResponse } from "@fw/core/client";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { endpoint, type Reply, route, type RouteResponses, setup } from "../../../mod.ts";
import { holdToEndpoints } from "../../../examples/recipes/testing/hold_to_endpoints.ts";
import { api } from "../../../examples/recipes/testing/loans.ts";
import { granted } from "../serve.ts";
import { run } from "../../slow/runtimes/programs.ts";

describe("the client of examples/recipes/testing.ts", () => {
  const loan = { id: "1", book: "Emma", dueAt: "2026-01-15T00:00:00.000Z", overdue: false };
  const ask = (body: unknown, status = 200) => {
    const fetch = () => Response.json(body, { status });
    return createClient(api, { fetch, validator: standardSchema }).showLoan({ params: { id: 1 } });
  };

  it("the client of the recipe testing accepts the answers that the app declares", async () => {
    assertEquals((await ask(loan)).body, loan);
    assertEquals((await ask({ error: "Not found" }, 404)).body, { error: "Not found" });
  });

  it("the client of the recipe testing rejects every other answer", async () => {
    for (
      const [body, status] of [
        [{ ...loan, reader: "ada" }],
        [{ ...loan, dueAt: 0 }],
        [{ id: "1" }],
        [loan, 404],
        [loan, 202],
        [{ error: "Not found" }, 500],
      ] as const
    ) {
      await assertRejects(() => ask(body, status), UnexpectedResponse);
    }
  });
});

describe("holdToEndpoints() of examples/recipes/testing.ts", () => {
  const book = z.object({ title: z.string() });

  /** Holds an app with one route to what its endpoint declares. */
  function hold(response: () => Response, responses: RouteResponses) {
    const show = endpoint.on(["GET", "HEAD"], "/books/:id", { responses });
    // A handler that does not keep to what the endpoint declares.
    const resolve = () => response() as Reply;
    return holdToEndpoints({ show }, setup({ handlers: [route.on(show.method, show.path, { resolve })] }));
  }
  const ask = ({ fetch }: ReturnType<typeof hold>, path = "/books/1", method = "GET") =>
    fetch(new Request(`http://localhost${path}`, { method }));
  const json = (init?: ResponseInit) => () => Response.json({ title: "Emma" }, init);

  it("holdToEndpoints() passes a response on that is as declared, with its body unread", async () => {
    for (
      const [response, responses] of [
        [json(), { 200: { schema: book } }],
        [json({ headers: { "content-type": "Application/JSON; charset=utf-8" } }), { 200: { schema: book } }],
        [json({ status: 201 }), { "2XX": { schema: book }, default: {} }],
        [json({ status: 500 }), { "2XX": {}, default: { schema: book } }],
        [json(), { 200: { contentType: "application/json" } }],
      ] as const
    ) {
      assertEquals(await (await ask(hold(response, responses))).json(), { title: "Emma" });
    }
    assertEquals((await ask(hold(() => new Response(null, { status: 204 }), { 204: {} }))).status, 204);
    assertEquals((await ask(hold(() => new Response("text"), { 200: {} }), "/books/1", "HEAD")).status, 200);
  });

  it("holdToEndpoints() rejects another content type than the declared one", async () => {
    for (
      const [response, responses, message] of [
        [
          () => new Response('{"title":"Emma"}'),
          { 200: { schema: book } },
          "must be application/json: received text/plain",
        ],
        [
          json(),
          { 200: { schema: book, contentType: "application/problem+json" } },
          "must be application/problem+json",
        ],
        [
          () => new Response(new Uint8Array()),
          { 200: { contentType: "image/png" } },
          "must be image/png: received undefined",
        ],
      ] as const
    ) {
      await assertRejects(() => ask(hold(response, responses)), Error, `GET /books/:id 200 ${message}`);
    }
  });

  it("holdToEndpoints() rejects a body where neither a schema nor a content type is declared", async () => {
    await assertRejects(() => ask(hold(json(), { 200: {} })), Error, "GET /books/:id 200 is declared without a body");
    await assertRejects(() => ask(hold(json({ status: 404 }), { "4XX": {} })), Error, "404 is declared without a body");
  });

  it("holdToEndpoints() rejects a request that has no endpoint", async () => {
    const held = hold(() => new Response(null, { status: 204 }), { 204: {} });
    await assertRejects(() => ask(held, "/books"), Error, "GET http://localhost/books has no endpoint");
  });

  it("holdToEndpoints() leaves a status that is not declared to the client, which rejects it", async () => {
    const { fetch } = hold(() => new Response(null, { status: 418 }), { 204: {} });
    assertEquals((await fetch(new Request("http://localhost/books/1"))).status, 418);
    const show = endpoint.get("/books/:id", { responses: { 204: {} } });
    await assertRejects(() => createClient({ show }, { fetch }).show({ params: { id: 1 } }), UnexpectedResponse, "418");
  });

  it("holdToEndpoints() knows the declared responses that no test has seen", async () => {
    const held = hold(() => new Response(null, { status: 204 }), { "2XX": {}, 404: {} });
    await ask(held);
    assertEquals(held.unseen(), ["GET,HEAD /books/:id 404"]);
  });
});

describe("examples/recipes/testing.ts", () => {
  (granted("read", "run") ? it : it.skip)("the recipe testing passes by the command on its first line", async () => {
    const [first = ""] = (await Deno.readTextFile("examples/recipes/testing.ts")).split("\n", 1);
    const [, args = ""] = /^\/\/ npx -y deno@2\.9\.6 (test .*)$/.exec(first) ?? [];
    await run(Deno.execPath(), [...args.split(" "), "--no-check", "--lock=tests/deno.lock", "--frozen"]);
  });
});
