/** What `fuzz` says of a fault, and of what it has tested: enough to mend the fault without running anything else. */

import { inspect } from "node:util";
import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { text } from "../../../src/body/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { type Fault, fuzz, type FuzzableApp, type FuzzOptions } from "../../../src/testing/mod.ts";

type Handlers = NonNullable<Parameters<typeof setup>[0]["handlers"]>;

const serve = (...handlers: Handlers): App => setup({ validator: standardSchema, handlers });
const invalid = denyInvalid(({ issues }) => reply(400, { error: issues.map(({ message }) => message).join() }));
const failure = { schema: z.object({ error: z.string() }) };
const look = (create: () => FuzzableApp, options: Partial<FuzzOptions> = {}) =>
  fuzz(create, { fc, runs: 8, ...options });
const only = (faults: readonly Fault[]): Fault => {
  assertEquals(faults.length, 1, faults.map(({ fault }) => fault).join("\n"));
  return faults[0] as Fault;
};

describe("the report of an error", () => {
  const due = (days: number) => new Date(days * 864e5).toISOString();
  const create = () =>
    setup({
      validator: standardSchema,
      onError: () => reply(500, { error: "Sorry" }),
      handlers: [
        route.get("/due", {
          request: { query: z.object({ days: z.coerce.number().int() }) },
          responses: { 200: { schema: z.string() }, 400: failure, 500: failure },
          guards: [invalid],
          resolve: ({ input }) => reply(200, due(input.query.days)),
        }),
      ],
    });

  it("says what reached onError, where it was thrown, what was sent instead, and the rule", async () => {
    const { kind, endpoint, fault, rule, response, error, requests, seed } = only(await look(create));
    assertEquals([kind, endpoint, seed], ["fails", "GET /due", 1]);
    // This module, or the bundle that it is in. Workers do not tell its name.
    const [, module = "worker.test"] = /([^/]+)\.[a-z]+$/.exec(String(import.meta.url)) ?? [];
    const thrown = `RangeError: [^\\n]+ at \\S*${module}\\.[a-z]+:\\d+$`;
    assertMatch(fault, new RegExp(`^GET /due: responds with 500: ${thrown}`));
    assertMatch(error ?? "", new RegExp(`^${thrown}`));
    assertEquals(response, { status: 500, body: '{"error":"Sorry"}' });
    assertEquals(
      rule,
      "The app responds with a status from 500 on, or a handler of a socket throws. A declared 503 with `Retry-After` is not a fault.",
    );
    assertMatch(requests.join(), /^await fetch\("http:\/\/localhost:8000\/due\?days=-?\d+"\)$/);
  });

  it("names an error without a place by its message", async () => {
    const create = () =>
      setup({
        onError: () => reply(500),
        handlers: [
          route.get("/", {
            responses: { 500: {} },
            resolve: () => {
              throw Object.assign(new Error("lost"), { stack: undefined });
            },
          }),
        ],
      });
    const { fault, error } = only(await look(create));
    assertEquals([fault, error], ["GET /: responds with 500: Error: lost", "Error: lost"]);
  });

  it("sees the error through a function around app.fetch", async () => {
    const wrapped = () => {
      const { routes, fetch } = create();
      return { routes, fetch: (request: Request) => Promise.resolve(fetch(request)) };
    };
    assertMatch(only(await look(wrapped)).error ?? "", /^RangeError/);
  });

  it("tells two errors apart that get the same response", async () => {
    const create = () =>
      setup({
        validator: standardSchema,
        onError: () => reply(500),
        handlers: [
          route.get("/", {
            request: { query: z.object({ a: z.enum(["1", "2"]) }) },
            responses: { 400: {}, 500: {} },
            guards: [denyInvalid(() => reply(400))],
            resolve: ({ input }) => {
              if (input.query.a === "1") throw new TypeError("the first");
              throw new TypeError("the second");
            },
          }),
        ],
      });
    const messages = (await look(create)).map(({ error = "" }) => /the \w+/.exec(error)?.[0]);
    assertEquals(messages.toSorted(), ["the first", "the second"]);
  });

  it("follows the causes of what app.fetch rejects with", async () => {
    const create = () =>
      serve(route.get("/", {
        resolve: () => {
          throw new Error("Cannot read the note", { cause: new RangeError("disk", { cause: "full" }) });
        },
      }));
    const { error = "", response } = only(await look(create, { runs: 1 }));
    assertEquals(response, undefined);
    assertMatch(
      error,
      /^Error: Cannot read the note at \S+:\d+, caused by RangeError: disk at \S+:\d+, caused by what is no error: full$/,
    );
  });
});

