/** What hooks and validators receive if a request ends early or has no input. */
import { assertEquals, assertMatch, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type HookContext, route, setup } from "../../mod.ts";
import { request } from "../support/request.ts";

describe("onError", () => {
  /** What onError receives for a request. */
  async function contextFor(onRequest: () => object | Promise<object>, incoming: Request): Promise<HookContext> {
    let seen: HookContext | undefined;
    const app = setup({
      handlers: [route.get("/", { resolve: () => new Response() })],
      onRequest,
      onError({ context }) {
        seen = context;
        return new Response();
      },
    });
    await app.fetch(incoming);
    if (seen === undefined) throw new Error("onError was not called");
    return seen;
  }

  it("receives the request and empty locals if onRequest rejects", async () => {
    const incoming = request("/");
    const context = await contextFor(() => Promise.reject(new Error("no locals")), incoming);
    assertStrictEquals(context.request, incoming);
    assertEquals({ ...context.locals }, {});
  });

  it("receives the request and the locals if the url of the request cannot be read", async () => {
    const incoming = new Proxy(request("/"), {
      get(target, key) {
        if (key === "url") throw new Error("no url");
        const value = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const context = await contextFor(() => ({ id: 1 }), incoming);
    assertStrictEquals(context.request, incoming);
    assertEquals({ ...context.locals }, { id: 1 });
  });

  it("that returns no Response causes an error whose cause is the first error", async () => {
    const first = new Error("the first");
    const app = setup({
      handlers: [route.get("/", { resolve: () => Promise.reject(first) })],
      onError: () => null as unknown as Response,
    });
    const error = await assertRejects(async () => await app.fetch(request("/")), TypeError);
    assertMatch(error.message, /^onError must return a Response.*: received null$/);
    assertStrictEquals(error.cause, first);
  });
});

describe("a validator", () => {
  it("may write into empty params and query, and the next request does not see it", async () => {
    const seen: unknown[] = [];
    const app = setup({
      validator: {
        validate(_schema, value) {
          seen.push({ ...value as object });
          return { ok: true, value: Object.assign(value as object, { page: 1 }) };
        },
      },
      handlers: [
        route.get("/", { request: { params: {}, query: {} }, resolve: (c) => Response.json(c.input) }),
      ],
    });
    for (const _ of [1, 2]) {
      const response = await app.fetch(request("/"));
      assertEquals(await response.json(), { ok: true, params: { page: 1 }, query: { page: 1 } });
    }
    assertEquals(seen, [{}, {}, {}, {}]);
  });
});

describe("context.stage", () => {
  type Fault = "onRequest" | "body" | "validate" | "guards" | "resolve" | "onResponse";

  /** The stages that the hooks see if a stage throws or rejects. */
  async function stagesFor(
    fault: Fault | "match" | "denial" | undefined,
    how: "throws" | "rejects",
  ): Promise<string[]> {
    const stages: string[] = [];
    const at = <Result>(stage: Fault, well: Result): Result | Promise<Result> => {
      if (fault !== stage) return well;
      if (how === "throws") throw new Error(stage);
      return Promise.reject(new Error(stage));
    };
    const app = setup({
      validator: { validate: (_schema, value) => at("validate", { ok: true, value }) },
      handlers: [route.post("/", {
        request: { body: {} },
        guards: [() => fault === "denial" ? { deny: new Response() } : at("guards", { allow: true })],
        resolve: () => at("resolve", new Response()),
      })],
      onRequest: () => at("onRequest", {}),
      onResponse({ context }) {
        stages.push(`onResponse: ${context.stage}`);
        return at("onResponse", undefined);
      },
      onError({ context }) {
        stages.push(`onError: ${context.stage}`);
        return new Response();
      },
    });
    const incoming = request(fault === "match" ? "/nowhere" : "/", { method: "POST", body: "1" });
    // A body that has been read before cannot be read.
    if (fault === "body") await incoming.text();
    await app.fetch(incoming);
    return stages;
  }

  it("is the stage of the error in onError, and the stage of the response in onResponse", async () => {
    for (const how of ["throws", "rejects"] as const) {
      assertEquals(await stagesFor(undefined, how), ["onResponse: resolve"]);
      assertEquals(await stagesFor("match", how), ["onResponse: match"]);
      assertEquals(await stagesFor("denial", how), ["onResponse: guards"]);
      for (const stage of ["onRequest", "body", "validate", "guards", "resolve"] as const) {
        assertEquals(await stagesFor(stage, how), [`onError: ${stage}`, `onResponse: ${stage}`]);
      }
      assertEquals(await stagesFor("onResponse", how), ["onResponse: resolve", "onError: onResponse"]);
    }
  });

  it("is match if the url of a request cannot be read, and is hidden from handlers", async () => {
    const stages: string[] = [];
    const app = setup({
      handlers: [route.get("/", { resolve: (c) => Response.json(["stage" in c, Object.keys(c)]) })],
      onError({ context }) {
        stages.push(context.stage);
        return new Response();
      },
    });
    const unreadable = Object.defineProperty(request("/"), "url", {
      get() {
        throw new Error("no url");
      },
    });
    await app.fetch(unreadable);
    assertEquals(stages, ["match"]);
    assertEquals(await (await app.fetch(request("/"))).json(), [
      false,
      ["request", "raw", "input", "locals", "route"],
    ]);
  });
});
