/** Properties that hold for any input, tested with random input. A failure prints its seed and the smallest failing input. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { allow, type App, deny, type Route, route, setup, type Validator } from "../../mod.ts";
import { readQuery } from "../../src/core/input/query.ts";
import { parsePattern } from "../../src/core/routing/pattern.ts";
import { isAmbiguous } from "./routing/ambiguous_url.ts";
import type { Routable } from "../../src/core/routing/radix_tree.ts";
import { createRouter, type Router } from "../../src/core/routing/router.ts";
import { restOf } from "../support/request.ts";

describe("the router, for any routes and any path", () => {
  // Few words, so that paths often match. Some share a beginning, one needs encoding, one is the name of a property.
  const word = fc.constantFrom("a", "b", "ab", "abc", "é", "__proto__");
  const method = fc.constantFrom("GET", "POST", "ALL");
  const declared = fc.record({
    method,
    segments: fc.array(fc.oneof(word, fc.constant(":")), { maxLength: 4 }),
    end: fc.constantFrom("", "*", "/"),
  }).map(({ method, segments, end }): Declared => {
    const kinds = [...segments.map((segment) => segment === ":" ? ":" : encodeURI(segment))];
    if (end === "*") kinds.push("*");
    if (end === "/" || kinds.length === 0) kinds.push("");
    const names = segments.map((segment, index) => segment === ":" ? `:p${index}` : segment);
    const path = "/" + [...names, ...kinds.slice(names.length)].join("/");
    return { method, path, kinds };
  });
  const table = fc.uniqueArray(declared, {
    selector: ({ method, kinds }) => `${method} /${kinds.join("/")}`,
    minLength: 1,
    maxLength: 12,
  });
  const requested = fc.record({
    method: fc.constantFrom("GET", "POST", "PUT"),
    path: fc.array(fc.oneof(word, fc.constantFrom("", "c", "a%20b")), { minLength: 1, maxLength: 6 })
      .map((segments) => "/" + segments.join("/")),
  });

  it("finds the same route as a linear search", async () => {
    await fc.assert(fc.asyncProperty(table, requested, async (table, requested) => {
      assertEquals(await answer(table, requested), expectedAnswer(table, requested));
    }));
  });

  it("finds the same route in any order of declaration", async () => {
    const shuffled = table.chain((table) =>
      fc.tuple(fc.constant(table), fc.shuffledSubarray(table, { minLength: table.length }))
    );
    await fc.assert(fc.asyncProperty(shuffled, requested, async ([table, shuffled], requested) => {
      assertEquals(await answer(shuffled, requested), expectedAnswer(table, requested));
    }));
  });

  /** A route and its shape: literals URL-encoded, `:` for a parameter, `*` for a wildcard. */
  interface Declared {
    readonly method: string;
    readonly path: string;
    readonly kinds: readonly string[];
  }

  async function answer(table: readonly Declared[], { method, path }: { method: string; path: string }) {
    const handlers = table.map((declared): Route => {
      const resolve = () => new Response(`${declared.method} ${declared.path}`);
      return declared.method === "ALL"
        ? route.all(declared.path, { resolve })
        : route.on(declared.method, declared.path, { resolve });
    });
    const { fetch } = setup({ handlers });
    const ask = async (path: string, asked = method) => {
      const response = await fetch(new Request(`http://h${path}`, { method: asked }));
      return [response.status, await response.text()];
    };
    // The first request makes the origin known. The others make the urls known whose paths have no parameters.
    for (const declared of [...table, ...table]) {
      await ask(declared.path, declared.method === "ALL" ? method : declared.method);
    }
    const answers = [await ask(path), await ask(path)];
    assertEquals(answers[1], answers[0]);
    return answers[0];
  }

  function expectedAnswer(table: readonly Declared[], { method, path }: { method: string; path: string }) {
    const segments = new URL(`http://h${path}`).pathname.slice(1).split("/");
    const rank = (kind: string) => kind === "*" ? 2 : kind === ":" ? 1 : 0;
    const [best] = table
      .filter((route) => route.method === "ALL" || route.method === method)
      .filter(({ kinds }) => kinds.at(-1) === "*" ? segments.length >= kinds.length : segments.length === kinds.length)
      .filter(({ kinds }) =>
        kinds.every((kind, index) => kind === "*" || (kind === ":" ? segments[index] !== "" : kind === segments[index]))
      )
      .toSorted((one, other) => {
        for (let index = 0; index < segments.length; index++) {
          const difference = rank(one.kinds[index] ?? "") - rank(other.kinds[index] ?? "");
          if (difference !== 0) return difference;
        }
        return Number(one.method === "ALL") - Number(other.method === "ALL");
      });
    return best === undefined ? [404, ""] : [200, `${best.method} ${best.path}`];
  }
});

