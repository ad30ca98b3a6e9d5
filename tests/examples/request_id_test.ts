import { assertEquals, assertMatch } from "@std/assert";
import { it } from "@std/testing/bdd";
import { until } from "../support/until.ts";
import { describeServed } from "./describe_served.ts";
import { discard } from "./discard.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describeServed("examples/request_id.ts", (served) => {
  const { request } = served;

  it("request_id.ts adds a new id and the version to every response, whatever its status", async () => {
    const ids = new Set<string>();
    for (const [path, status] of [["/hello", 200], ["/closed", 403], ["/broken", 500], ["/nope", 404]] as const) {
      const { status: sent, headers } = await request(path).then(discard);
      assertEquals([path, sent, headers.get("x-api-version")], [path, status, "v1"]);
      const id = headers.get("x-request-id") ?? "";
      assertMatch(id, UUID);
      ids.add(id);
    }
    assertEquals(ids.size, 4);
  });

  it("request_id.ts passes the id of the response to the handler", async () => {
    const response = await request("/hello");
    assertEquals(await response.text(), `Hello, request ${response.headers.get("x-request-id")}`);
  });

  it("request_id.ts logs an error with the request id, and sends the client no details of the error", async () => {
    const response = await request("/broken");
    assertEquals(await response.text(), "Internal server error");
    const logged = `Request ${response.headers.get("x-request-id")} failed: Error: The disk is full`;
    // The log may arrive after the response.
    await until(() => served.printed().includes(logged), () => served.printed());
  });
});
