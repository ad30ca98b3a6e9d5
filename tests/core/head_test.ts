import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { reply, route, setup } from "../../mod.ts";
import { events, replyEvents } from "../../src/events/mod.ts";

describe("a route that declares a stream", () => {
  it("responds to HEAD without a body, and starts no generator, by any route that has the method", async () => {
    let started = 0;
    const responses = { 200: events(z.int()), 404: { schema: z.string() } };
    const resolve = ({ request }: { readonly request: Request }) => {
      if (request.url.endsWith("missing")) return reply(404, "Missing");
      return replyEvents(200, function* (_signal, event) {
        started++;
        yield event("message", 1);
      }, { headers: { "x-a": "1" } });
    };
    const later = async (c: { readonly request: Request }) => resolve(await Promise.resolve(c));
    const { fetch } = setup({
      handlers: [
        route.on(["GET", "HEAD"], "/both", { responses, resolve }),
        route.head("/head", { responses, resolve: later }),
        route.all("/all", { responses, resolve: later }),
      ],
    });
    for (const path of ["both", "head", "all", "all?missing"]) {
      const response = await fetch(new Request(`http://localhost/${path}`, { method: "HEAD" }));
      const isMissing = path.endsWith("missing");
      assertEquals([response.status, response.body], [isMissing ? 404 : 200, null]);
      const type = isMissing ? "application/json" : "text/event-stream";
      assertEquals(response.headers.get("content-type")?.startsWith(type), true);
      if (!isMissing) assertEquals(response.headers.get("x-a"), "1");
    }
    assertEquals(started, 0);
    for (const path of ["both", "all"]) {
      assertEquals(await (await fetch(new Request(`http://localhost/${path}`))).text(), "data: 1\n\n");
    }
    assertEquals(started, 2);
  });

  it("still rejects a handler that returns something else, by any method", async () => {
    const { fetch } = setup({
      handlers: [route.all("/", { responses: { 200: events(z.int()) }, resolve: () => undefined as never })],
    });
    for (const method of ["GET", "HEAD"]) {
      await assertRejects(
        () => Promise.resolve(fetch(new Request("http://localhost/", { method }))),
        TypeError,
        "Handler must return a Response",
      );
    }
  });
});
