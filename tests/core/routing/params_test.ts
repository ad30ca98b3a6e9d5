import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Context, route, setup } from "../../../mod.ts";
import { contextOf } from "../../support/context_of.ts";
import { request } from "../../support/request.ts";

const paramsOf = async (pattern: string, path: string) => (await contextOf(pattern, request(path))).raw.params;

describe("raw.params", () => {
  it("has the named segments and the rest, as strings", async () => {
    assertEquals(await paramsOf("/orgs/:orgId/*", "/orgs/7/a/b"), { orgId: "7", "*": "a/b" });
    assertEquals(await paramsOf("/files/*", "/files/"), { "*": "" });
    assertEquals(await paramsOf("/a/b", "/a/b"), {});
    assertEquals(await paramsOf("/*", "//admin//"), { "*": "/admin//" });
    assertEquals(await paramsOf("/:a/x/:b/", "/1/x/2/"), { a: "1", b: "2" });
  });

  it("is percent-decoded exactly once, after matching", async () => {
    assertEquals(await paramsOf("/:x", "/a%20b"), { x: "a b" });
    assertEquals(await paramsOf("/:x", "/a%2Fb%5Cc%00"), { x: "a/b\\c\0" });
    assertEquals(await paramsOf("/:x", "/%252e%252e"), { x: "%2e%2e" });
    assertEquals(await paramsOf("/:x", "/a+b"), { x: "a+b" });
    assertEquals(await paramsOf("/:x", "/café"), { x: "café" });
    assertEquals(await paramsOf("/f/*", "/f/a%2F..b%2Fb/%25"), { "*": "a/..b/b/%" });
  });

  it("leaves a value with a malformed escape undecoded", async () => {
    for (const text of ["%zz", "%", "a%2", "%C3%28", "%ED%A0%80", "%20%zz", "%FF"]) {
      assertEquals(await paramsOf("/:x", `/${text}`), { x: text });
      assertEquals(await paramsOf("/f/*", `/f/%20/${text}`), { "*": `%20/${text}` });
    }
  });

  it("has the values of the matched route, whatever branches or requests came before", async () => {
    const resolve = (c: Context) => Response.json(c.raw.params);
    const patterns = ["/:a/:b/:c/x", "/:a/:b/y", "/:a/*", "/lit/:b/x", "/*"];
    const app = setup({ handlers: patterns.map((pattern) => route.get(pattern, { resolve })) });
    const cases: readonly (readonly [path: string, params: Record<string, string>])[] = [
      ["/1/2/3/x", { a: "1", b: "2", c: "3" }],
      ["/1/2/3/y", { a: "1", "*": "2/3/y" }],
      ["/1/2/y", { a: "1", b: "2" }],
      ["/lit/2/x", { b: "2" }],
      ["/lit/2/3/x", { a: "lit", b: "2", c: "3" }],
      ["/lit/2%2F/z", { a: "lit", "*": "2//z" }],
      ["/lit/%zz/z", { a: "lit", "*": "%zz/z" }],
      ["/lit/2/z", { a: "lit", "*": "2/z" }],
      ["/1", { "*": "1" }],
      ["/", { "*": "" }],
    ];
    for (let turn = 0; turn < 3; turn++) {
      for (const [path, params] of cases) assertEquals(await (await app.fetch(request(path))).json(), params, path);
    }
  });

  it("is a plain object with own keys only, so it equals a literal", async () => {
    const { raw } = await contextOf("/:toString/:constructor", request("/a/b"));
    assertStrictEquals(Object.getPrototypeOf(raw.params), Object.prototype);
    assertEquals(Object.entries(raw.params), [["toString", "a"], ["constructor", "b"]]);
    assertEquals((await contextOf("/:id", request("/7"))).raw.params, { id: "7" });
    assertEquals((await contextOf("/", request("/"))).raw.params, {});
  });
});
