import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import "../standard_schema/arktype_jitless.ts";
import { toJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { z } from "zod";
import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { events, lines, replyEvents, replyLines } from "../../../src/events/mod.ts";
import { decompressed, form, json, optional } from "../../../src/body/mod.ts";
import { limit } from "../../../src/rate_limit/mod.ts";
import { rateLimitStore } from "../../../src/memory/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, type FuzzableApp, type FuzzOptions } from "../../../src/testing/mod.ts";

type Handlers = NonNullable<Parameters<typeof setup>[0]["handlers"]>;

const serve = (...handlers: Handlers): App => setup({ validator: standardSchema, handlers });
const JSON_TYPE = { headers: { "content-type": "application/json" } };
const TEXT_TYPE = { headers: { "content-type": "text/plain" } };
const invalid = denyInvalid(() => reply(400));
const look = (create: () => FuzzableApp, options: Partial<FuzzOptions> = {}) =>
  fuzz(create, { fc, runs: 8, ...options });
const faultsOf = async (create: () => FuzzableApp, options?: Partial<FuzzOptions>) =>
  (await look(create, options)).map(({ fault }) => fault);

/** Sends the requests of a report, as somebody who pastes them, and returns the last status. Workers run no such code. */
async function paste(requests: readonly string[], app: App, expected: number): Promise<number> {
  const send = (url: string, init?: RequestInit) => app.fetch(new Request(url, init));
  if (globalThis.navigator?.userAgent === "Cloudflare-Workers") return expected;
  const run = new Function(
    "fetch",
    `return (async () => { let last; ${requests.map((line) => `last = ${line};`).join("\n")} return last; })()`,
  );
  const { status }: Response = await run(send);
  return status;
}

describe("fuzz() of an app that asks for credentials", () => {
  /** An app of its own sessions: a token is made by a sign-in, and ends with the app. */
  const create = () => {
    const tokens = new Map<string, string>();
    const signedIn = beforeBody(({ request }: Context) => {
      const user = tokens.get(request.headers.get("authorization") ?? "");
      return user === undefined ? deny(reply(401)) : allow({ user });
    });
    const app = serve(
      route.get("/secret", {
        responses: { 200: { schema: z.string().max(1) }, 401: {} },
        guards: [signedIn],
        resolve: () => reply(200, "long"),
      }),
    );
    return { ...app, signIn: (user: string) => void tokens.set(`Bearer ${user} ${count}`, user) };
  };
  let count = 0;

  it("says that nobody was let in: an empty list would say nothing about the app", async () => {
    const wrong = { ada: { authorization: "Bearer nobody" } };
    const [report, ...others] = await look(create, { actors: wrong });
    assertEquals(others, []);
    const { fault = "", reached, ...rest } = report ?? {};
    assertMatch(
      fault,
      /^GET \/secret: lets none of (\d+) requests in, with 401 \(\1\): add an actor whom it lets in, or put the endpoint into skip$/,
    );
    assertEquals(reached?.[200], 0);
    assertEquals(rest, {
      kind: "lets nobody in",
      endpoint: "GET /secret",
      rule: "With `actors`, at least 20 requests were sent and all were rejected, most with 401 or 403. " +
        "So the code behind the guards is not tested.",
      response: { status: 401, body: "" },
      requests: [
        'await fetch("http://localhost:8000/secret", { headers: { authorization: "<ada>" } })' +
        " // <ada>: what the actor ada sends",
      ],
      seed: 1,
    });
    const skip = { "GET /secret lets nobody in": "nobody may" };
    assertEquals(await look(create, { actors: wrong, skip }), []);
  });

  it("does not say so without actors, since nobody is meant to be let in", async () => {
    assertEquals(await look(create), []);
  });

  it("counts each status, the most frequent first", async () => {
    let requests = 0;
    const refuse = () => ++requests % 3 === 0 ? reply(422) : requests % 10 === 1 ? reply(400) : reply(403);
    const create = () => serve(route.get("/", { responses: { 403: {}, 422: {}, 400: {} }, resolve: refuse }));
    const [fault = ""] = await faultsOf(create, { runs: 3, actors: { ada: {} } });
    assertMatch(
      fault,
      /^GET \/: lets none of \d+ requests in, with 403 \(\d+\), 422 \(\d+\), 400 \(\d+\): add an actor/,
    );
  });

  it("says that all are refused for what no schema says, such as a header", async () => {
    const create = (name: string) => () =>
      serve(route.post("/", {
        request: { headers: z.object({ [name]: z.string().regex(/^[a-z]{1,9}$/) }) },
        responses: { 201: {}, 400: {} },
        resolve: ({ input, request }) =>
          reply(input.ok && request.headers.has("idempotency-key") ? 201 : 400, undefined),
      }));
    const options = { actors: { ada: {} }, skip: { "POST / refuses valid input": "looks at the header" } };
    assertMatch(
      (await faultsOf(create("x-other"), options)).join("\n"),
      /^POST \/: never got past 400: the response has no body\. \d+ requests got 400 \(\d+\): declare what else the endpoint needs/,
    );
    assertEquals(await look(create("idempotency-key"), options), []);
  });

  it("does not say so after fewer than 20 requests, nor if others were let in, or not found", async () => {
    const refusing = (status: 401 | 404, every: number, missing = Infinity) => () => {
      let requests = 0;
      return serve(route.get("/", {
        responses: { 204: {}, 401: {}, 404: {} },
        resolve: () => ++requests % every === 0 ? reply(204) : requests % missing === 0 ? reply(404) : reply(status),
      }));
    };
    const actors = { ada: {} };
    assertEquals((await look(refusing(401, Infinity), { actors, runs: 1 })).length, 1);
    assertEquals(await look(refusing(404, Infinity), { actors }), []);
    assertEquals(await look(refusing(401, 30), { actors }), []);
    assertEquals(await look(refusing(401, Infinity, 10), { actors }), []);
    const two = () =>
      serve(...["/a", "/b"].map((path) => route.get(path, { responses: { 401: {} }, resolve: () => reply(401) })));
    assertEquals(await look(two, { actors, runs: 1 }), []);
  });

  it("signs actors in to each app, by a function that returns their headers", async () => {
    let made = 0;
    const faults = await fuzz(() => (made++, create()), {
      fc,
      runs: 2,
      actors: {
        ada: (app) => {
          count++;
          (app as ReturnType<typeof create>).signIn("ada");
          return Promise.resolve({ authorization: `Bearer ada ${count}` });
        },
      },
    });
    assertEquals(faults.map(({ kind }) => kind), ["undeclared"]);
    assertEquals(count, made - 1); // the first app only lists the routes
  });
});

describe("fuzz()", () => {
  const notes = (mayKeep: boolean) => {
    const all = new Map<string, string>();
    let last = 0;
    return serve(
      route.post("/notes", {
        request: { body: z.object({ title: z.string().min(1).max(20), mood: z.enum(["good", "bad"]).optional() }) },
        responses: { 201: { schema: z.object({ id: z.string() }) }, 400: {} },
        guards: [invalid],
        resolve: ({ input }) => {
          all.set(String(++last), input.body.title);
          return reply(201, { id: String(last) });
        },
      }),
      route.get("/notes/:id", {
        responses: { 200: { schema: z.object({ title: z.string() }) }, 404: {} },
        resolve: ({ raw }) => {
          const title = all.get(raw.params.id);
          return title === undefined ? reply(404) : reply(200, { title });
        },
      }),
      route.delete("/notes/:id", {
        responses: { 204: {}, 404: {} },
        resolve: ({ raw }) => {
          if (!all.has(raw.params.id)) return reply(404);
          if (!mayKeep) all.delete(raw.params.id);
          return reply(204);
        },
      }),
    );
  };

  it("reports a fault with the shortest requests that show it, which can be pasted", async () => {
    const faults = await look(() => notes(true), { runs: 20 });
    assertEquals(faults.map(({ fault }) => fault), ["GET /notes/:id: is still there after its DELETE"]);
    const [fault] = faults;
    assert(fault !== undefined);
    const { kind, endpoint, requests, seed } = fault;
    assertEquals([kind, endpoint, seed], ["is there after DELETE", "GET /notes/:id", 1]);
    assertEquals(requests.map((line) => line.replace(/"title":"[^"]*"/, '"title":"a"')), [
      'await fetch("http://localhost:8000/notes", ' +
      '{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({"title":"a"}) })',
      'await fetch("http://localhost:8000/notes/1", { method: "DELETE" })',
      'await fetch("http://localhost:8000/notes/1")',
    ]);
    assertEquals(await paste(requests, notes(true), 200), 200);
    assertEquals(await paste(requests, notes(false), 404), 404);
  });

  it("sends several segments as the value of :name+, and one as that of :name", async () => {
    const names = z.object({ name: z.string().regex(/^[ab](\/[ab])?$/) });
    const create = () => {
      const resolve = (c: Context) => {
        if (c.raw.params.name?.includes("/")) throw new Error(`several at ${c.route.path}`);
        return reply(204);
      };
      const responses = { 204: {}, 400: {} };
      return serve(
        route.get("/one/:name", { responses, resolve }),
        route.get("/many/:name+/end", { responses, resolve }),
        route.get("/checked/:name+", { request: { params: names }, responses, guards: [invalid], resolve }),
      );
    };
    const faults = await faultsOf(create);
    const found = faults.map((fault) => /several at \S+/.exec(fault)?.[0]);
    assertEquals(found.toSorted(), ["several at /checked/:name+", "several at /many/:name+/end"]);
  });

  it("sends the same requests if a schema has an id, to which references lead", async () => {
    const requestsOf = async (named: <T extends z.ZodType>(schema: T, id: string) => T) => {
      const sent: string[] = [];
      const kind = named(z.enum(["cat", "dog"]), "Kind");
      const body = named(z.object({ name: z.string().min(1), kind, age: z.int().max(99).optional() }), "Pet");
      const query = named(z.object({ limit: z.coerce.number().int().max(9).optional() }), "Page");
      const pet = named(z.object({ id: z.string(), role: named(z.enum(["free", "paid"]), "Role") }), "Shown");
      const add = route.post("/pets", {
        request: { query, body },
        responses: { 201: { schema: z.object({ pet }) }, 400: {} },
        resolve: ({ request: { url }, input, raw }) => {
          sent.push(`${url} ${JSON.stringify(raw.body)}`);
          return input.ok ? reply(201, { pet: { id: "1", role: "free" } }) : reply(400);
        },
      });
      assertEquals(await faultsOf(() => serve(add), { runs: 30 }), []);
      return sent;
    };
    const plain = await requestsOf((schema) => schema);
    assertEquals(await requestsOf((schema, id) => schema.meta({ id })), plain);
    assert(plain.some((text) => text.includes('"kind":') && !text.includes("cat") && !text.includes("dog")));
  });

  it("takes the text of a Date for one, in a response", async () => {
    const show = route.get("/now", {
      responses: { 200: { schema: z.object({ at: z.date() }) } },
      resolve: () => reply(200, { at: new Date(0) }),
    });
    assertEquals(await faultsOf(() => serve(show)), []);
  });

  it("sends no parameter that the router matches with no route: its 404 is not the app's", async () => {
    const id = z.enum([".\\x", "x\\..", "a\\.\\b", "a\\b", "a"]);
    const show = route.get("/things/:id", {
      request: { params: z.object({ id }) },
      responses: { 200: { schema: id }, 400: {} },
      guards: [invalid],
      resolve: ({ input }) => reply(200, input.params.id),
    });
    assertEquals(await faultsOf(() => serve(show)), []);
  });

  it("finds valid values of parameters whose names every object inherits, though few values are valid", async () => {
    const few = z.string().refine((text) => text.length < 2);
    const find = route.get("/find", {
      request: { query: z.object({ constructor: few, toString: few }) },
      guards: [invalid],
      resolve: () => {
        throw new Error("reached");
      },
    });
    const [fault = "", ...others] = await faultsOf(() => serve(find));
    assertStringIncludes(fault, "GET /find: throws Error: reached");
    assertEquals(others, []);
  });

  it("sends a text as JSON to a reader of JSON", async () => {
    const bodyReader = decompressed(json, { maxBodyBytes: 1024 });
    const names = new Set<string>();
    const create = () =>
      serve(route.post("/names", {
        request: { body: z.enum(["ada", "bob"]), bodyReader },
        responses: { 204: {}, 400: {} },
        guards: [invalid],
        resolve: ({ input }) => (names.add(input.body), reply(204)),
      }));
    assertEquals(await look(create), []);
    assertEquals([...names].toSorted(), ["ada", "bob"]);
  });

  it("sends a body that may be absent, and leaves it out", async () => {
    for (const bodyReader of [optional(json), optional(form)]) {
      const seen = new Set<string>();
      const create = () =>
        serve(route.post("/cancel", {
          request: { body: z.object({ reason: z.string() }).optional(), bodyReader },
          responses: { 204: {}, 400: {} },
          guards: [invalid],
          resolve: ({ input }) => (seen.add(typeof input.body), reply(204)),
        }));
      assertEquals(await look(create), []);
      assertEquals([...seen].toSorted(), ["object", "undefined"]);
    }
    const refuses = () =>
      serve(route.post("/cancel", {
        request: { body: z.object({ reason: z.string() }).optional(), bodyReader: optional(json) },
        responses: { 204: {}, 400: { schema: z.literal("invalid") } },
        resolve: ({ input }) => input.ok && input.body !== undefined ? reply(204) : reply(400, "invalid"),
      }));
    assertEquals(await faultsOf(refuses), ["POST /cancel: refuses valid input with 400, as if it were invalid"]);
  });

  it("asks for each of several media types of a status by Accept, and for none", async () => {
    const asked = new Set<string | null>();
    const create = () =>
      serve(
        route.get("/notes", {
          responses: { 200: [{ schema: z.array(z.string()) }, { contentType: "text/csv" }], 404: {} },
          resolve: ({ request }) => {
            const accept = request.headers.get("accept");
            asked.add(accept);
            // Wrong: a text that is called JSON.
            return accept === "text/csv" ? reply(200, new Response("a", JSON_TYPE)) : reply(200, []);
          },
        }),
        route.get("/plain", {
          responses: { 200: { contentType: "text/plain" } },
          resolve: ({ request }) =>
            reply(200, request.headers.has("accept") ? new Response("", JSON_TYPE) : new Response("a", TEXT_TYPE)),
        }),
      );
    const [report, ...others] = await look(create);
    assertEquals(others, []);
    assertEquals(report?.fault, "GET /notes: response 200 must be JSON: received a body that is not");
    assertEquals(report?.requests, [
      'await fetch("http://localhost:8000/notes", { headers: { accept: "text/csv" } })',
    ]);
    assertEquals([...asked].toSorted(), ["application/json", null, "text/csv"]);
  });

  it("reports nothing where there is nothing, and the same for the same seed", async () => {
    assertEquals(await look(() => notes(false), { runs: 30 }), []);
    assertEquals(await look(() => notes(true), { seed: 5 }), await look(() => notes(true), { seed: 5 }));
  });

  it("names what was thrown, and where", async () => {
    const [fault, ...others] = await look(() =>
      serve(route.get("/due", {
        request: { query: z.object({ days: z.coerce.number().int() }) },
        responses: { 200: { schema: z.object({ at: z.string() }) }, 400: {} },
        guards: [invalid],
        resolve: ({ input }) => reply(200, { at: new Date(input.query.days * 864e5).toISOString() }),
      }))
    );
    assertEquals(others, []);
    assertEquals(fault?.kind, "throws");
    assertMatch(fault?.fault ?? "", /^GET \/due: throws RangeError: .+ at .*:\d+$/);
  });

  it("finds a status from 500 on, unless it is a declared 503 with Retry-After", async () => {
    const respond = (status: 500 | 503, headers: Record<string, string>) => () =>
      serve(route.get("/", {
        responses: { 500: {}, 503: {} },
        resolve: () => reply(status, undefined, { headers }),
      }));
    assertEquals(await faultsOf(respond(500, {})), ["GET /: responds with 500"]);
    assertEquals(await faultsOf(respond(503, {})), ["GET /: responds with 503"]);
    assertEquals(await faultsOf(respond(503, { "retry-after": "5" })), []);
  });

  it("reads streams to a bound, and checks their items", async () => {
    const stream = (isWrong: boolean) => () =>
      serve(
        route.get("/events", {
          responses: { 200: events({ count: z.int() }) },
          resolve: () =>
            replyEvents(200, async function* (signal, event) {
              for (let count = 0; !signal.aborted; count++) {
                yield event("count", isWrong && count === 3 ? "three" as never : count);
              }
            }),
        }),
        route.get("/waits", {
          responses: { 200: events({ count: z.int() }) },
          resolve: () =>
            replyEvents(200, async function* (signal, event) {
              yield event("count", 1);
              await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
            }),
        }),
        route.get("/lines", {
          responses: { 200: lines(z.int()) },
          resolve: () => replyLines(200, isWrong ? [1, "2" as never] : [1, 2]),
        }),
      );
    assertEquals(await faultsOf(stream(false), { runs: 2 }), []);
    assertEquals((await faultsOf(stream(true), { runs: 2 })).toSorted(), [
      "GET /events: item 4 of response 200 must fit its schema: Invalid input: expected number, received string",
      "GET /lines: item 2 of response 200 must fit its schema: Invalid input: expected number, received string",
    ]);
  });

  it("sends forms with files, headers and cookies", async () => {
    const seen = new Set<string>();
    const create = () =>
      serve(
        route.post("/files", {
          request: {
            headers: z.object({ "x-kind": z.enum(["a", "b"]) }),
            cookies: z.object({ theme: z.enum(["dark", "light"]).optional() }),
            body: z.object({ name: z.string().max(10), file: z.file().mime(["image/gif"]) }),
            bodyReader: form,
          },
          responses: { 201: {}, 400: {} },
          guards: [invalid],
          resolve: ({ input }) => {
            seen.add(`${input.headers["x-kind"]} ${input.cookies.theme} ${input.body.file.type}`);
            return reply(201);
          },
        }),
        route.post("/texts", {
          request: { body: z.object({ name: z.string().max(10) }), bodyReader: form },
          responses: { 201: {}, 400: {} },
          resolve: ({ input }) => input.ok ? reply(201) : reply(201),
        }),
      );
    const faults = await look(create);
    assertEquals(faults.map(({ fault }) => fault), ["POST /texts: accepts invalid body with 201"]);
    assertEquals([...seen].toSorted(), [
      "a dark image/gif",
      "a light image/gif",
      "a undefined image/gif",
      "b dark image/gif",
      "b light image/gif",
      "b undefined image/gif",
    ]);
  });

  it("gives the app a clock that passes limits, and a seed", async () => {
    const seeds = new Set<number>();
    const times: number[] = [];
    const faults = await fuzz(({ clock, seed }) => {
      seeds.add(seed);
      let since = clock();
      let left = 3;
      return serve(route.get("/", {
        responses: { 200: {}, 429: {} },
        resolve: () => {
          times.push(clock());
          if (clock() - since > 60_000) [since, left] = [clock(), 3];
          return left-- > 0 ? reply(200) : reply(429);
        },
      }));
    }, { fc, seed: 9, runs: 1 });
    assertEquals(faults, []);
    assertEquals([...seeds], [9]);
    assert(times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) >= 3_600_000));
  });

  it("goes on where a limit stays", async () => {
    const store = rateLimitStore({ most: 10 });
    const create = () =>
      serve(route.get("/", {
        responses: { 200: {}, 429: {} },
        guards: [
          limit({
            name: "all",
            quota: 2,
            window: 60,
            store,
            key: () => "",
            refuse: () => reply(429),
            whenStoreFails: () => {},
          }),
        ],
        resolve: () => reply(200),
      }));
    assertEquals(await faultsOf(create, { runs: 1 }), []);
  });

  it("keeps the cookies of the user that nobody names, and sends none for nobody", async () => {
    const create = (isOpen: boolean) => () =>
      serve(
        route.post("/sign-in", {
          responses: { 204: {} },
          resolve: () => reply(204, undefined, { headers: { "set-cookie": "session=1; Path=/" } }),
        }),
        route.post("/sign-out", {
          responses: { 204: {} },
          resolve: () => reply(204, undefined, { headers: { "set-cookie": "session=; Max-Age=0" } }),
        }),
        route.get("/me", {
          docs: { security: [{ session: [] }] },
          responses: { 200: { schema: z.object({ n: z.int() }) }, 401: {} },
          resolve: ({ request }) => {
            if (request.headers.get("cookie") === "session=1") return reply(200, { n: isOpen ? 1 : 2 ** 60 });
            return isOpen ? reply(200, { n: 1 }) : reply(401);
          },
        }),
      );
    assertEquals(await faultsOf(create(true)), [
      "GET /me: responds with 200 to a request without credentials, and declares security",
    ]);
    const [fault] = await look(create(false));
    assertEquals(fault?.kind, "undeclared");
    assertMatch(fault?.requests.join("\n") ?? "", /sign-in.*\n.*me", \{ headers: \{ cookie: "session=1" \} \}\)$/);
  });

  it("says who reads and changes whose things, unless the endpoint is shared or for everybody", async () => {
    const create = () => {
      const all = new Map<number, { readonly id: number; readonly text: string; readonly owner: string }>();
      const signedIn = beforeBody((c: Context) => {
        const user = c.request.headers.get("x-user");
        return user === null ? deny(reply(401)) : allow({ user });
      });
      const own = route.with({
        guards: [signedIn],
        docs: { security: [{ user: [] }] },
        responses: { 401: {}, 404: {} },
      });
      const show = (id: string) => {
        const { owner: _, ...found } = all.get(Number(id)) ?? { id: 0, text: "", owner: "" };
        return found.id === 0 ? reply(404) : reply(200, found);
      };
      const note = { schema: z.object({ id: z.int(), text: z.string() }) };
      return serve(
        own.post("/notes", {
          guards: [invalid],
          request: { body: z.object({ text: z.string().max(9) }) },
          responses: { 201: note, 400: {} },
          resolve: ({ input: { body }, locals: { user } }) => {
            const made = { id: all.size + 1, text: body.text };
            all.set(made.id, { ...made, owner: user });
            return reply(201, made);
          },
        }),
        own.get("/notes/:id", { responses: { 200: note }, resolve: ({ raw }) => show(raw.params.id) }),
        own.get("/shared/notes/:id", { responses: { 200: note }, resolve: ({ raw }) => show(raw.params.id) }),
        route.get("/public/notes/:id", {
          docs: { security: [] },
          responses: { 200: note, 404: {} },
          resolve: ({ raw }) => show(raw.params.id),
        }),
        own.delete("/notes/:id", {
          responses: { 204: {} },
          resolve: ({ raw }) => all.delete(Number(raw.params.id)) ? reply(204) : reply(404),
        }),
      );
    };
    const actors = { ada: { "x-user": "ada" }, bob: { "x-user": "bob" } };
    const shared = ["GET /shared/notes/:id"];
    const faults = await look(create, { actors, shared, runs: 20 });
    const [reads = "", changes = "", ...others] = faults.map(({ fault }) => fault).toSorted().toReversed();
    assertMatch(reads, /^GET \/notes\/:id: (?:ada reads what bob|bob reads what ada) has made by POST \/notes$/);
    assertMatch(
      changes,
      /^DELETE \/notes\/:id: (?:ada changes what bob|bob changes what ada) has made by POST \/notes$/,
    );
    assertEquals(others, []);
    assertEquals(
      await look(create, { actors, runs: 20, shared: [...shared, "GET /notes/:id", "DELETE /notes/:id"] }),
      [],
    );
  });

  it("leaves out endpoints and kinds of faults, with a reason", async () => {
    const create = () =>
      serve(
        route.get("/a", { responses: {}, resolve: () => reply(200 as never) }),
        route.get("/b", { responses: {}, resolve: () => reply(200 as never) }),
        route.all("/c", { responses: {}, resolve: () => reply(200 as never) }),
      );
    const skip = { "GET /a": "old", "GET /b undeclared": "known", "GET /c": "old", "POST /c": "old" };
    assertEquals(await faultsOf(create, { skip, runs: 1 }), []);
    assertEquals((await faultsOf(create, { runs: 1 })).toSorted(), [
      "GET /a: response 200 must be declared: the endpoint declares none",
      "GET /b: response 200 must be declared: the endpoint declares none",
      "GET /c: response 200 must be declared: the endpoint declares none",
      "POST /c: response 200 must be declared: the endpoint declares none",
    ]);
  });

  it("generates for schemas of Zod, Valibot and ArkType, recursive ones too", async () => {
    interface Tree {
      readonly name: string;
      readonly below: readonly Tree[];
    }
    const zodTree: z.ZodType<Tree, Tree> = z.object({
      name: z.string().max(5),
      get below() {
        return z.array(zodTree);
      },
    });
    const valibotTree: v.GenericSchema<Tree> = v.object({
      name: v.pipe(v.string(), v.maxLength(5)),
      below: v.array(v.lazy(() => valibotTree)),
    });
    const arkTree = type.module({ tree: { name: "string <= 5", below: "tree[]" } }).tree;
    for (const body of [zodTree, valibotTree, arkTree]) {
      let deepest = 0;
      const depthOf = (tree: Tree): number => 1 + Math.max(0, ...tree.below.map(depthOf));
      const create = () =>
        serve(route.post("/trees", {
          request: { body: body as typeof zodTree },
          responses: { 201: {}, 400: {}, 409: {} },
          guards: [invalid],
          resolve: ({ input }) => {
            deepest = Math.max(deepest, depthOf(input.body));
            return input.body.name.includes("\0") ? Response.json(null) as never : reply(201);
          },
        }));
      const converts = { toJsonSchema: (schema: unknown) => toJsonSchema(schema as v.GenericSchema) };
      const faults = await faultsOf(create, { runs: 20, ...body === valibotTree ? converts : {} });
      assertEquals(faults, ["POST /trees: response 200 must be declared: the endpoint declares 201, 400, 409"]);
      assert(deepest >= 3, `${deepest} levels`);
    }
  });

  it("rejects wrong options at once", async () => {
    const create = () => serve(route.get("/notes", { resolve: () => new Response() }));
    const rejects = async (options: object, message: string) => {
      const { message: received } = await assertRejects(() => fuzz(create, { fc, ...options }), TypeError);
      assertStringIncludes(received, message);
    };
    await rejects(
      { fc: undefined },
      'Option fc must be the module fast-check: import fc from "fast-check": received undefined',
    );
    await rejects({ seeds: 1 }, "seeds");
    await rejects({ seed: 0.5 }, "Option seed must be a whole number");
    await rejects({ runs: 0 }, "runs");
    await rejects({ actors: [] }, "Option actors must be an object of headers");
    await rejects({ shared: "GET /notes" }, "Option shared must be an array of endpoints");
    await rejects({ shared: ["GET /note"] }, 'such as "GET /notes": received "GET /note"');
    await rejects({ skip: { "GET /notes": "" } }, "Option skip must be an object of reasons");
    await rejects({ skip: { "GET /notes falls": "why" } }, 'or a kind of fault, such as "GET /notes throws"');
    await rejects({ toJsonSchema: true }, "toJsonSchema");
    await assertRejects(() => fuzz(undefined as never, { fc }), TypeError, "Argument create of fuzz");
    await assertRejects(
      () => fuzz(() => ({}) as never, { fc }),
      TypeError,
      "What create returns must be an app of setup",
    );
  });

  it("says which schema cannot be expressed, and passes on what the app's maker throws", async () => {
    const body = v.object({ name: v.string() });
    const create = () => serve(route.post("/", { request: { body }, resolve: () => new Response() }));
    await assertRejects(
      () => fuzz(create, { fc }),
      TypeError,
      "Schema of the body of POST / must be expressible as JSON Schema",
    );
    const broken = () => {
      throw new RangeError("no store");
    };
    await assertRejects(() => fuzz(broken, { fc }), RangeError, "no store");
  });
});
