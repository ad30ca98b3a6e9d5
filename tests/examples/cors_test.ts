import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeServed } from "./describe_served.ts";

describeServed("examples/cors.ts", ({ request }) => {
  /** The status and the headers of a response, without those that every response has. */
  async function exchange(method: string, path: string, headers: Record<string, string>) {
    const response = await request(path, { method, headers, redirect: "manual" });
    await response.body?.cancel();
    const own = [...response.headers].filter(([name]) => !["content-length", "content-type", "date"].includes(name));
    return [response.status, Object.fromEntries(own)];
  }

  const EVERY_KIND: readonly (readonly [method: string, path: string, status: number, added?: object])[] = [
    ["GET", "/books", 200, { "x-total-count": "2" }],
    ["DELETE", "/books", 204],
    ["OPTIONS", "/books", 204, { allow: "DELETE, GET, OPTIONS" }],
    ["PUT", "/books", 405, { allow: "DELETE, GET, OPTIONS" }],
    ["GET", "/nope", 404],
    ["GET", "/broken", 500],
  ];

  for (const origin of ["https://app.example.com", "http://localhost:5173"]) {
    const policy = {
      "access-control-allow-credentials": "true",
      "access-control-allow-origin": origin,
      "access-control-expose-headers": "x-total-count",
      vary: "Origin",
    };

    it(`cors.ts lets ${origin} read every response, with credentials`, async () => {
      for (const [method, path, status, added] of EVERY_KIND) {
        assertEquals(await exchange(method, path, { origin }), [status, { ...policy, ...added }]);
      }
    });

    it(`cors.ts responds to the preflight of ${origin} with the methods, the headers, and their lifetime`, async () => {
      const headers = { origin, "access-control-request-method": "DELETE" };
      assertEquals(await exchange("OPTIONS", "/books", headers), [204, {
        ...policy,
        "access-control-allow-headers": "content-type, authorization",
        "access-control-allow-methods": "DELETE, GET",
        "access-control-max-age": "600",
      }]);
    });
  }
});
