import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { createClient } from "../../src/client/mod.ts";
import { events, type StreamOptions } from "../../src/events/mod.ts";
import { cors, requestId } from "../../src/hooks/mod.ts";
import { compose } from "../../src/hooks/mod.ts";
import { idempotent } from "../../src/idempotency/mod.ts";
import { openapi } from "../../src/openapi/mod.ts";
import { compatible } from "../../src/compatible/mod.ts";
import { createSessions } from "../../src/session/mod.ts";
import { idempotencyStore, sessionStore } from "../../src/memory/mod.ts";
import { holdToEndpoints, mock } from "../../src/testing/mod.ts";
import { tools } from "../../src/tools/mod.ts";
import { beforeBody, deny, endpoint, reply, route, setup } from "../../mod.ts";

const api = { list: endpoint.get("/", { responses: { 200: { schema: z.string() } } }) };
const resolve = () => reply(200, "");

describe("an option that is undefined is one that is left out", () => {
  it("in setup() and in the docs of a route", async () => {
    const docs = {
      summary: undefined,
      description: undefined,
      tags: undefined,
      operationId: undefined,
      deprecated: undefined,
      security: undefined,
      requestBody: undefined,
    };
    const app = setup({
      handlers: [route.get("/", { docs, resolve })],
      validator: undefined,
      onRequest: undefined,
      onResponse: undefined,
      onError: undefined,
      maxBodyBytes: undefined,
      trustUrl: undefined,
    });
    assertEquals((await app.fetch(new Request("http://localhost/"))).status, 200);
    const info = { title: "", version: "" };
    assertEquals(openapi({ routes: app.routes, info }), openapi({ routes: [route.get("/", { resolve })], info }));
  });

  it("in what a route, an endpoint and their scopes declare", () => {
    const info = { title: "", version: "" };
    const header = { description: undefined, required: undefined };
    const response = { description: undefined, schema: z.string(), headers: { etag: header }, examples: undefined };
    const declared = { docs: undefined, responses: { 200: response, 204: { description: undefined } } };
    const least = { responses: { 200: { schema: z.string(), headers: { etag: {} } }, 204: {} } };
    const described = openapi({ routes: [endpoint.get("/", least)], info });
    const scope = route.with({ docs: undefined });
    for (
      const each of [
        endpoint.get("/", declared),
        endpoint.with({ docs: undefined }).get("/", declared),
        route.get("/", { ...declared, resolve }),
        scope.get("/", { ...least, resolve }),
        scope.on(endpoint.get("/", declared), { docs: undefined, resolve }),
      ]
    ) {
      assertEquals(openapi({ routes: [each], info }), described);
      assertEquals("docs" in each, false);
    }
  });

  it("in the bound of a body", async () => {
    const { fetch } = setup({
      validator: { validate: (_schema, value) => ({ ok: true, value }) },
      handlers: [
        route.post("/", {
          request: { body: z.string(), maxBodyBytes: undefined },
          resolve: ({ input }) => reply(input.ok ? 200 : 413),
        }),
      ],
      maxBodyBytes: 3,
    });
    const post = async (body: string) => await fetch(new Request("http://localhost/", { method: "POST", body }));
    assertEquals([(await post('"a"')).status, (await post('"ab"')).status], [200, 413]);
  });

  it("in hooks", async () => {
    const shared = { allowHeaders: undefined, exposeHeaders: undefined, maxAge: undefined, credentials: undefined };
    const policy = cors({ origins: "*", ...shared });
    const concerns = compose(requestId({ header: undefined }), { headers: undefined }, policy);
    const { fetch } = setup({ handlers: [route.get("/", { resolve })], ...concerns });
    const response = await fetch(new Request("http://localhost/", { headers: { origin: "https://a.example" } }));
    assertEquals([...response.headers.keys()], ["access-control-allow-origin", "content-type", "x-request-id"]);
  });

  it("in openapi(), streams and compatible()", () => {
    const info = { title: "", version: "" };
    const document = openapi({
      endpoints: api,
      info,
      openapi: undefined,
      servers: undefined,
      tags: undefined,
      security: undefined,
      securitySchemes: undefined,
      toJsonSchema: undefined,
      unrepresentable: undefined,
    });
    assertEquals(document, openapi({ endpoints: api, info }));
    const undefinedOptions = { description: undefined, headers: undefined, maxLength: undefined };
    const describe = (options: StreamOptions) =>
      openapi({ endpoints: { all: endpoint.get("/", { responses: { 200: events(z.string(), options) } }) }, info });
    assertEquals(describe(undefinedOptions), describe({}));
    assertEquals(compatible(document, document, { today: undefined }), []);
  });

  it("in sessions, idempotent(), clients and tools", async () => {
    const sessions = createSessions({
      store: sessionStore({ most: 1 }),
      idle: 60,
      absolute: 60,
      perUser: 1,
      refuse: () => reply(401),
      cookie: undefined,
    });
    assertEquals(typeof sessions.begin, "function");
    const user = beforeBody(() => deny(reply(401)));
    const once = idempotent({
      client: () => "",
      lifetime: 60,
      perClient: 1,
      refuse: () => reply(409),
      whenStoreFails: () => reply(503),
      store: idempotencyStore({ most: 1 }),
      maxResponseBytes: undefined,
    });
    const { fetch } = setup({
      handlers: [route.on(api.list, { resolve }), route.post("/", { guards: [user], resolve: once(resolve) })],
    });
    const undefinedOptions = { only: undefined, headers: undefined, baseUrl: undefined, toJsonSchema: undefined };
    const [tool] = tools(api, { fetch, ...undefinedOptions });
    assertEquals(tool?.name, "list");
    const client = createClient(api, { fetch, baseUrl: "http://localhost", headers: undefined, validator: undefined });
    assertEquals((await client.list()).status, 200);
    const held = holdToEndpoints(api, { fetch }, { headers: undefined });
    mock({ none: endpoint.get("/") }, { fc: undefined, seed: undefined, choose: undefined, toJsonSchema: undefined });
    assertEquals((await held.fetch(new Request("http://localhost/"))).status, 200);
  });
});
