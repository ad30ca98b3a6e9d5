import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint } from "../../../mod.ts";
import { createClient, UnexpectedResponse } from "../../../src/client/mod.ts";
import * as api from "../../entry_points/client/client_api.ts";
import { createApp, testCalls } from "../../entry_points/client/client_calls.ts";
import { granted } from "../../support/granted.ts";

(granted("net") ? describe : describe.skip)("createClient() over HTTP", () => {
  let server: Deno.HttpServer<Deno.NetAddr>;
  before(() => {
    const app = createApp();
    server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => app.fetch(request));
  });
  after(() => server.shutdown());
  testCalls(() => ({ baseUrl: `http://127.0.0.1:${server.addr.port}/` }));

  it("ends a call in flight when its signal aborts", async () => {
    const arrived = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    await using slow = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async ({ signal }) => {
      signal.addEventListener("abort", () => closed.resolve());
      arrived.resolve();
      await closed.promise;
      return new Response();
    });
    const client = createClient(api, { baseUrl: `http://127.0.0.1:${slow.addr.port}` });
    const controller = new AbortController();
    const call = client.both({ method: "GET", signal: controller.signal });
    await arrived.promise;
    const reason = new Error("Enough");
    controller.abort(reason);
    assertStrictEquals(await assertRejects(() => call), reason);
  });

  it("takes a redirect for a response, and follows it if told so", async () => {
    const api = {
      from: endpoint.get("/from", { responses: { 303: {} } }),
      to: endpoint.get("/from", { responses: { 200: { schema: z.string() } } }),
      plain: endpoint.get("/from"),
    };
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      ({ url }) => url.endsWith("/from") ? Response.redirect(new URL("/to", url), 303) : Response.json("to"),
    );
    const client = createClient(api, { baseUrl: `http://127.0.0.1:${server.addr.port}` });
    const { response } = await client.from();
    assertEquals([response.status, new URL(response.headers.get("location") ?? "").pathname], [303, "/to"]);
    await response.body?.cancel();
    const error = await assertRejects(() => client.to(), UnexpectedResponse, "/from has answered 303");
    await error.response.body?.cancel();
    assertEquals((await client.to({ redirect: "follow" })).body, "to");
    const plain = await client.plain();
    await plain.body?.cancel();
    assertEquals(plain.status, 303);
    assertEquals(await (await client.plain({ redirect: "follow" })).json(), "to");
  });
});
