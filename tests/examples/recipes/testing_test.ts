import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { holdToDocs } from "../../../examples/recipes/testing/contract.ts";
import { type Reply, route, type RouteResponses, setup } from "../../../mod.ts";
import { granted } from "../serve.ts";
import { run } from "../../runtimes/programs.ts";

describe("the contract of an app", () => {
  const book = z.object({ id: z.string(), title: z.string() });

  /** Holds an app with one route to what it says of its responses. */
  function hold(response: () => Response, responses: RouteResponses) {
    // A handler that does not keep to what the route declares.
    const resolve = () => response() as Reply;
    const app = setup({ handlers: [route.get("/books/:id", { responses, resolve })] });
    return holdToDocs(app);
  }
  const ask = (contract: ReturnType<typeof hold>, path = "/books/1") =>
    contract.fetch(new Request(`http://localhost${path}`));

  it("lets a response pass that is as described, with its body unread", async () => {
    const contract = hold(() => Response.json({ id: "1", title: "Emma" }), { 200: { schema: book } });
    assertEquals(await (await ask(contract)).json(), { id: "1", title: "Emma" });
  });

  it("rejects each response that is not", async () => {
    const json = (body: unknown, init?: ResponseInit) => () => Response.json(body, init);
    for (
      const [response, responses, message] of [
        [json({ id: 1, title: "Emma" }), { 200: { schema: book } }, "data/id must be string"],
        [json({ id: "1" }), { 200: { schema: book } }, "must have required property 'title'"],
        [json({ id: "1", title: "Emma", secret: 1 }), { 200: { schema: book } }, "must NOT have additional properties"],
        [json({ id: "1", title: "Emma" }, { status: 202 }), { 200: { schema: book } }, "202 is not described"],
        [json({}, { status: 404 }), { 200: { schema: book } }, "404 is not described"],
        [json({}), { "2XX": { schema: book } }, "must have required property"],
        [json({}, { status: 500 }), { 200: {}, default: { schema: book } }, "must have required property"],
        [json({}), { 200: {} }, "is described without a body, and has one: {}"],
        [() => new Response("Emma"), { 200: { schema: book } }, "is not described as text/plain"],
        [
          json({}),
          { 200: { schema: book, contentType: "application/problem+json" } },
          "is not described as application/json",
        ],
      ] as const
    ) {
      await assertRejects(() => ask(hold(response, responses)), Error, message);
    }
  });

  it("rejects a request that no description covers", async () => {
    const contract = hold(() => new Response(null, { status: 204 }), { 204: {} });
    assertEquals((await ask(contract)).status, 204);
    await assertRejects(() => ask(contract, "/books"), Error, "GET http://localhost/books is not described");
  });

  it("knows the responses that no test has seen", async () => {
    const contract = hold(() => new Response(null, { status: 204 }), { 204: {}, 404: {} });
    await ask(contract);
    assertEquals(contract.unseen(), ["GET /books/{id} 404"]);
  });

  (granted("read", "run") ? it : it.skip)("is held by the command on the first line", async () => {
    const [first = ""] = (await Deno.readTextFile("examples/recipes/testing.ts")).split("\n", 1);
    const [, args = ""] = /^\/\/ npx -y deno@2\.9\.6 (test .*)$/.exec(first) ?? [];
    await run(Deno.execPath(), [...args.split(" "), "--no-check", "--lock=tests/deno.lock", "--frozen"]);
  });
});
