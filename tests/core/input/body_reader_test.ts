import { assertEquals, assertMatch, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type AnyInput, type BodyReader, type InputPart, route, setup, type Validator } from "../../../mod.ts";
import { accepting } from "../../support/accepting.ts";
import { post } from "../../support/request.ts";

const contentTypes = ["text/plain"];
const words: BodyReader = {
  contentTypes,
  read: async (request) => ({ value: (await request.text()).split(" ") }),
};

function appWith(bodyReader: BodyReader, validator: Validator = accepting, maxBodyBytes = Infinity) {
  const inputs: AnyInput[] = [];
  const raws: unknown[] = [];
  const errors: [error: unknown, stage: string][] = [];
  const { fetch } = setup({
    validator,
    maxBodyBytes,
    handlers: [
      route.on(["POST", "PUT"], "/", {
        request: { body: {}, bodyReader },
        resolve(c) {
          inputs.push(c.input);
          raws.push(c.raw.body);
          return new Response();
        },
      }),
    ],
    onError({ error, context }) {
      errors.push([error, context.stage]);
      return new Response(null, { status: 500 });
    },
  });
  return { fetch, inputs, raws, errors };
}

describe("request.bodyReader", () => {
  it("reads the body, which the schema validates", async () => {
    const app = appWith(words);
    await app.fetch(post("/", "a b"));
    assertEquals(app.inputs, [{ ok: true, body: ["a", "b"] }]);
    assertEquals(app.raws, [["a", "b"]]);
  });

  it("is called on itself, with the original request and the bound of the route or of the app", async () => {
    const calls: unknown[][] = [];
    const reader = {
      contentTypes,
      read(...args: unknown[]) {
        calls.push([this, ...args]);
        return Promise.resolve({ value: undefined });
      },
    };
    const app = setup({
      validator: accepting,
      maxBodyBytes: 7,
      handlers: [
        route.post("/", { request: { body: {}, bodyReader: reader }, resolve: () => new Response() }),
        route.put("/", { request: { body: {}, bodyReader: reader, maxBodyBytes: 8 }, resolve: () => new Response() }),
      ],
    });
    const requests = ["POST", "PUT"].map((method) => new Request("http://localhost/", { method, body: "x" }));
    for (const each of requests) await app.fetch(each);
    assertStrictEquals(calls[0]?.[0], reader);
    assertStrictEquals(calls[0]?.[1], requests[0]);
    assertEquals(calls.map(([, , bound]) => bound), [7, 8]);
    const unbounded = appWith(reader);
    await unbounded.fetch(post("/", "x"));
    assertEquals(calls[2]?.[2], Infinity);
  });

  it("makes an issue instead of a value: the validator is not called for the body, and nothing is received", async () => {
    const asked: InputPart[] = [];
    const issue = { message: "No words", code: "no_words" };
    const app = appWith({ contentTypes, read: () => Promise.resolve({ issue }) }, {
      validate(_schema, value, part) {
        asked.push(part);
        return { ok: true, value };
      },
    });
    await app.fetch(post("/", "a b"));
    assertEquals(asked, []);
    assertEquals(app.raws, [undefined]);
    assertEquals(app.inputs, [{
      ok: false,
      failed: ["body"],
      issues: [{ part: "body", path: [], message: "No words", code: "no_words" }],
      received: {},
    }]);
  });

  it("that fails is an error of the stage `body`, unchanged", async () => {
    const error = new Error("the client has gone");
    const throwing: BodyReader = {
      contentTypes,
      read() {
        throw error;
      },
    };
    for (const reader of [throwing, { contentTypes, read: () => Promise.reject(error) }]) {
      const app = appWith(reader);
      assertEquals((await app.fetch(post("/", "x"))).status, 500);
      assertStrictEquals(app.errors[0]?.[0], error);
      assertEquals(app.errors.map(([, stage]) => stage), ["body"]);
    }
  });

  it("that returns anything else is an error that names the route", async () => {
    const issue = { message: "m", code: "c" };
    const wrong: readonly unknown[] = [
      undefined,
      null,
      "value",
      [],
      {},
      { issue: null },
      { issue: { message: "m" } },
      { issue: { code: "c" } },
      { issue: { ...issue, code: 1 } },
      { value: 1, issue: null },
      { value: 1, issue: {} },
      { value: 1, issue: "no" },
    ];
    for (const result of wrong) {
      const app = appWith({ contentTypes, read: () => Promise.resolve(result as { value: unknown }) });
      assertEquals((await app.fetch(post("/", "x"))).status, 500);
      assertEquals(app.errors.map(([, stage]) => stage), ["body"]);
      assertMatch(
        String(app.errors[0]?.[0]),
        /^TypeError: Result of bodyReader of route POST,PUT "\/" must be \{ value \} or \{ issue: \{ message, code \} \}: received/,
      );
    }
    // An issue counts even beside a value: it fails closed.
    const both = appWith({ contentTypes, read: () => Promise.resolve({ value: 1, issue }) });
    await both.fetch(post("/", "x"));
    assertEquals(both.inputs.map(({ ok }) => ok), [false]);
  });

  it("may be synchronous in JavaScript", async () => {
    const app = appWith({ contentTypes, read: () => ({ value: 7 }) as never });
    await app.fetch(post("/", "x"));
    assertEquals(app.inputs, [{ ok: true, body: 7 }]);
  });

  it("is rejected without a body schema, and if it has the wrong shape", () => {
    const declare = (request: object) => () =>
      setup({ validator: accepting, handlers: [route.post("/a", { request, resolve: () => new Response() })] });
    assertThrows(
      declare({ query: {}, bodyReader: words }),
      TypeError,
      'Option bodyReader of route POST "/a" needs a body schema',
    );
    assertThrows(
      declare({ body: {}, bodyReader: undefined }),
      TypeError,
      '"bodyReader" of request of route POST "/a" is',
    );
    const read = words.read;
    const wrong: readonly unknown[] = [
      null,
      "form",
      read,
      {},
      { read },
      { contentTypes },
      { contentTypes, read: "x" },
      { contentTypes: [], read },
      { contentTypes: "text/plain", read },
      { contentTypes: [7], read },
    ];
    for (const bodyReader of wrong) {
      assertThrows(declare({ body: {}, bodyReader }), TypeError, 'Option bodyReader of route POST "/a" must be');
    }
  });

  it("that is broken rejects the promise of an app without onError", async () => {
    const app = setup({
      validator: accepting,
      handlers: [
        route.post("/", {
          request: { body: {}, bodyReader: { contentTypes, read: () => Promise.resolve({} as { value: unknown }) } },
          resolve: () => new Response("let in"),
        }),
      ],
    });
    await assertRejects(async () => await app.fetch(post("/", "x")), TypeError, "Result of bodyReader of route");
  });
});