describe("the path of a request, for any url", () => {
  const routerOf = (...paths: readonly string[]) =>
    createRouter<Routable>(
      paths.map((path) => ({ matched: { method: "GET", path }, pattern: parsePattern(`GET ${path}`, path) })),
      false,
    );
  const get = (url: string) => ({ method: "GET", url, headers: new Headers() }) as Request;
  /** What a router finds that has already seen a request to this origin. */
  const findAgain = (router: Router<Routable>, origin: string, url: string) => {
    for (const warmUp of [`${origin}/`, url, `${origin}/`, url]) router.find(get(warmUp));
    return router.find(get(url));
  };

  const piece = fc.constantFrom(
    "/",
    ".",
    "..",
    "%2e",
    "%2E",
    "%",
    "%2f",
    "\\",
    "?",
    "#",
    "a",
    "é",
    " ",
    "\t",
    "\0",
    "@",
    ":",
  );
  const tail = fc.array(fc.oneof({ weight: 3, arbitrary: piece }, fc.string({ unit: "binary", maxLength: 3 })), {
    maxLength: 12,
  });
  const origin = fc.constantFrom("http://h", "https://h", "http://h:80", "http://h:8000", "HTTP://H", "http://[::1]");

  it("is the path that a URL parser reads, or none", () => {
    const router = routerOf("/*");
    fc.assert(
      fc.property(origin, tail, fc.boolean(), (origin, tail, isShown) => {
        // The malformed escape prevents decoding, so the path stays visible as it is.
        const url = origin + "/" + tail.join("") + (isShown ? "/%" : "");
        const rest = findAgain(router, origin, url)?.params["*"];
        if (rest === undefined) {
          assert(isAmbiguous(url), "Only a fragment, or a backslash or a dot segment in the path leaves it without");
        } else {
          assert(!isAmbiguous(url), "A fragment, or a backslash or a dot segment in the path leaves a url without");
          assertEquals(rest, restOf(new URL(url).pathname));
        }
      }),
      { numRuns: 5000 },
    );
  });

  it("matches the same route as the parsed path", () => {
    const word = fc.constantFrom("a", "ab", "é", ".a", ":x", ":y");
    const path = fc.tuple(fc.uniqueArray(word, { maxLength: 3 }), fc.constantFrom("", "/", "/*"))
      .map(([words, end]) => words.map((word) => `/${word}`).join("") + end || "/");
    const shapeOf = (path: string) => path.replaceAll(/:./g, ":");
    const table = fc.uniqueArray(path, { selector: shapeOf, minLength: 1, maxLength: 8 });
    const own = fc.constantFrom("a", "%C3%A9", "/a", "/ab", "/%C3%A9", "/.a");
    const mixed = fc.array(fc.oneof({ weight: 2, arbitrary: own }, piece), { maxLength: 8 });
    let matched = 0;
    fc.assert(
      fc.property(table, origin, mixed, (table, origin, tail) => {
        const url = origin + "/" + tail.join("");
        // A new router parses every url.
        const parsed = routerOf(...table).find(get(url));
        const found = findAgain(routerOf(...table), origin, url);
        if (found !== undefined) matched++;
        assertEquals(found?.route.matched.path, parsed?.route.matched.path, url);
        assertEquals({ ...found?.params }, { ...parsed?.params }, url);
      }),
      { numRuns: 5000 },
    );
    assert(matched > 500, `${matched} of 5000 urls matched a route`);
  });
});

describe("raw.query, for any search", () => {
  it("is the same as URLSearchParams reads", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "=",
      "&",
      "+",
      "%",
      "%20",
      "%2B",
      "%26",
      "%3D",
      "%C3%A9",
      "%C3",
      "%ED%A0%80",
      "%EF%BB%BF",
      "é",
      "__proto__",
    );
    const search = fc.array(fc.oneof({ weight: 4, arbitrary: piece }, fc.string()), { maxLength: 12 });
    fc.assert(
      fc.property(search, (pieces) => {
        // In ASCII, as a URL parser leaves it. Next to a malformed escape, Node.js reads other characters differently from the
        // standard.
        const search = new URL(`http://h/?${pieces.join("").replaceAll("#", "")}`).search.slice(1);
        const expected = new Map<string, string[]>();
        for (const [key, value] of new URLSearchParams(`?${search}`)) {
          expected.set(key, [...expected.get(key) ?? [], value]);
        }
        const actual = Object.entries(readQuery(search)).map(([key, value]) => [key, [value].flat()] as const);
        assertEquals(new Map<string, unknown>(actual), new Map<string, unknown>(expected));
      }),
      { numRuns: 5000 },
    );
  });
});

