import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createApp } from "../../../examples/recipes/compose_hooks.ts";
import { request } from "../../support/request.ts";

/** Asks, and asserts what the concerns add to every response. */
async function ask(path: string): Promise<{ status: number; text: string; id: string; log: readonly string[] }> {
  const log: string[] = [];
  const { status, headers, body } = await createApp((line) => log.push(line)).fetch(request(path));
  assertEquals([headers.get("x-content-type-options"), headers.get("referrer-policy")], ["nosniff", "no-referrer"]);
  assertMatch(headers.get("server-timing") ?? "", /^app;dur=\d+\.\d$/);
  return { status, text: await new Response(body).text(), id: headers.get("x-request-id") ?? "", log };
}

describe("the app of examples/recipes/compose_hooks.ts", () => {
  it("the recipe compose_hooks has one id for the handler, the response and the line in the log", async () => {
    const { status, text, id, log } = await ask("/hello");
    assertMatch(id, /^[0-9a-f-]{36}$/);
    assertEquals([status, text], [200, `{"hello":"${id}"}`]);
    assertEquals(log, [`${id} GET /hello 200`]);
  });

  it("the recipe compose_hooks sets the headers on the response that replaces a 404", async () => {
    const { status, text, id, log } = await ask("/nowhere");
    assertEquals([status, text], [404, '{"error":"Not found"}']);
    assertEquals(log, [`${id} GET no route 404`]);
  });

  it("the recipe compose_hooks sets the headers on the response to an error, and writes a line for each of the two", async () => {
    const { status, text, id, log } = await ask("/broken");
    assertEquals([status, text], [500, '{"error":"Internal server error"}']);
    assertEquals(log, [`${id} Error: The disk is full`, `${id} GET /broken 500`]);
  });
});
