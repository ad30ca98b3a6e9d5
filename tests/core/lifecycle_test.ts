/** The stages of a request: which run, how often, in which order, and what `context.stage` calls them. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, type App, type Context, deny, type GuardResult, route, setup } from "../../mod.ts";
import { post, request } from "../support/request.ts";

const boom = new Error("boom");

/** Throws synchronously or rejects. Each source of errors is tested both ways. */
const failures = [
  ["at once", () => {
    throw boom;
  }],
  ["by promise", async () => {
    await Promise.resolve();
    throw boom;
  }],
] as const satisfies [string, () => unknown][];

/** An app that records which stages run. `overrides` replaces stages. */
function tracedApp(
  overrides: Partial<Record<Stage, (...args: never[]) => unknown>> = {},
): { app: App; trace: string[] } {
  const trace: string[] = [];
  const stage = <Result>(name: Stage, usual: (...args: unknown[]) => Result) => (...args: unknown[]): Result => {
    trace.push(name);
    const run = overrides[name] as typeof usual | undefined;
    return (run ?? usual)(...args);
  };
  const app = setup({
    handlers: [route.post("/x", {
      request: { body: {} },
      guards: [stage("guard 1", (): GuardResult => allow()), stage("guard 2", (): GuardResult => allow())],
      resolve: stage("handler", () => new Response("handler")),
    })],
    validator: { validate: stage("validator", (_schema, value) => ({ ok: true as const, value })) },
    onRequest: stage("onRequest", () => undefined),
    onResponse: stage("onResponse", () => undefined),
    ...("onError" in overrides ? { onError: stage("onError", () => new Response("onError", { status: 500 })) } : {}),
  });
  return { app, trace };
}
type Stage = "onRequest" | "validator" | "guard 1" | "guard 2" | "handler" | "onResponse" | "onError";

const answering = () => new Response("onError", { status: 500 });
const text = async (response: Response | Promise<Response>) => await (await response).text();

describe("which stages run, and how often", () => {
  it("on success: every stage once, in order", async () => {
    const { app, trace } = tracedApp({ onError: answering });
    assertEquals(await text(app.fetch(post("/x", "{}"))), "handler");
    assertEquals(trace, ["onRequest", "validator", "guard 1", "guard 2", "handler", "onResponse"]);
  });

  it("on a denial: no later guard, no handler, but onResponse", async () => {
    const { app, trace } = tracedApp({ "guard 1": () => deny(new Response("denied")) });
    assertEquals(await text(app.fetch(post("/x", "{}"))), "denied");
    assertEquals(trace, ["onRequest", "validator", "guard 1", "onResponse"]);
  });

  it("on a 404: onRequest and onResponse, nothing in between", async () => {
    const { app, trace } = tracedApp();
    const response = await app.fetch(post("/y", "{}"));
    assertEquals([response.status, response.body, [...response.headers]], [404, null, []]);
    assertEquals(trace, ["onRequest", "onResponse"]);
  });

  it("on a validation failure: everything, as on success", async () => {
    const { app, trace } = tracedApp({
      validator: () => ({ ok: false, issues: [] }),
      handler: (c: Context) => new Response(`ok: ${c.input.ok}`),
    });
    assertEquals(await text(app.fetch(post("/x", "{}"))), "ok: false");
    assertEquals(trace, ["onRequest", "validator", "guard 1", "guard 2", "handler", "onResponse"]);
  });

  const upTo: [Stage, Stage[]][] = [
    ["onRequest", ["onRequest"]],
    ["validator", ["onRequest", "validator"]],
    ["guard 1", ["onRequest", "validator", "guard 1"]],
    ["guard 2", ["onRequest", "validator", "guard 1", "guard 2"]],
    ["handler", ["onRequest", "validator", "guard 1", "guard 2", "handler"]],
  ];
  for (const [stage, before] of upTo) {
    for (const [how, fail] of failures) {
      it(`on an error in ${stage}, ${how}: onError, then onResponse, once each`, async () => {
        const { app, trace } = tracedApp({ [stage]: fail, onError: answering });
        assertEquals(await text(app.fetch(post("/x", "{}"))), "onError");
        assertEquals(trace, [...before, "onError", "onResponse"]);
      });

      it(`on an error in ${stage}, ${how}, without onError: the promise is rejected and nothing else runs`, async () => {
        const { app, trace } = tracedApp({ [stage]: fail });
        assertStrictEquals(await assertRejects(async () => await app.fetch(post("/x", "{}"))), boom);
        assertEquals(trace, before);
      });
    }
  }

  for (const [how, fail] of failures) {
    const all: Stage[] = ["onRequest", "validator", "guard 1", "guard 2", "handler", "onResponse"];

    it(`on an error in onResponse, ${how}: onError, whose response is final`, async () => {
      const { app, trace } = tracedApp({ onResponse: fail, onError: answering });
      assertEquals(await text(app.fetch(post("/x", "{}"))), "onError");
      assertEquals(trace, [...all, "onError"]);
    });

    it(`on errors in handler and onResponse, ${how}: onError for each, onResponse once`, async () => {
      const { app, trace } = tracedApp({ handler: fail, onResponse: fail, onError: answering });
      assertEquals(await text(app.fetch(post("/x", "{}"))), "onError");
      assertEquals(trace, [
        "onRequest",
        "validator",
        "guard 1",
        "guard 2",
        "handler",
        "onError",
        "onResponse",
        "onError",
      ]);
    });

    it(`on an error in onError itself, ${how}: the promise is rejected with that error, without a loop`, async () => {
      const { app, trace } = tracedApp({ handler: () => undefined, onError: fail });
      assertStrictEquals(await assertRejects(async () => await app.fetch(post("/x", "{}"))), boom);
      assertEquals(trace, ["onRequest", "validator", "guard 1", "guard 2", "handler", "onError"]);
      const last = tracedApp({ onResponse: () => 1, onError: fail });
      assertStrictEquals(await assertRejects(async () => await last.app.fetch(post("/x", "{}"))), boom);
      assertEquals(last.trace, [...all, "onError"]);
    });
  }

  it("on a body that cannot be read: onError, then onResponse; no validator, no guard, no handler", async () => {
    const { app, trace } = tracedApp({ onError: answering });
    const used = post("/x", "{}");
    await used.text();
    assertEquals(await text(app.fetch(used)), "onError");
    assertEquals(trace, ["onRequest", "onError", "onResponse"]);
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