describe("the report of a fault", () => {
  const TOKEN = `Bearer ${"t0ken".repeat(80)}`;

  it("has the beginning of a long body", async () => {
    const create = () =>
      serve(
        route.get("/", { responses: { 200: { schema: z.literal("short") } }, resolve: () => long("a".repeat(600)) }),
      );
    const long = (text: string) => Response.json(text) as never;
    assertEquals(only(await look(create, { runs: 1 })).response, {
      status: 200,
      body: `"${"a".repeat(499)}… (602 characters)`,
    });
  });

  it("has the shortest list that shows it, with the simplest items", async () => {
    const create = () =>
      serve(route.post("/", {
        request: { body: z.object({ counts: z.array(z.int()).max(9), name: z.string().optional() }) },
        responses: { 204: {}, 400: failure },
        guards: [invalid],
        resolve: ({ input }) => reply(input.body.counts.length > 1 ? 205 as never : 204),
      }));
    assertMatch(only(await look(create)).requests.join(), /body: JSON\.stringify\(\{"counts":\[0,0\]\}\) \}\)$/);
  });

  it("names the rule of the schema that was broken", async () => {
    const create = () =>
      serve(route.post("/", {
        request: { body: z.object({ title: z.string().max(3) }) },
        responses: { 201: {} },
        resolve: () => reply(201),
      }));
    const { fault, rule } = only(await look(create));
    assertEquals(fault, "POST /: accepts invalid body with 201");
    assertMatch(rule, /^A request that a schema rejects gets a status from 200 to 299\. .+ body: /);
  });

  it("names credentials by their actor, wherever they are", async () => {
    const create = () =>
      serve(
        route.get("/me", {
          responses: { 200: { schema: z.object({ name: z.string() }) }, 401: {} },
          guards: [beforeBody((c: Context) => {
            const token = c.request.headers.get("authorization");
            return token === TOKEN ? allow({ token }) : deny(reply(401));
          })],
          resolve: (c) => Response.json({ name: "Ada", token: c.locals.token.replace("Bearer ", "") }) as never,
        }),
      );
    const fault = only(await look(create, { actors: { ada: { authorization: TOKEN, origin: "http://a" } } }));
    assertEquals(fault.requests, [
      'await fetch("http://localhost:8000/me", { headers: { authorization: "<ada>", origin: "http://a" } })' +
      " // <ada>: what the actor ada sends",
    ]);
    assertEquals(fault.response, { status: 200, body: '{"name":"Ada","token":"<ada>"}' });
    assert(!JSON.stringify(fault).includes("t0ken"));
  });

  it("has bodies as code of the same value, with escapes for what cannot be seen", async () => {
    const cases = [
      ['{"a":1}', 'JSON.stringify({"a":1})'],
      ['{ "a":1}', '"{ \\"a\\":1}"'],
      ['{"__proto__":1}', '"{\\"__proto__\\":1}"'], // would set the prototype
      ["{", '"{"'],
      ["a\u202e\0😀", '"a\\u202e\\u0000😀"'],
    ] as const;
    for (const [body, code] of cases) {
      const create = () =>
        serve(route.post("/", {
          request: { body: z.literal(body), bodyReader: text },
          responses: { 204: {}, 400: failure },
          guards: [invalid],
          resolve: () => reply(205 as never),
        }));
      assertEquals(only(await look(create, { runs: 1 })).requests, [
        'await fetch("http://localhost:8000/", { method: "POST", headers: { "content-type": "text/plain" }, ' +
        `body: ${code} })`,
      ]);
    }
  });

  it("says what to replace where an id is another one in each app", async () => {
    const create = () => {
      const all = new Set<string>();
      return serve(
        route.post("/notes", {
          responses: { 201: { schema: z.object({ id: z.string() }) } },
          resolve: () => {
            const id = crypto.randomUUID();
            all.add(id);
            return reply(201, { id });
          },
        }),
        route.get("/notes/:id", {
          responses: { 204: {}, 404: {} },
          resolve: ({ raw }) => all.has(raw.params.id) ? reply(205 as never) : reply(404),
        }),
      );
    };
    const { requests } = only(await look(create));
    const [add = "", show = ""] = requests;
    assertEquals(add, 'await fetch("http://localhost:8000/notes", { method: "POST" })');
    assertMatch(
      show,
      /^await fetch\("http:\/\/localhost:8000\/notes\/([\da-f-]+)"\) \/\/ replace "\1" by the id of response 1$/,
    );
  });

  it("says what to replace where a cookie is another one in each app", async () => {
    const create = () => {
      const session = crypto.randomUUID();
      return serve(
        route.post("/sign-in", {
          responses: { 204: {} },
          resolve: () => reply(204, undefined, { headers: { "set-cookie": `session=${session}` } }),
        }),
        route.get("/me", {
          responses: { 200: {}, 401: {} },
          resolve: ({ request }) => reply(request.headers.get("cookie") === `session=${session}` ? 202 as never : 401),
        }),
      );
    };
    assertMatch(
      only(await look(create)).requests.at(-1) ?? "",
      / \/\/ replace values that the app creates anew in each run$/,
    );
  });

  it("says that an hour has passed where a limit has refused the request", async () => {
    const create = (clock: () => number) => {
      const start = clock();
      return serve(route.get("/", {
        responses: { 200: { schema: z.literal(1) }, 429: {} },
        resolve: () => clock() - start > 3_000_000 ? Response.json(2) as never : reply(429),
      }));
    };
    const { requests } = only(await fuzz(({ clock }) => create(clock), { fc, runs: 1 }));
    assertEquals(requests, ['await fetch("http://localhost:8000/") // an hour later than the request before']);
  });
});

