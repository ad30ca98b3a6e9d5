/** What `app.fetch` returns, and when: a response at once, a promise, a rejection. */
import { assertEquals, assertInstanceOf, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, type Context, deny, route, setup } from "../../mod.ts";
import { accepting } from "../support/accepting.ts";
import { post, request } from "../support/request.ts";

const boom = new Error("boom");
const text = async (response: Response | Promise<Response>) => await (await response).text();

describe("app.fetch", () => {
  it("returns a Response synchronously if nothing is asynchronous", () => {
    const handler = new Response("handler");
    const app = setup({
      validator: accepting,
      handlers: [
        route.get("/:id", {
          request: { params: {}, query: {} },
          guards: [() => allow({ a: 1 }), () => allow()],
          resolve: () => handler,
        }),
        route.get("/denied/x", { guards: [() => deny(handler)], resolve: () => new Response() }),
      ],
      onRequest: () => ({ b: 2 }),
      onResponse: ({ response }) => response,
      onError: () => new Response(),
    });
    assertStrictEquals(app.fetch(request("/1?q=2")), handler);
    assertStrictEquals(app.fetch(request("/denied/x")), handler);
    assertInstanceOf(app.fetch(request("/no/where")), Response);
  });

  it("turns a thrown error into a response synchronously", () => {
    const sorry = new Response("sorry");
    const app = setup({
      handlers: [route.get("/", {
        resolve() {
          throw boom;
        },
      })],
      onError: () => sorry,
    });
    assertStrictEquals(app.fetch(request("/")), sorry);
  });

  it("returns a promise if anything is asynchronous", async () => {
    const later = async <T>(value: T) => {
      await Promise.resolve();
      return value;
    };
    const stages = {
      onRequest: () => later({}),
      onResponse: () => later(undefined),
      guard: () => later(allow()),
      resolve: () => later(new Response()),
    };
    for (const key of ["onRequest", "onResponse", "guard", "resolve"] as const) {
      const app = setup({
        handlers: [route.get("/", {
          guards: [key === "guard" ? stages.guard : () => allow()],
          resolve: key === "resolve" ? stages.resolve : () => new Response(),
        })],
        ...(key === "onRequest" || key === "onResponse" ? { [key]: stages[key] } : {}),
      });
      const answer = app.fetch(request("/"));
      assertInstanceOf(answer, Promise, key);
      assertEquals((await answer).status, 200);
    }
  });

  it("waits once for the handler's promise where there are no hooks", async () => {
    const { then } = Promise.prototype;
    let waits = 0;
    const response = new Response();
    const app = setup({ handlers: [route.get("/", { resolve: () => Promise.resolve(response) })] });
    const incoming = request("/");
    Promise.prototype.then = function (this: Promise<unknown>, ...callbacks: unknown[]) {
      waits++;
      return Reflect.apply(then, this, callbacks);
    } as typeof then;
    let answer: unknown;
    try {
      answer = app.fetch(incoming);
    } finally {
      Promise.prototype.then = then;
    }
    assertStrictEquals(await answer, response);
    assertEquals(waits, 1);
  });

  it("does not read the headers for a 404 that no hook sees", async () => {
    let reads = 0;
    const incoming = {
      url: "http://localhost/nowhere",
      method: "GET",
      get headers() {
        reads++;
        return new Headers();
      },
    } as Request;
    const handlers = [route.get("/", { resolve: () => new Response() })];
    assertEquals((await setup({ handlers }).fetch(incoming)).status, 404);
    assertEquals(reads, 0);
  });

  it("never throws: an error is a rejection, even if the argument is not a request", async () => {
    const app = setup({
      handlers: [route.get("/", {
        resolve() {
          throw boom;
        },
      })],
    });
    const answer = app.fetch(request("/"));
    assertInstanceOf(answer, Promise);
    assertStrictEquals(await assertRejects(() => answer), boom);
    await assertRejects(async () => await app.fetch(undefined as unknown as Request), TypeError);
  });

  it("awaits any object with a `then` method", async () => {
    const thenable = {
      then(resolve: (response: Response) => void) {
        resolve(new Response("from a thenable"));
      },
    };
    const app = setup({ handlers: [route.get("/", { resolve: () => thenable as unknown as Promise<Response> })] });
    const answer = app.fetch(request("/"));
    assertInstanceOf(answer, Promise);
    assertEquals(await text(answer), "from a thenable");
  });

  it("keeps a thousand interleaved requests apart", async () => {
    const app = setup({
      validator: { validate: async (_schema, value) => (await pause(), { ok: true, value }) },
      onRequest: async ({ request }) => (await pause(), { url: request.url }),
      handlers: [
        route.with<{ url: string }>().post("/:id", {
          request: { params: {}, body: {} },
          guards: [
            async (c) => (await pause(), allow({ first: c.raw.params.id })),
            async (c: Context<{ first: string }>) => (await pause(), allow({ second: `${c.locals.first}!` })),
          ],
          resolve: async (
            c,
          ) => (await pause(), Response.json([c.locals, c.raw.params, c.raw.query, c.raw.body, c.input])),
        }),
      ],
      onResponse: async ({ response, locals }) => {
        await pause();
        response.headers.set("x-url", locals.url ?? "");
      },
    });
    await Promise.all(Array.from({ length: 1000 }, async (_, n) => {
      const id = String(n);
      const response = await app.fetch(post(`/${id}?q=${id}`, id));
      const url = `http://localhost/${id}?q=${id}`;
      assertEquals(response.headers.get("x-url"), url);
      assertEquals(await response.json(), [
        { url, first: id, second: `${id}!` },
        { id },
        { q: id },
        n,
        { ok: true, params: { id }, body: n },
      ]);
    }));
  });
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
}
