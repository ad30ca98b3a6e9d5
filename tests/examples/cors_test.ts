import { assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { granted, serve, type Served } from "./serve.ts";

const ALLOWED = ["https://app.example.com", "http://localhost:5173"];
/** tests/entry_points/hooks/cors_test.ts has more of them. */
const OTHERS = ["https://app.example.com.evil.org", "http://app.example.com", "null"];

(granted("net", "read", "run") ? describe : describe.skip)("examples/cors.ts", () => {
  let served: Served;
  before(async () => {
    served = await serve("examples/cors.ts");
  });
  after(() => served.stop());

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
    const response = await fetch(served.origin + path, { method, headers, redirect: "manual" });
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

  it("cors.ts adds only Vary for other origins and for requests without an origin", async () => {
    for (const origin of [...OTHERS, undefined]) {
      for (const [path, method, status] of EVERY_KIND) {
        const expected = { vary: "Origin", ...ADDED[`${method} ${path}`] };
        assertEquals(await exchange(path, method, origin), [status, expected], `${method} ${origin}`);
      }
      assertEquals(await exchange("/books", "OPTIONS", origin, true), [204, { vary: "Origin" }]);
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

  it("cors.ts responds to the preflight of every path that has routes, by their methods", async () => {
    for (const path of ["/catalogue", "/broken"]) {
      const [status, headers] = await exchange(path, "OPTIONS", ALLOWED[0], true);
      assertEquals([status, headers["access-control-allow-methods"]], [204, "GET"]);
    }
  });

  it("cors.ts adds its headers to a redirect, whose headers are immutable", async () => {
    assertEquals(await exchange("/catalogue", "GET", ALLOWED[0]), [302, {
      "access-control-allow-credentials": "true",
      "access-control-allow-origin": "https://app.example.com",
      "access-control-expose-headers": "x-total-count",
      location: "https://example.com/catalogue",
      vary: "Origin",
    }]);
    assertEquals(await exchange("/catalogue", "GET", "https://evil.org"), [302, {
      location: "https://example.com/catalogue",
      vary: "Origin",
    }]);
  });

  it("cors.ts does not change the body", async () => {
    const found = await fetch(`${served.origin}/books`);
    assertEquals(await found.json(), { data: ["Emma", "Ulysses"] });
    const broken = await fetch(`${served.origin}/broken`);
    assertEquals(await broken.json(), { error: "Internal server error" });
  });
});
