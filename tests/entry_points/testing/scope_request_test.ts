/** Schemas of a scope, as tools for tests read them. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { denyInvalid, endpoint, reply, route, setup } from "../../../mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, holdToEndpoints, mock } from "../../../src/testing/mod.ts";

const tenant = {
  params: z.object({ orgId: z.coerce.number<string>().int() }),
  headers: z.object({ "x-tenant": z.string().min(3) }),
};
const org = endpoint.with({ prefix: "/orgs/:orgId", request: tenant });
const api = {
  show: org.get("/items/:id", {
    request: { headers: z.object({ "if-match": z.string().regex(/^\d+$/) }) },
    responses: { 200: { schema: z.string(), examples: { emma: "Emma" } }, 400: {} },
  }),
};
const serve = (invalid: 200 | 400) =>
  setup({
    validator: standardSchema,
    handlers: [route.on(api.show, {
      resolve: ({ input }) => input.ok ? reply(200, "Emma") : invalid === 200 ? reply(200, "Emma") : reply(400),
    })],
  });

describe("the request of a scope", () => {
  it("is what fuzz sends, and an app that accepts what it rejects is a fault", async () => {
    let accepted = 0;
    const create = () => {
      const app = serve(400);
      const fetch = async (request: Request) => {
        const response = await app.fetch(request);
        if (response.status === 200) accepted++;
        return response;
      };
      return { ...app, fetch };
    };
    assertEquals(await fuzz(create, { fc, runs: 8 }), []);
    assert(accepted > 0, "no valid request was sent");
    const faults = await fuzz(() => serve(200), { fc, runs: 8 });
    assertEquals(faults.map(({ kind }) => kind), ["accepts invalid input"]);
  });

  it("of routes is what fuzz sends, too", async () => {
    const scope = route.with({ prefix: "/orgs/:orgId", request: tenant, guards: [denyInvalid(() => reply(400))] });
    const show = scope.get("/items/:id", {
      responses: { 200: { schema: z.int() }, 400: {} },
      resolve: (c) => reply(200, c.input.params.orgId),
    });
    assertEquals(await fuzz(() => setup({ validator: standardSchema, handlers: [show] }), { fc, runs: 8 }), []);
  });

  it("is validated by mocks, and kept by holdToEndpoints", async () => {
    const mocked = mock(api, { fc });
    const headers = { "x-tenant": "acme", "if-match": "1" };
    const client = createClient(api, { fetch: mocked.fetch });
    assertEquals((await client.show({ params: { orgId: 7, id: 8 }, headers })).body, "Emma");
    assertEquals(
      (await client.show({ params: { orgId: 7, id: 8 }, headers: { ...headers, "x-tenant": "a" } })).status,
      400,
    );
    const held = holdToEndpoints(api, serve(400));
    assertEquals(
      (await createClient(api, { fetch: held.fetch }).show({ params: { orgId: 7, id: 8 }, headers })).status,
      200,
    );
    assertEquals(held.unseen().length, 1);
  });
});
