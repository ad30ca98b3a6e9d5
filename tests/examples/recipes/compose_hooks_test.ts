import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createApp } from "../../../examples/recipes/compose_hooks/app.ts";
import { request } from "../../request.ts";
import { until } from "../../until.ts";
import { granted, serveWhile } from "../serve.ts";

/** Asks, and asserts what the concerns add to every response. */
async function ask(path: string): Promise<{ status: number; text: string; id: string; log: readonly string[] }> {
  const log: string[] = [];
  const { status, headers, body } = await createApp((line) => log.push(line)).fetch(request(path));
  assertEquals([headers.get("x-content-type-options"), headers.get("referrer-policy")], ["nosniff", "no-referrer"]);
  assertMatch(headers.get("server-timing") ?? "", /^app;dur=\d+\.\d$/);
  return { status, text: await new Response(body).text(), id: headers.get("x-request-id") ?? "", log };
}

describe("the app of examples/recipes/compose_hooks/app.ts", () => {
  it("has one id for the handler, the response and the line in the log", async () => {
    const { status, text, id, log } = await ask("/hello");
    assertMatch(id, /^[0-9a-f-]{36}$/);
    assertEquals([status, text], [200, `{"hello":"${id}"}`]);
    assertEquals(log, [`${id} GET /hello 200`]);
  });

  it("sets the headers on the response that replaces a 404", async () => {
    const { status, text, id, log } = await ask("/nowhere");
    assertEquals([status, text], [404, '{"error":"Not found"}']);
    assertEquals(log, [`${id} GET no route 404`]);
  });

  it("sets the headers on the response to an error, and writes a line for each of the two", async () => {
    const { status, text, id, log } = await ask("/broken");
    assertEquals([status, text], [500, '{"error":"Internal server error"}']);
    assertEquals(log, [`${id} Error: The disk is full`, `${id} GET /broken 500`]);
  });
});

(granted("net", "read", "run") ? describe : describe.skip)("examples/recipes/compose_hooks/app.ts", () => {
  it("starts by the command of its first line, and prints the log", async () => {
    await serveWhile("examples/recipes/compose_hooks/app.ts", {}, async ({ origin, printed }) => {
      const response = await fetch(`${origin}/hello`);
      const id = response.headers.get("x-request-id");
      assertEquals(await response.text(), `{"hello":"${id}"}`);
      await until(() => printed().includes(`${id} GET /hello 200\n`), printed);
    });
  });
});
