import { type App, route, setup } from "@fw/core";
import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { outer } from "../../../examples/recipes/mounting.ts";
import { under } from "../../../examples/recipes/mounting.ts";
import { request } from "../../support/request.ts";
import { describeServed } from "../describe_served.ts";

describeServed("examples/recipes/mounting.ts", (served) => {
  const ask = async (path: string, init?: RequestInit) => {
    const response = await served.request(path, init);
    return [response.status, await response.text()];
  };

  it("the recipe mounting serves an app under a prefix, with method, headers and body", async () => {
    assertEquals(await ask("/shop"), [200, "The shop"]);
    assertEquals(await ask("/shop/"), [200, "The shop"]);
    assertEquals(await ask("/shop/orders/7", { method: "POST", body: "two" }), [200, "Order 7: two"]);
    assertEquals(await ask("/shop/orders/a%2Fb"), [200, "Order a/b: "]);
    for (const path of ["/", "/orders/7", "/shopping", "/shop/orders", "/shop//orders/7", "/shop/shop"]) {
      assertEquals(await ask(path), [404, ""]);
    }
  });

  it("the recipe mounting serves the app of another framework at its own paths, but for those that have moved", async () => {
    assertEquals(await ask("/legacy/orders/7"), [200, "Old order 7"]);
    assertEquals(await ask("/legacy/orders/latest"), [200, "New order 7"]);
    assertEquals(await ask("/legacy/nothing"), [404, "404 Not Found"]);
  });
});

describe("an app inside Hono, as in examples/recipes/mounting.ts,", () => {
  it("an app inside Hono gets the requests below its prefix, with the body", async () => {
    const ask = async (path: string, init?: RequestInit) => {
      const response = await outer.fetch(request(path, init));
      return [response.status, await response.text()];
    };
    assertEquals(await ask("/"), [200, "Hono"]);
    assertEquals(await ask("/shop"), [200, "The shop"]);
    assertEquals(await ask("/shop/orders/7", { method: "PUT", body: "three" }), [200, "Order 7: three"]);
    assertEquals(await ask("/shop/nothing"), [404, ""]);
  });
});

describe("under() of examples/recipes/mounting.ts", () => {
  const seen: string[] = [];
  const inner: App = setup({
    handlers: [
      route.all("/*", {
        resolve: ({ request }) => {
          seen.push(request.url);
          return new Response();
        },
      }),
    ],
  });
  const seenAt = async (prefix: `/${string}`, path: string, init?: RequestInit) => {
    const app = setup({ handlers: under(prefix, inner.fetch) });
    await app.fetch(request(path, init));
    return seen.pop();
  };

  it("under() keeps the host, the query and the rest of the path as they are", async () => {
    assertEquals(await seenAt("/a", "/a/b%2Fc/?q=%20&q"), "http://localhost/b%2Fc/?q=%20&q");
    assertEquals(await seenAt("/a", "/a?q"), "http://localhost/?q");
    assertEquals(await seenAt("/a/b", "/a/b//example.com/x"), "http://localhost//example.com/x");
    assertEquals(await seenAt("/café", "/caf%C3%A9/x"), "http://localhost/x");
  });

  it("under() rejects a prefix with a parameter or a wildcard: it would cut other paths at a wrong place", () => {
    for (const prefix of ["/:shop", "/shops/:shop", "/shop/*"] as const) {
      assertThrows(() => under(prefix, () => new Response()), TypeError, `received "${prefix}"`);
    }
  });

  it("under() passes on that the client has gone away", async () => {
    const client = new AbortController();
    const gone = Promise.withResolvers<void>();
    const app = setup({
      handlers: under("/a", (request) => {
        request.signal.addEventListener("abort", () => gone.resolve());
        return new Response();
      }),
    });
    await app.fetch(request("/a/b", { signal: client.signal }));
    client.abort();
    await gone.promise;
  });
});
