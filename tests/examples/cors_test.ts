import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeServed } from "./describe_served.ts";

const ALLOWED = ["https://app.example.com", "http://localhost:5173"];

describeServed("examples/cors.ts", (served) => {
  /** Sends a request. Returns the status, and the headers other than those that every response has. */
  async function exchange(
    path: string,
    method: string,
    origin?: string,
    preflight = false,
  ): Promise<[number, Record<string, string>]> {
    const headers = {
      ...origin !== undefined && { origin },
      ...preflight && { "access-control-request-method": "DELETE" },
    };
    const response = await served.request(path, { method, headers, redirect: "manual" });
    await response.body?.cancel();
    const own = [...response.headers].filter(([name]) => !["content-length", "content-type", "date"].includes(name));
    return [response.status, Object.fromEntries(own)];
  }

  /** The headers that a route or the wrong method adds, by method and path. */
  const ADDED: Readonly<Record<string, Record<string, string>>> = {
    "GET /books": { "x-total-count": "2" },
    "PUT /books": { allow: "DELETE, GET, OPTIONS" },
    "OPTIONS /books": { allow: "DELETE, GET, OPTIONS" },
    "HEAD /catalogue": { allow: "GET, OPTIONS" },
  };

  const EVERY_KIND: readonly [string, string, number][] = [
    ["/books", "GET", 200],
    ["/books", "DELETE", 204],
    ["/nope", "GET", 404],
    ["/books", "OPTIONS", 204],
    ["/books", "PUT", 405],
    ["/catalogue", "HEAD", 405],
    ["/nope", "PUT", 404],
    ["/nope", "OPTIONS", 404],
    ["/broken", "GET", 500],
  ];

  it("cors.ts lets allowed origins read every response, with credentials", async () => {
    for (const origin of ALLOWED) {
      for (const [path, method, status] of EVERY_KIND) {
        assertEquals(await exchange(path, method, origin), [status, {
          "access-control-allow-credentials": "true",
          "access-control-allow-origin": origin,
          "access-control-expose-headers": "x-total-count",
          vary: "Origin",
          ...ADDED[`${method} ${path}`],
        }]);
      }
    }
  });

  it("cors.ts responds to the preflight of an allowed origin with the allowed methods and headers, and their lifetime", async () => {
    for (const origin of ALLOWED) {
      assertEquals(await exchange("/books", "OPTIONS", origin, true), [204, {
        "access-control-allow-credentials": "true",
        "access-control-allow-headers": "content-type, authorization",
        "access-control-allow-methods": "DELETE, GET",
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "x-total-count",
        "access-control-max-age": "600",
        vary: "Origin",
      }]);
    }
  });
});