describe("text that a client encodes", () => {
  /** A dot segment, also one beside an encoded slash, matches no route. */
  const hasNoDotSegment = (text: string) => !isAmbiguous(`http://h/${encodeURIComponent(text)}`);
  const text = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.isWellFormed());

  const app = setup({
    handlers: [
      route.get("/one/:value/end", { resolve: (c) => Response.json(c.raw.params.value) }),
      route.get("/rest/*", { resolve: (c) => Response.json(c.raw.params["*"]) }),
      route.get("/query", { resolve: (c) => Response.json(c.raw.query) }),
    ],
  });
  const read = async (path: string) => (await app.fetch(new Request(`http://h${path}`))).json();

  it("arrives unchanged in a parameter, in a rest and in the query", async () => {
    await fc.assert(fc.asyncProperty(text.filter(hasNoDotSegment), text, async (value, key) => {
      assertEquals(await read(`/one/${encodeURIComponent(value)}/end`), value);
      assertEquals(await read(`/rest/${encodeURIComponent(value)}`), value);
      assertEquals(await read(`/query?${new URLSearchParams([[key, value]])}`), Object.fromEntries([[key, value]]));
    }));
  });
});

describe("app.fetch, for any application and any request", () => {
  const result = fc.anything({ withBoxedValues: true, withNullPrototype: true }).filter((value) => !hasThen(value));
  // All stages of a request must go well often enough that some of the requests reach the handler.
  const kind = fc.constantFrom("well", "well", "well", "well", "throws", "rejects", "returns");
  const outcome = fc.record({ kind, value: result });
  const stages = fc.record({
    onRequest: fc.option(outcome, { nil: undefined }),
    validator: outcome,
    guard: outcome,
    denies: fc.boolean(),
    resolve: outcome,
    onResponse: fc.option(outcome, { nil: undefined }),
    onError: fc.option(outcome, { nil: undefined }),
  });
  const request = fc.record({
    method: fc.constantFrom("GET", "POST", "DELETE", "PATCH"),
    path: fc.webPath().map((path) => path.startsWith("/") ? path : `/${path}`),
    known: fc.boolean(),
    host: fc.constantFrom(undefined, "h", "h/x?", "a b"),
    body: fc.option(fc.string()),
  });

  it("resolves with a Response, or rejects with the error of the application or an error that names its mistake", async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(stages, request, async (stages, { method, path, known, host, body }) => {
        const thrown: unknown[] = [];
        const run = (outcome: Outcome, well: () => unknown) => {
          if (outcome.kind === "well") return well();
          if (outcome.kind === "returns") return outcome.value;
          thrown.push(outcome.value);
          if (outcome.kind === "rejects") return Promise.reject(outcome.value);
          throw outcome.value;
        };
        const app = appOf(stages, run);
        const sent = new Request(`http://h${known ? "/known" : path}`, {
          method,
          ...(host === undefined ? {} : { headers: { host } }),
          ...(method === "GET" || body === null ? {} : { body }),
        });
        try {
          const response = await app.fetch(sent);
          assert(response instanceof Response);
          if (await response.text() === "known") answered++;
        } catch (error) {
          const own = error instanceof TypeError && /must (return|have)/.test(error.message);
          if (!own && !thrown.some((value) => Object.is(value, error))) throw error;
        }
      }),
      { numRuns: 2000 },
    );
    assert(answered > 0, "No request reached the handler");
  });

  it("rejects with the same error that the handler threw if there is no onError", async () => {
    await fc.assert(fc.asyncProperty(fc.anything(), async (value) => {
      const app = setup({
        handlers: [route.get("/", {
          resolve: () => {
            throw value;
          },
        })],
      });
      const [settled] = await Promise.allSettled([app.fetch(new Request("http://h/"))]);
      assertEquals(settled.status, "rejected");
      assertStrictEquals(settled.status === "rejected" && Object.is(settled.reason, value), true);
    }));
  });

  interface Outcome {
    readonly kind: string;
    readonly value: unknown;
  }
  type Stages = typeof stages extends fc.Arbitrary<infer Value> ? Value : never;

  /** An app whose stages behave as `stages` says. Its results may have any type, so they are cast. */
  function appOf(stages: Stages, run: (outcome: Outcome, well: () => unknown) => unknown): App {
    const validator = { validate: (_: unknown, value: unknown) => run(stages.validator, () => ({ ok: true, value })) };
    const { onRequest, onResponse, onError } = stages;
    return setup({
      validator: validator as Validator,
      handlers: [
        route.all("/known", {
          request: { query: {}, body: {} },
          guards: [
            () => run(stages.guard, () => stages.denies ? deny(new Response(null, { status: 403 })) : allow()) as never,
          ],
          resolve: () => run(stages.resolve, () => new Response("known")) as never,
        }),
      ],
      ...(onRequest && { onRequest: () => run(onRequest, () => ({ id: 1 })) as never }),
      ...(onResponse && { onResponse: () => run(onResponse, () => undefined) as never }),
      ...(onError && { onError: () => run(onError, () => new Response(null, { status: 500 })) as never }),
    });
  }

  function hasThen(value: unknown): boolean {
    return typeof value === "object" && value !== null && "then" in value;
  }
});
