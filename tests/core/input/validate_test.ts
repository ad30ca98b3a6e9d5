import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type AnyInput, type InputPart, type RequestSchemas, route, setup, type Validator } from "../../../mod.ts";
import { post, request } from "../../support/request.ts";

type Schema = (input: unknown, part: InputPart) => unknown;

/** The schemas in this file are functions that return the result of the validator. */
const validator: Validator = {
  validate: (schema, input, part) => (schema as Schema)(input, part) as ReturnType<Validator["validate"]>,
};

const accept: Schema = (value) => ({ ok: true, value });
const refuse: Schema = (_value, part) => ({
  ok: false,
  issues: [{ part, path: ["a", "0"], message: `bad ${part}`, code: "custom" }],
});

/** The outcome that guards and handler receive. */
async function outcome(request: RequestSchemas, incoming: Request): Promise<AnyInput> {
  const seen: AnyInput[] = [];
  const app = setup({
    validator,
    handlers: [route.all("/:id", {
      request,
      guards: [(c) => {
        seen.push(c.input);
        return { allow: true };
      }],
      resolve(c) {
        seen.push(c.input);
        return new Response();
      },
    })],
  });
  await app.fetch(incoming);
  const [first, second] = seen;
  if (first === undefined) throw new Error("The guard did not run");
  assertStrictEquals(first, second);
  return first;
}

describe("c.input", () => {
  it("is ok and has no part without schemas", async () => {
    assertEquals(await outcome({}, request("/1?q=2")), { ok: true });
  });

  it("has the validated values of exactly the parts that have a schema", async () => {
    const double: Schema = (value) => ({ ok: true, value: [value, value] });
    assertEquals(await outcome({ query: accept }, request("/1?q=2")), { ok: true, query: { q: "2" } });
    const input = await outcome({ params: accept, query: accept, body: double }, post("/1?q=2", "3"));
    assertEquals(input, { ok: true, params: { id: "1" }, query: { q: "2" }, body: [3, 3] });
    assertEquals(await outcome({ params: () => ({ ok: true, value: undefined }) }, request("/1")), {
      ok: true,
      params: undefined,
    });
  });

  it("lists all failed parts in the order params, query, body, with the received values", async () => {
    const issue = (part: InputPart) => ({ part, path: ["a", "0"], message: `bad ${part}`, code: "custom" });
    assertEquals(await outcome({ body: refuse, query: refuse, params: refuse }, post("/1?q=2", "3")), {
      ok: false,
      failed: ["params", "query", "body"],
      issues: [issue("params"), issue("query"), issue("body")],
      received: { params: { id: "1" }, query: { q: "2" }, body: 3 },
    });
    assertEquals(await outcome({ params: accept, query: refuse, body: accept }, post("/1?q=2", "3")), {
      ok: false,
      failed: ["query"],
      issues: [issue("query")],
      received: { query: { q: "2" } },
    });
  });

  it("has every issue of a part, and accepts an empty list", async () => {
    const twice: Schema = (_value, part) => ({
      ok: false,
      issues: [{ part, path: [], message: "one" }, { part, path: ["x"], message: "two" }],
    });
    const none: Schema = () => ({ ok: false, issues: [] });
    assertEquals(await outcome({ params: twice, query: none }, request("/1")), {
      ok: false,
      failed: ["params", "query"],
      issues: [{ part: "params", path: [], message: "one" }, { part: "params", path: ["x"], message: "two" }],
      received: { params: { id: "1" }, query: {} },
    });
  });

  it("has the schema library's own error per part, if there is one", async () => {
    const error = new Error("from the library");
    const refuseWithError: Schema = (_value, part) => ({
      ok: false,
      issues: [{ part, path: [], message: "no" }],
      error,
    });
    const input = await outcome({ params: refuse, query: refuseWithError }, request("/1"));
    assertEquals(Object.keys((input as { errors: object }).errors), ["query"]);
    assertStrictEquals((input as { errors: { query: Error } }).errors.query, error);
  });

  it("has the issue of an unparsable body next to those of the other parts, without calling the validator", async () => {
    const asked: InputPart[] = [];
    const ask: Schema = (value, part) => {
      asked.push(part);
      return refuse(value, part);
    };
    const input = await outcome({ params: ask, query: accept, body: ask }, post("/1", "{"));
    assertEquals(asked, ["params"]);
    assertEquals(input, {
      ok: false,
      failed: ["params", "body"],
      issues: [
        { part: "params", path: ["a", "0"], message: "bad params", code: "custom" },
        { part: "body", path: [], message: "Invalid JSON", code: "invalid_json" },
      ],
      received: { params: { id: "1" }, body: "{" },
    });
  });

  it("is the same for a synchronous and an asynchronous validator", async () => {
    const later = (schema: Schema): Schema => async (value, part) => {
      await Promise.resolve();
      return schema(value, part);
    };
    for (const schema of [accept, refuse]) {
      const schemas = { params: schema, query: accept, body: schema };
      const slow = { params: later(schema), query: later(accept), body: later(schema) };
      assertEquals(await outcome(slow, post("/1?q=2", "3")), await outcome(schemas, post("/1?q=2", "3")));
    }
  });
});

