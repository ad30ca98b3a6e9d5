import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type AnyInput, type RawInput, route, setup } from "../../../mod.ts";
import { readCookies } from "../../../src/core/input/headers.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { z } from "zod";
import { accepting } from "../../support/accepting.ts";
import { assertLinear } from "../../support/count_work.ts";
import { request } from "../../support/request.ts";

/** The raw inputs that the handler of a route with these schemas sees. */
async function rawOf(headers: HeadersInit, schemas: { headers?: object; cookies?: object }): Promise<RawInput> {
  let seen: RawInput | undefined;
  const app = setup({
    validator: accepting,
    handlers: [route.get("/", {
      request: schemas,
      resolve(c) {
        seen = c.raw;
        return new Response();
      },
    })],
  });
  await app.fetch(request("/", { headers }));
  assert(seen !== undefined);
  return seen;
}

const headersOf = async (headers: HeadersInit) => ({ ...(await rawOf(headers, { headers: {} })).headers });
const cookiesOf = async (cookie: string) => ({ ...(await rawOf({ cookie }, { cookies: {} })).cookies });

describe("raw.headers", () => {
  it("has the values by name in lower case", async () => {
    assertEquals(await headersOf({ "If-Match": '"1"', "X-EMPTY": "" }), { "if-match": '"1"', "x-empty": "" });
    assertEquals(await headersOf({}), {});
  });

  it("has one string for a header that repeats", async () => {
    const headers = new Headers([["x-id", "1"], ["accept", "a"], ["X-Id", ""], ["x-id", "3"]]);
    assertEquals(await headersOf(headers), { accept: "a", "x-id": "1, , 3" });
    const repeated = new Headers([["set-cookie", "a=1"], ["set-cookie", "b=2"]]);
    assertEquals(await headersOf(repeated), { "set-cookie": "b=2" });
  });

  it("has a byte that is not ASCII as one character", async () => {
    assertEquals(await headersOf({ "x-name": "caf\xe9\xa0" }), { "x-name": "caf\xe9\xa0" });
  });

  it("has no prototype, so any name is a key like any other", async () => {
    const { headers } = await rawOf([["__proto__", "1"], ["constructor", "2"]], { headers: {} });
    assertStrictEquals(Object.getPrototypeOf(headers), null);
    assertEquals(Object.entries(headers ?? {}).toSorted(), [["__proto__", "1"], ["constructor", "2"]]);
  });
});