describe("what was reached", () => {
  const create = () =>
    serve(
      route.get("/a", { responses: { 200: { schema: z.literal("a") }, 404: {} }, resolve: () => reply(200, "a") }),
      route.get("/b", { responses: { 204: {}, "4XX": {} }, resolve: () => reply(410 as never) }),
    );
  const skip = { "GET /b never got past 4xx": "gone" };

  it("is how often each endpoint sent each status, also those that it never sent", async () => {
    const faults = await look(create, { runs: 2, skip });
    assertEquals(faults, []); // an assertion of no faults does not see it
    const { "GET /a": a, "GET /b": b } = faults.reached ?? {};
    assertEquals(a, { 200: a?.[200] ?? 0, 404: 0 });
    assertEquals(b, { 204: 0, 410: b?.[410] ?? 0 });
    assert((a?.[200] ?? 0) > 20 && (b?.[410] ?? 0) > 20);
  });

  it("is printed by an assertion that fails, with each fault and for all endpoints", async () => {
    const faults = await look(create, { runs: 2 });
    assertEquals(only(faults).reached, faults.reached?.["GET /b"]);
    const { message: printed } = assertThrows(() => assertEquals(faults, []), Error);
    // deno-lint-ignore no-control-regex -- without NO_COLOR, it has the codes of colors
    const message = printed.replaceAll(/\x1b\[\d+m/g, "");
    assertStringIncludes(message, "never got past 410");
    if ("Deno" in globalThis) assertMatch(message, /"GET \/a": \{\s*-?\s*"200": \d+,\s*-?\s*"404": 0/);
  });
});

describe("the faults", () => {
  it("are printed with what was reached", async () => {
    const create = () => serve(route.get("/", { responses: { 204: {} }, resolve: () => reply(205 as never) }));
    const faults = await look(create, { runs: 1 });
    assertMatch(inspect(faults), /^\[\s+\{\s+kind: [^]+\]\s+reached: \{ 'GET \/': \{ '204': 0, '205': \d+ \} \}$/);
  });
});

describe("an endpoint that no request got past its 4xx", () => {
  const looked = (resolve: (c: Context) => Response, responses = { 201: {}, 400: failure }) => () =>
    serve(route.post("/", {
      request: { body: z.object({ title: z.string().max(9) }) },
      responses,
      resolve: (c) => resolve(c as Context) as never,
    }));

  it("is a fault, with the first reason", async () => {
    const create = looked(({ input }) => reply(400, { error: input.ok ? "no Idempotency-Key" : "invalid" }));
    const { kind, fault, response } = only(
      await look(create, { skip: { "POST / refuses valid input": "tested below" } }),
    );
    assertEquals(kind, "never got past 4xx");
    assertMatch(
      fault,
      /^POST \/: never got past 400: \{"error":"no Idempotency-Key"\}\. \d+ requests got 400 \(\d+\): declare what else/,
    );
    assertEquals(response, { status: 400, body: '{"error":"no Idempotency-Key"}' });
  });

  it("is one with the beginning of a long reason", async () => {
    const create = looked(({ input }) => reply(400, { error: input.ok ? "a".repeat(300) : "invalid" }));
    const { fault } = only(await look(create, { skip: { "POST / refuses valid input": "tested below" } }));
    assertMatch(fault, /never got past 400: \{"error":"a{190}…\. \d+ requests/);
  });

  it("is one whose precondition nobody can fulfil, also where some requests find nothing", async () => {
    let count = 0;
    const create = looked(() => reply(++count % 4 === 0 ? 404 : 412), { 204: {}, 404: {}, 412: {} } as never);
    assertMatch(only(await look(create)).fault, /^POST \/: never got past 412: the response has no body\. /);
  });

  it("is one for which no valid value is generated, and says what is wrong with them", async () => {
    const create = () =>
      serve(route.post("/", {
        request: { body: z.string().refine((text) => text === "open sesame", "not the word") },
        responses: { 201: {}, 400: failure },
        guards: [invalid],
        resolve: () => reply(201),
      }));
    assertMatch(
      only(await look(create)).fault,
      /^POST \/: never got past 400: \{"error":"[^"]+"\}; body: .+: no generated value fits the schemas/,
    );
  });

  it("is none if only things are missing, if one request got past, or if it declares refusals only", async () => {
    let count = 0;
    assertEquals(await look(looked(() => reply(404), { 201: {}, 404: {} } as never)), []);
    const rarely = looked(() => reply(++count % 5 < 2 ? 409 : 404), { 201: {}, 404: {}, 409: {} } as never);
    assertEquals(await look(rarely, { runs: 1 }), []);
    assertEquals(await look(looked(() => reply(++count % 7 === 0 ? 404 : 415), { 201: {}, "4XX": {} } as never)), []);
    const lucky = looked(() => reply(++count % 30 === 0 ? 201 : 400), { 201: {}, 400: {} } as never);
    const skip = { "POST / refuses valid input": "by chance", "POST / accepts invalid input": "by chance" };
    assertEquals(await look(lucky, { skip }), []);
    assertEquals(await look(looked(() => reply(405), { 405: {} } as never)), []);
  });

  it("is none after fewer than 20 requests, nor where nobody has credentials", async () => {
    const two = () =>
      serve(
        ...["/a", "/b"].map((path) => route.get(path, { responses: { 200: {}, 410: {} }, resolve: () => reply(410) })),
      );
    assertEquals(await look(two, { runs: 1 }), []);
    assertEquals(await look(looked(() => reply(401), { 201: {}, 401: {} } as never)), []);
  });
});