describe("the validator", () => {
  it("may return any number of issues", async () => {
    const issue = { part: "body", path: [], message: "m" };
    const input = await outcome({ body: () => ({ ok: false, issues: Array(300_000).fill(issue) }) }, post("/1", "[]"));
    assertEquals(input.ok ? 0 : input.issues.length, 300_000);
  });

  it("may write defaults into its input", async () => {
    const filling: Schema = (value) => {
      Object.assign(value as object, { limit: "20" });
      return { ok: true, value };
    };
    for (let round = 0; round < 2; round++) {
      assertEquals(await outcome({ query: filling }, request("/1")), { ok: true, query: { limit: "20" } });
    }
    assertEquals(await outcome({ query: accept }, request("/1")), { ok: true, query: {} });
  });

  it("is called once per schema, with schema, raw input and part, in order, as a method", async () => {
    const calls: unknown[] = [];
    const recording = {
      name: "recording",
      validate(schema: unknown, input: unknown, part: InputPart) {
        calls.push([this.name, schema, { ...input as object }, part]);
        return { ok: true as const, value: input };
      },
    };
    const app = setup({
      validator: recording,
      handlers: [route.post("/:id", {
        request: { query: "Q", body: "B", params: "P" },
        resolve: () => new Response(),
      })],
    });
    await app.fetch(post("/1?q=2", '{"b":3}'));
    assertEquals(calls, [
      ["recording", "P", { id: "1" }, "params"],
      ["recording", "Q", { q: "2" }, "query"],
      ["recording", "B", { b: 3 }, "body"],
    ]);
  });

  it("is not called for routes without schemas", async () => {
    const app = setup({
      validator: {
        validate() {
          throw new Error("asked");
        },
      },
      handlers: [route.get("/", { resolve: () => new Response("ok") })],
    });
    assertEquals((await app.fetch(request("/"))).status, 200);
  });

  it("must return exactly a result: anything else is a TypeError that names the route", async () => {
    const issue = { part: "params", path: [], message: "m" };
    const misshapen = [
      undefined,
      null,
      true,
      false,
      "ok",
      1,
      [],
      {},
      { ok: true },
      { ok: 1, value: 1 },
      { ok: "true", value: 1 },
      { ok: false },
      { ok: false, issues: "x" },
      { ok: false, issues: [null] },
      { ok: false, issues: ["x"] },
      { ok: false, issues: [{ ...issue, part: "header" }] },
      { ok: false, issues: [{ ...issue, path: "a" }] },
      { ok: false, issues: [{ ...issue, path: [0] }] },
      { ok: false, issues: [{ ...issue, message: undefined }] },
      { ok: false, issues: [{ ...issue, code: 1 }] },
      { ok: false, issues: [issue, {}] },
      { value: 1 },
      { issues: [] },
    ];
    for (const result of misshapen) {
      for (const answer of [result, Promise.resolve(result)]) {
        const app = setup({
          validator,
          handlers: [route.get("/u/:id", {
            request: { params: () => answer },
            resolve: () => new Response("a pass"),
          })],
        });
        const error = await assertRejects(async () => await app.fetch(request("/u/secret")), TypeError);
        assertEquals(
          /^Validator must return .* for the params of route GET "\/u\/:id": received/.test(error.message),
          true,
          error.message,
        );
        assertEquals(error.message.includes("secret"), false);
      }
    }
  });

  it("may throw or reject: the error reaches onError unchanged", async () => {
    const failure = { any: "value" };
    const failing: Schema[] = [() => {
      throw failure;
    }, () => Promise.reject(failure)];
    for (const schema of failing) {
      const errors: unknown[] = [];
      const app = setup({
        validator,
        handlers: [route.get("/:id", { request: { params: schema }, resolve: () => new Response("a pass") })],
        onError({ error }) {
          errors.push(error);
          return new Response(null, { status: 500 });
        },
      });
      assertEquals((await app.fetch(request("/1"))).status, 500);
      assertStrictEquals(errors[0], failure);
    }
  });
});

describe("accepts() of a validator", () => {
  const resolve = () => new Response();

  it("is called by setup once per schema of a route, whatever the route's methods", () => {
    const asked: unknown[] = [];
    const [params, body] = [{ name: "params" }, { name: "body" }];
    setup({
      validator: {
        validate: (_schema, value) => ({ ok: true, value }),
        accepts(schema, part) {
          asked.push([schema, part]);
          return true;
        },
      },
      handlers: [
        route.on(["PUT", "POST"], "/:id", { request: { params, body }, resolve }),
        route.get("/", { resolve }),
      ],
    });
    assertEquals(asked, [[params, "params"], [body, "body"]]);
  });

  it("makes setup reject a schema by returning false; the message names route and part", () => {
    const error = assertThrows(
      () =>
        setup({
          validator: {
            validate: (_schema, value) => ({ ok: true, value }),
            accepts: (_schema, part) => part !== "body",
          },
          handlers: [route.post("/a", { request: { query: "text", body: "text" }, resolve })],
        }),
      TypeError,
    );
    assertEquals(
      error.message,
      'Schema of the body of route POST "/a" must be one the validator accepts: received a string',
    );
  });

  it("is called with the validator as `this`", () => {
    class Strict {
      readonly known = new Set<unknown>(["known"]);
      validate(_schema: unknown, value: unknown) {
        return { ok: true as const, value };
      }
      accepts(schema: unknown) {
        return this.known.has(schema);
      }
    }
    const setupWith = (schema: unknown) =>
      setup({ validator: new Strict(), handlers: [route.get("/a", { request: { query: schema }, resolve })] });
    setupWith("known");
    assertThrows(() => setupWith("unknown"), TypeError, 'route GET "/a"');
  });

  it("is optional: without it every schema is accepted", async () => {
    const app = setup({
      validator: { validate: (_schema, value) => ({ ok: true, value }) },
      handlers: [route.get("/a", { request: { query: "any" }, resolve })],
    });
    assertEquals((await app.fetch(request("/a"))).status, 200);
  });
});