describe("raw.cookies", () => {
  it("has the pairs, split at the first equals sign", async () => {
    assertEquals(await cookiesOf("a=1; b=; c=x=y==;d=4 5"), { a: "1", b: "", c: "x=y==", d: "4 5" });
    assertEquals({ ...(await rawOf({}, { cookies: {} })).cookies }, {});
  });

  it("ignores a pair without an equals sign", async () => {
    assertEquals(await cookiesOf("flag; a=1; ; ;;other"), { a: "1" });
    assertEquals(await cookiesOf("__Host-id"), {});
  });

  it("has the empty name", async () => {
    assertEquals(await cookiesOf("=1; a=2; =3"), { "": ["1", "3"], a: "2" });
  });

  it("has an array for a name that repeats; a schema gets the first value, or a list if it accepts nothing else", async () => {
    assertEquals(await cookiesOf("id=1; id=2; ID=3; id=1"), { id: ["1", "2", "1"], ID: "3" });
    const app = setup({
      validator: standardSchema,
      handlers: [route.get("/", {
        request: { cookies: z.object({ id: z.string() }) },
        resolve: ({ input }) => Response.json(input.ok ? input.cookies.id : input.failed),
      })],
    });
    const answer = async (cookie: string) => await (await app.fetch(request("/", { headers: { cookie } }))).json();
    assertEquals(await answer("id=1"), "1");
    // As browsers send it, the cookie of the longest path. A stale one of "/" must not lock its user out.
    assertEquals(await answer("id=1; id=2"), "1");
    const seen: unknown[] = [];
    const all = setup({
      validator: standardSchema,
      handlers: [route.get("/", {
        request: { cookies: z.object({ id: z.array(z.string()), a: z.string().max(1).optional() }) },
        resolve({ input, raw }) {
          seen.push([raw.cookies, input.ok ? input.cookies : input.received]);
          return new Response();
        },
      })],
    });
    for (const cookie of ["id=1; a=2; a=3", "id=1; id=2", "b=1", "id=1; a=22; a=3"]) {
      await all.fetch(request("/", { headers: { cookie } }));
    }
    assertEquals(JSON.parse(JSON.stringify(seen)), [
      [{ id: "1", a: ["2", "3"] }, { id: ["1"], a: "2" }],
      [{ id: ["1", "2"] }, { id: ["1", "2"] }],
      [{ b: "1" }, { id: [] }],
      [{ id: "1", a: ["22", "3"] }, { cookies: { id: "1", a: ["22", "3"] } }],
    ]);
  });

  it("neither decodes nor unquotes values", async () => {
    assertEquals(await cookiesOf('a=%41+b; c="d e"; f="; g=%'), { a: "%41+b", c: '"d e"', f: '"', g: "%" });
  });

  it("strips spaces and tabs only, so no other name passes for __Host-id", async () => {
    assertEquals(await cookiesOf(" \t a \t=\t 1 \t; \tb=2"), { a: "1", b: "2" });
    for (const blank of ["\xa0", "\x0b", "\x0c", "\x85", "\ufeff", "\u2003"]) {
      assertEquals({ ...readCookies(`${blank}__Host-id=1; a=${blank}2${blank}`) }, {
        [`${blank}__Host-id`]: "1",
        a: `${blank}2${blank}`,
      });
    }
  });

  it("is not split at commas: a value may contain them", async () => {
    assertEquals(await cookiesOf("a=1, __Host-id=2; b=3"), { a: "1, __Host-id=2", b: "3" });
  });

  it("has no prototype, so any name is a key like any other", async () => {
    const { cookies } = await rawOf({ cookie: "__proto__=1; constructor=2; __proto__=3" }, { cookies: {} });
    assertStrictEquals(Object.getPrototypeOf(cookies), null);
    assertEquals(Object.entries(cookies ?? {}), [["__proto__", ["1", "3"]], ["constructor", "2"]]);
    assertEquals("polluted" in {}, false);
  });

  it("takes work that is linear in the length of the header", () => {
    for (const piece of [";", "=;", "a;", "a=;", " ", "\t", " ;", "a=1;", "= ", "a  b"]) {
      assertLinear((length) => readCookies(piece.repeat(length / piece.length)), 8000);
      assertLinear((length) => readCookies(`a=${piece.repeat(length / piece.length)}b`), 8000);
    }
  });
});

describe("headers and cookies", () => {
  it("are not collected without a schema", async () => {
    const raw = await rawOf({ cookie: "a=1" }, {});
    assertEquals(Object.keys(raw), ["params", "query", "body"]);
    assertEquals(Object.keys(await rawOf({}, { headers: {} })).toSorted(), ["body", "headers", "params", "query"]);
    const untouched = new Proxy(request("/"), {
      get(target, key) {
        if (key === "headers") throw new Error("headers were read");
        const value = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const app = setup({
      validator: accepting,
      handlers: [route.get("/", { request: { query: {} }, resolve: () => new Response("untouched") })],
    });
    assertEquals(await (await app.fetch(untouched)).text(), "untouched");
  });

  it("are validated, in the order params, query, headers, cookies, body", async () => {
    const inputs: AnyInput[] = [];
    const app = setup({
      validator: standardSchema,
      handlers: [route.post("/:id", {
        request: {
          body: z.object({ e: z.string() }),
          cookies: z.object({ d: z.coerce.number() }),
          headers: z.object({ "x-c": z.string() }),
          query: z.object({ b: z.string() }),
          params: z.object({ id: z.string().max(1) }),
        },
        resolve(c) {
          inputs.push(c.input);
          return new Response();
        },
      })],
    });
    await app.fetch(
      request("/1?b=2", { method: "POST", headers: { "x-c": "3", cookie: "d=4; e=5" }, body: '{"e":"5"}' }),
    );
    await app.fetch(request("/12", { method: "POST", headers: { cookie: "d=x" }, body: "{}" }));
    const [valid, invalid] = inputs;
    assertEquals(valid, {
      ok: true,
      params: { id: "1" },
      query: { b: "2" },
      headers: { "x-c": "3" },
      cookies: { d: 4 },
      body: { e: "5" },
    });
    assert(invalid?.ok === false);
    assertEquals(invalid.failed, ["params", "query", "headers", "cookies", "body"]);
    assertEquals(invalid.issues.map(({ part, path }) => [part, ...path]), [
      ["params", "id"],
      ["query", "b"],
      ["headers", "x-c"],
      ["cookies", "d"],
      ["body", "e"],
    ]);
    assertEquals({ ...invalid.received.cookies as object }, { d: "x" });
    assert("cookie" in (invalid.received.headers as object));
  });
});
