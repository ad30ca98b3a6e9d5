import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  allow,
  type App,
  beforeBody,
  type Context,
  deny,
  denyInvalid,
  reply,
  route,
  setup,
  type Validator,
} from "../../../mod.ts";
import { file, form, parts, text } from "../../../src/body/mod.ts";
import {
  type IdempotencyOptions,
  type IdempotencyStore,
  idempotent,
  type Refusal,
} from "../../../src/idempotency/mod.ts";
import { idempotencyStore } from "../../../src/memory/mod.ts";
import { github, signed, standardWebhooks } from "../../../src/webhooks/mod.ts";

const STATUSES = { missing: 400, running: 409, mismatch: 422, full: 503 } as const;
/** What `idempotent` needs beside the client. */
const createRest = () => ({
  lifetime: 600,
  perClient: 100,
  store: idempotencyStore({ most: 100 }),
  refuse: (_c: unknown, why: Refusal) => reply(STATUSES[why], { why }),
  whenStoreFails: () => reply(503),
});
/** Accepts anything: what is tested runs after validation. */
const validator: Validator = { validate: (_, value) => ({ ok: true, value }) };

type User = { readonly user: string };
type Options = IdempotencyOptions<User, Response, Response>;

const user = beforeBody(({ request }: Context) => {
  const user = request.headers.get("authorization") ?? "ada";
  return user === "eve" ? deny(reply(401)) : allow({ user });
});

/** An app whose route runs `work`, and what it was asked. */
function createApp(work: (turn: number) => Response | Promise<Response>, options: Partial<Options> = {}) {
  let runs = 0;
  const failures: unknown[] = [];
  const once = idempotent<Response, Response, User>({
    client: (c) => c.locals.user,
    lifetime: 60,
    perClient: 100,
    store: idempotencyStore({ most: 10_000 }),
    refuse: (_c, why) => reply(STATUSES[why], { why }),
    whenStoreFails: (error) => {
      failures.push(error);
      return reply(503, { why: "store" });
    },
    ...options,
  });
  const resolve = once((_c: Context<User>) => work(++runs));
  const request = { body: {} };
  const app: App = setup({
    validator,
    maxBodyBytes: 1_000_000,
    handlers: [
      route.post("/payments", { request, guards: [user], resolve }),
      route.put("/payments", { request, guards: [user], resolve }),
      route.post("/forms", { request: { ...request, bodyReader: form }, guards: [user], resolve }),
      route.post("/bare", { guards: [user], resolve }),
    ],
  });
  const send = async (key: string | undefined, init: RequestInit = {}, path = "/payments") => {
    const headers = { ...key !== undefined && { "idempotency-key": key }, ...init.headers };
    const given = { method: "POST", body: '{"amount":5}', ...init, headers };
    return await app.fetch(new Request(new URL(path, "http://localhost"), given));
  };
  const post = async (...args: Parameters<typeof send>) => {
    const response = await send(...args);
    return [response.status, await response.text()] as const;
  };
  return { send, post, failures, runs: () => runs };
}

const created = (turn: number) => reply(201, { turn });

/** Responses that cannot be kept, and what the error says. */
const UNKEPT: readonly (readonly [string, () => Response | Promise<Response>, string])[] = [
  ["has a body that was read", async () => {
    const response = reply(201, "read");
    await response.text();
    return response;
  }, "must have a body that nobody has read"],
  ["has a body that somebody reads", () => {
    const response = reply(201, "being read");
    response.body?.getReader();
    return response;
  }, ""],
  ["has a stream that fails", () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(1));
          controller.error(new Error("The disk is gone"));
        },
      }),
    ), "The disk is gone"],
  ["has a stream of strings", () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue("text" as never); // as JavaScript may
          controller.close();
        },
      }),
    ), "The stream of an idempotent response must have bytes"],
  ["is Response.error()", () => Response.error(), ""],
];

describe("idempotent()", () => {
  it("runs a request once, and responds to each repeat as to the first", async () => {
    const { send, post, runs } = createApp((turn) =>
      reply(201, { turn }, { headers: [["x-turn", `${turn}`], ["set-cookie", "a=1"], ["set-cookie", "b=2"]] })
    );
    const responses = [await send("a"), await send("a"), await send("a")];
    for (const response of responses) {
      assertEquals(response.status, 201);
      assertEquals(response.headers.get("content-type"), Response.json({}).headers.get("content-type"));
      assertEquals(response.headers.get("x-turn"), "1");
      assertEquals(response.headers.getSetCookie(), ["a=1", "b=2"]);
      assertEquals(await response.json(), { turn: 1 });
    }
    assertEquals(await post("b"), [201, '{"turn":2}']);
    assertEquals(runs(), 2);
  });

  it("keeps a response of any bytes, and one without a body", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const { send } = createApp((turn) => turn === 1 ? new Response(bytes, { status: 203 }) : reply(204));
    for (let turn = 0; turn < 2; turn++) {
      const response = await send("a");
      assertEquals([response.status, new Uint8Array(await response.arrayBuffer())], [203, bytes]);
      const empty = await send("b");
      assertEquals([empty.status, empty.body], [204, null]);
    }
  });

  it("runs one of those that come at the same time", async () => {
    let open = (_response: Response): void => {};
    const gate = new Promise<Response>((resolve) => open = resolve);
    const { post, runs } = createApp(() => gate);
    const statuses: number[] = [];
    await Promise.all(Array.from({ length: 20 }, async () => {
      statuses.push((await post("a"))[0]);
      if (statuses.length === 19) open(reply(201)); // all but the one that runs
    }));
    assertEquals([statuses.slice(0, 19), statuses[19], runs()], [Array(19).fill(409), 201, 1]);
  });

  it("refuses another request under the same key: method, target and body", async () => {
    const { post, runs } = createApp(created);
    assertEquals((await post("a"))[0], 201);
    for (const other of [{ body: '{"amount":6}' }, { method: "PUT" }, { body: '{"amount":5,"more":1}' }]) {
      assertEquals(await post("a", other), [422, '{"why":"mismatch"}']);
    }
    for (const path of ["/payments?x=1", "/forms", "/bare"]) assertEquals((await post("a", {}, path))[0], 422);
    assertEquals(await post("a", { body: ' { "amount": 5 }' }), [201, '{"turn":1}']);
    // The same app, as another proxy or another name reaches it.
    assertEquals(await post("a", {}, "https://other.example:444/payments"), [201, '{"turn":1}']);
    assertEquals(runs(), 1);
  });

  it("compares JSON as JSON: white space and the order of keys are no difference", async () => {
    const { post, runs } = createApp((turn) => reply(201, { turn }));
    assertEquals((await post("a", { body: '{"to":"bob","all":[{"x":1,"y":2}],"amount":1}' }))[0], 201);
    for (
      const body of [
        '{ "to": "bob",\n"all": [{"x":1,"y":2}], "amount": 1.0 }',
        '{"amount":1,"all":[{"y":2,"x":1}],"to":"bob"}',
      ]
    ) assertEquals([(await post("a", { body }))[0], runs()], [201, 1]);
    for (const body of ['{"to":"bob","all":[{"x":2,"y":1}],"amount":1}', '{"to":"bob","all":[],"amount":1}']) {
      assertEquals((await post("a", { body }))[0], 422);
    }
  });

  it("tells bodies apart whose parts are the same", async () => {
    const { post } = createApp(created);
    const bodies = [
      '["a","b"]',
      '["a,b"]',
      '[["a"],"b"]',
      '["a",["b"]]',
      '[["a"]]',
      '["a",[]]',
      '{"a":"b"}',
      '"ab"',
      "1",
      '"1"',
      "null",
      '"null"',
    ]
      .concat(
        '{"a":{"b":1},"c":2}',
        '{"a":{"b":1,"c":2}}',
        '{"a":{"b":1}}',
        '{"a":{},"b":1}',
        '{"b":{},"a":1}',
        '{"b":{"a":1}}',
        '{"__proto__":1}',
        "{}",
        "[]",
        '{"a":null}',
        "true",
        '"true"',
      );
    for (const body of bodies) {
      await post("key", { body, headers: { authorization: body } });
      for (const other of bodies) {
        const [status] = await post("key", { body: other, headers: { authorization: body } });
        assertEquals([body, other, status], [body, other, body === other ? 201 : 422]);
      }
    }
  });

  it("compares the files of a form by their bytes, types and names", async () => {
    const { post, runs } = createApp(created);
    const formWith = (text: string, type = "text/plain", name = "a.txt") => {
      const body = new FormData();
      body.append("title", "Emma");
      body.append("file", new File([text], name, { type }));
      return { body };
    };
    assertEquals((await post("a", formWith("1"), "/forms"))[0], 201);
    assertEquals((await post("a", formWith("1"), "/forms"))[0], 201);
    assertEquals((await post("a", formWith("2"), "/forms"))[0], 422);
    assertEquals((await post("a", formWith("1", "text/html"), "/forms"))[0], 422);
    assertEquals((await post("a", formWith("1", "text/plain", "b.txt"), "/forms"))[0], 422);
    assertEquals(runs(), 1);
  });

  it("does not compare a body whose parts arrive one by one: a retry of an upload runs once", async () => {
    let runs = 0;
    const once = idempotent({
      client: () => "ada",
      ...createRest(),
    });
    const { fetch } = setup({
      validator,
      handlers: [route.post("/", {
        request: { body: parts({ photo: file({ maxBytes: 1000 }) }) },
        guards: [denyInvalid(() => reply(400))],
        resolve: once(async ({ input }) => {
          runs++;
          let text = "";
          for await (const part of input.body) text += part.issues ? "" : await new Response(part.stream).text();
          return reply(200, text);
        }),
      })],
    });
    const upload = async (text: string, key: string) => {
      const body = new FormData();
      body.append("photo", new File([text], "a.txt"));
      const headers = { "idempotency-key": key };
      return await (await fetch(new Request("http://localhost/", { method: "POST", body, headers }))).json();
    };
    assertEquals([await upload("one", "a"), await upload("one", "a"), await upload("two", "b")], ["one", "one", "two"]);
    assertEquals(runs, 2);
  });

  it("takes a body of any depth", async () => {
    const { post } = createApp(created);
    const body = "[".repeat(20_000) + "]".repeat(20_000);
    assertEquals((await post("a", { body }))[0], 201);
    assertEquals((await post("a", { body }))[0], 201);
    assertEquals((await post("a", { body: `[${body}]` }))[0], 422);
  });

  it("gives no client the response to another one, whatever they are called", async () => {
    const { post, runs } = createApp(created);
    const clients = ["ada", "bob", "", '","', "long".repeat(2500)];
    for (const authorization of clients) await post("a", { headers: { authorization } });
    for (const [index, authorization] of clients.entries()) {
      assertEquals(await post("a", { headers: { authorization } }), [201, `{"turn":${index + 1}}`]);
    }
    assertEquals(await post("a", { headers: { authorization: "eve" } }), [401, ""]);
    assertEquals(runs(), clients.length);
  });

  it("tells clients apart that are halves of surrogates", async () => {
    const names = ["\ud800", "\ud801"];
    const { post } = createApp(created, { client: () => names.shift() ?? "" });
    assertEquals([await post("a"), await post("a")], [[201, '{"turn":1}'], [201, '{"turn":2}']]);
  });

  it("requires a key of 1 to 255 visible ASCII characters", async () => {
    const { send, runs } = createApp(created);
    for (const key of [undefined, "", "a b", "\u00e9", "x".repeat(256), "a, a"]) {
      const response = await send(key);
      assertEquals([response.status, await response.json()], [400, { why: "missing" }], key);
    }
    assertEquals(runs(), 0);
    for (const key of ["__proto__", '"8e03978e"', "x".repeat(255)]) assertEquals((await send(key)).status, 201);
    assertEquals(runs(), 3);
  });

  it("frees a key if the handler throws, or returns a status of 500 or above", async () => {
    for (const fail of [() => reply(500), () => Promise.reject(new Error("The bank is closed"))]) {
      const { post, runs } = createApp((turn) => turn === 1 ? fail() : reply(201, { turn }));
      const [status] = await post("a").catch((error) => [String(error)]);
      assert(status === 500 || status === "Error: The bank is closed", `${status}`);
      assertEquals(await post("a", { body: '{"amount":6}' }), [201, '{"turn":2}']);
      assertEquals(runs(), 2);
    }
  });

  it("keeps the response to a request whose work was refused", async () => {
    const { post, runs } = createApp((turn) => reply(409, { turn }));
    assertEquals([await post("a"), await post("a"), runs()], [[409, '{"turn":1}'], [409, '{"turn":1}'], 1]);
  });

  it("refuses a client that has as many keys as it may have, and nobody else", async () => {
    const { post } = createApp(created, { perClient: 2 });
    for (const key of ["a", "b"]) assertEquals((await post(key))[0], 201);
    assertEquals(await post("c"), [503, '{"why":"full"}']);
    assertEquals((await post("a"))[0], 201);
    assertEquals((await post("c", { headers: { authorization: "bob" } }))[0], 201);
  });

  it("rejects a response that is too long, and each repeat of its request: the work is done", async () => {
    const { post, runs } = createApp(() => new Response("x".repeat(101)), { maxResponseBytes: 100 });
    await assertRejects(() => post("a"), Error, "An idempotent response must have at most 100 bytes");
    for (let turn = 0; turn < 2; turn++) {
      await assertRejects(
        () => post("a"),
        Error,
        "The response to this Idempotency-Key could not be kept: Error: An idempotent response must have at most 100 bytes",
      );
    }
    assertEquals([await post("a", { body: "1" }), runs()], [[422, '{"why":"mismatch"}'], 1]);
    const fits = createApp(() => new Response("x".repeat(100)), { maxResponseBytes: 100 });
    assertEquals([(await fits.post("a"))[0], (await fits.post("a"))[1].length], [200, 100]);
  });

  it("keeps the error of a response that cannot be kept until the lifetime is over, in place of others", async () => {
    const { post, runs } = createApp((turn) => turn === 1 ? new Response("x".repeat(101)) : created(turn), {
      maxResponseBytes: 100,
      perClient: 1,
    });
    const { now } = performance;
    let passed = 0;
    performance.now = () => now.call(performance) + passed;
    try {
      for (let turn = 0; turn < 2; turn++) await assertRejects(() => post("a"), Error, "at most 100 bytes");
      assertEquals(await post("b"), [503, '{"why":"full"}']);
      passed = 60_000;
      assertEquals([await post("b"), runs()], [[201, '{"turn":2}'], 2]);
    } finally {
      performance.now = now;
    }
  });

  for (const [name, make, message] of UNKEPT) {
    it(`runs once, and rejects each repeat, if the response ${name}`, async () => {
      const { post, runs } = createApp(make);
      const first = await assertRejects(() => post("a"), Error, message);
      const again = await assertRejects(() => post("a"), Error, message);
      assertEquals(runs(), 1);
      assertEquals(again.message, `The response to this Idempotency-Key could not be kept: ${String(first)}`);
    });
  }

  it("keeps 1000 characters of the error of a response that cannot be kept", async () => {
    const failing = new ReadableStream({ pull: (controller) => controller.error("x".repeat(2000)) });
    const { post } = createApp(() => new Response(failing));
    await post("a").catch(() => {});
    const { message } = await assertRejects(() => post("a"), Error);
    assertEquals(message.match(/x+$/)?.[0].length, 1000);
  });

  it("counts the lifetime from the request on, not from its response, and renews nothing without a lease", async () => {
    const { now } = performance;
    let [passed, renewals] = [0, 0];
    performance.now = () => now.call(performance) + passed;
    try {
      const { post } = createApp(async (turn) => {
        passed += 30_000;
        await new Promise((resolve) => setTimeout(resolve, 5));
        return created(turn);
      }, { store: { ...idempotencyStore({ most: 9 }), renew: () => void renewals++ } });
      assertEquals([await post("a"), await post("a")], [[201, '{"turn":1}'], [201, '{"turn":1}']]);
      passed += 30_000;
      assertEquals([await post("a"), renewals], [[201, '{"turn":2}'], 0]);
    } finally {
      performance.now = now;
    }
  });

  it("rejects a response whose stream fails with what has no text, and each repeat", async () => {
    const error = { toString: null };
    const { post, runs } = createApp(() => new Response(new ReadableStream({ start: (c) => c.error(error) })));
    assertEquals(await post("a").catch((caught) => caught === error), true);
    await assertRejects(() => post("a"), Error, "could not be kept: an error without a text");
    assertEquals(runs(), 1);
  });

  it("passes a response that cannot be kept to onError, for each repeat as well", async () => {
    const once = idempotent({
      client: () => "ada",
      lifetime: 60,
      perClient: 9,
      store: idempotencyStore({ most: 9 }),
      refuse: () => reply(409),
      whenStoreFails: () => reply(503),
    });
    const errors: string[] = [];
    const app = setup({
      handlers: [route.post("/", { resolve: once(() => new Response("x".repeat(70_000))) })],
      onError: ({ error }) => {
        errors.push(String(error));
        return reply(500);
      },
    });
    const post = () =>
      app.fetch(new Request("http://localhost/", { method: "POST", headers: { "idempotency-key": "a" } }));
    assertEquals([(await post()).status, (await post()).status], [500, 500]);
    assertEquals(errors.map((error) => error.includes("at most 65536 bytes")), [true, true]);
  });

  it("reads a body without an end for 10 seconds, and cancels it", async () => {
    const never = () => new Promise<void>(() => {});
    const empty = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array());
    for (const source of [{ pull: never }, { pull: empty }, { pull: never, cancel: never }]) {
      const timers = fakeTimers();
      try {
        let cancelled = 0;
        const cancel = () => {
          cancelled++;
          return source.cancel?.();
        };
        const { post, runs } = createApp(() => new Response(new ReadableStream({ ...source, cancel })));
        const first = assertRejects(() => post("a"), Error, "must end within 10 seconds");
        await timers.passUntil(first);
        await assertRejects(() => post("a"), Error, "must end within 10 seconds");
        assertEquals([runs(), cancelled, timers.longest()], [1, 1, 10_000]);
      } finally {
        timers.restore();
      }
    }
  });

  it("frees the key of a handler that returns no response, and names the route", async () => {
    for (const value of [undefined, { status: 201 }, "created"]) {
      const { post, runs } = createApp((turn) => turn === 1 ? value as unknown as Response : created(turn));
      const message = 'Handler must return a Response (for route POST "/payments"): received';
      await assertRejects(() => post("a"), TypeError, message);
      assertEquals([await post("a"), runs()], [[201, '{"turn":2}'], 2]);
    }
  });

  it("rejects a body that is neither JSON, nor a form, nor bytes", async () => {
    const once = idempotent({
      client: () => "ada",
      lifetime: 60,
      perClient: 9,
      store: idempotencyStore({ most: 9 }),
      refuse: () => reply(400),
      whenStoreFails: () => reply(503),
    });
    const appFor = (value: unknown) =>
      setup({
        validator,
        handlers: [route.post("/", {
          request: { body: {}, bodyReader: { contentTypes: ["text/plain"], read: () => Promise.resolve({ value }) } },
          resolve: once(() => reply(201)),
        })],
      });
    const post = async (value: unknown) => {
      const headers = { "idempotency-key": "a" };
      return (await appFor(value).fetch(new Request("http://localhost/", { method: "POST", body: "x", headers })))
        .status;
    };
    assertEquals(await post(new Uint8Array([1])), 201);
    assertEquals(await post(new Uint8Array([1])), 201);
    assertEquals(await post(new Uint8Array([2])), 400);
    for (const value of [new Map(), new Date(), 1n, Symbol(), new ArrayBuffer(1)]) {
      await assertRejects(
        () => post(value),
        TypeError,
        "The body of an idempotent request must be JSON, a form or bytes",
      );
    }
  });

  it("runs nothing if the store fails, and tells what fails later", async () => {
    const memory = idempotencyStore({ most: 9 });
    const fail = () => Promise.reject(new Error("away"));
    const storeWith = (broken: Partial<IdempotencyStore>) => ({ ...memory, ...broken });
    const none = createApp(created, { store: storeWith({ reserve: fail }) });
    assertEquals([await none.post("a"), none.runs()], [[503, '{"why":"store"}'], 0]);
    const unkept = createApp(created, { store: storeWith({ keep: fail }) });
    assertEquals([await unkept.post("b"), await unkept.post("b")], [[201, '{"turn":1}'], [409, '{"why":"running"}']]);
    assertEquals(unkept.failures.map(String), ["Error: away"]);
    // The work is done: the key is not freed later, either.
    await withTime(async (pass) => {
      pass(1000);
      assertEquals(await unkept.post("b"), [409, '{"why":"running"}']);
    });
    const unfreed = createApp(() => Promise.reject(new Error("own")), { store: storeWith({ free: fail }) });
    await assertRejects(() => unfreed.post("c"), Error, "own");
    assertEquals(unfreed.failures.map(String), ["Error: away"]);
  });

  it("frees a key that an engine reserves although the call has failed", async () => {
    const { store, end } = createStopping();
    const { post, runs } = createApp(created, { store });
    const other = createApp(created, { store });
    assertEquals([(await post("a"))[0], (await post("b"))[0], (await post("b"))[0]], [503, 503, 503]);
    end();
    assertEquals([(await other.post("a"))[0], runs()], [409, 0]);
    assertEquals([(await post("b"))[0], (await post("b"))[0], runs()], [201, 201, 1]);
    assertEquals([(await other.post("a"))[0], other.runs()], [201, 1]);
  });

  it("frees a key that an engine reserves late, after a call to free it", async () => {
    const { store, end, delay } = createStopping();
    const { post } = createApp(created, { store });
    const catchUp = delay();
    assertEquals((await post("a"))[0], 503);
    end();
    assertEquals((await post("b"))[0], 201);
    await catchUp();
    assertEquals((await post("a"))[0], 409);
    await withTime(async (pass) => {
      pass(1000);
      assertEquals([(await post("a"))[0], (await post("a"))[0]], [201, 201]);
    });
  });

  it("frees the key of a request that has failed, within a second after the engine is back", async () => {
    const memory = idempotencyStore({ most: 9 });
    let isAway = true;
    const { post } = createApp((turn) => reply(turn === 1 ? 500 : 201), {
      store: { ...memory, free: (own) => isAway ? Promise.reject(new Error("away")) : memory.free(own) },
    });
    assertEquals([(await post("a"))[0], (await post("a"))[0]], [500, 409]);
    isAway = false;
    await withTime(async (pass) => {
      assertEquals((await post("a"))[0], 409);
      pass(1000);
      assertEquals((await post("a"))[0], 201);
    });
  });

  it("frees at most 1000 keys later, each once a second and for a minute", async () => {
    let isAway = true;
    let freed = new Set<string>();
    const memory = idempotencyStore({ most: 9 });
    const { post } = createApp(created, {
      store: {
        ...memory,
        reserve: (...args) => isAway ? Promise.reject(new Error("away")) : memory.reserve(...args),
        free: ({ key }) => void freed.add(key),
      },
    });
    await withTime(async (pass) => {
      for (let number = 0; number < 1001; number++) await post(`key-${number}`);
      isAway = false;
      const counts: number[] = [];
      for (const milliseconds of [0, 0, 1000, 60_000, 1000]) {
        pass(milliseconds);
        freed = new Set();
        await post("a");
        counts.push(freed.size);
      }
      assertEquals(counts, [1000, 0, 1000, 1000, 0]);
    });
  });

  it("has a store in memory of its own if none is given", async () => {
    const [one, other] = [createApp(created), createApp(created)];
    await one.post("a");
    assertEquals([await one.post("a"), other.runs()], [[201, '{"turn":1}'], 0]);
    await other.post("a");
    assertEquals([one.runs(), other.runs()], [1, 1]);
  });

  it("gives a store nothing that a client can read or choose", async () => {
    const seen: object[] = [];
    const memory = idempotencyStore({ most: 9 });
    const { post } = createApp(created, {
      store: {
        ...memory,
        reserve(one, limits) {
          seen.push(one);
          return memory.reserve(one, limits);
        },
      },
    });
    await post("a");
    await post("a");
    const [first, second] = seen.map((one) => Object.values(one));
    for (const value of [...first ?? [], ...second ?? []]) assert(/^[\da-f-]{36,64}$/.test(value), value);
    assertEquals(first?.slice(0, 3), second?.slice(0, 3));
    assert(first?.[3] !== second?.[3]);
  });

  it("takes the key that its option reads: a webhook that is sent again, or replayed, is handled once", async () => {
    const key = new TextEncoder().encode("a secret of at least 24 bytes");
    const secrets = [`whsec_${btoa("a secret of at least 24 bytes")}`];
    let handled = 0;
    const once = idempotent({
      client: () => "shop",
      key: (c) => c.request.headers.get("webhook-id"),
      ...createRest(),
    });
    const { fetch } = setup({
      validator,
      handlers: [route.post("/webhooks", {
        request: { body: {}, bodyReader: signed(standardWebhooks({ secrets, now: () => 1000_000 })) },
        guards: [denyInvalid(({ issues: [issue] }) => reply(400, { why: issue?.code }))],
        resolve: once(() => reply(200, { handled: ++handled })),
      })],
    });
    const sign = async (id: string, body: string) => {
      const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      const mac = await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(`${id}.1000.${body}`));
      const signature = `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
      return { "webhook-id": id, "webhook-timestamp": "1000", "webhook-signature": signature };
    };
    const send = async (body: string, headers: Record<string, string>) => {
      const response = await fetch(new Request("http://localhost/webhooks", { method: "POST", body, headers }));
      return [response.status, await response.json()];
    };
    const headers = await sign("m1", '{"a":1}');
    for (let turn = 0; turn < 3; turn++) assertEquals(await send('{"a":1}', headers), [200, { handled: 1 }]);
    // Another id would be another message: the signature covers the id.
    const replayed = { ...headers, "webhook-id": "m2" };
    assertEquals(await send('{"a":1}', replayed), [400, { why: "invalid_signature" }]);
    assertEquals(await send('{"a":2}', await sign("m1", '{"a":2}')), [422, { why: "mismatch" }]);
    assertEquals(await send('{"a":1}', await sign("m2", '{"a":1}')), [200, { handled: 2 }]);
    assertEquals(await send('{"a":1}', await sign("x".repeat(256), '{"a":1}')), [400, { why: "missing" }]);
  });

  it("takes the signature of GitHub as its key: a replay with another, unsigned id is handled once", async () => {
    let handled = 0;
    const once = idempotent({
      client: () => "github",
      key: (c) => c.request.headers.get("x-hub-signature-256")?.toLowerCase(),
      ...createRest(),
    });
    const { fetch } = setup({
      validator,
      handlers: [route.post("/", {
        request: { body: {}, bodyReader: signed(github({ secrets: ["It's a Secret to Everybody"] }), text) },
        guards: [denyInvalid(() => reply(400))],
        resolve: once(() => reply(200, ++handled)),
      })],
    });
    const digits = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    for (const [id, signature] of [["a", digits], ["b", digits], ["c", digits.toUpperCase()]] as const) {
      const headers = { "x-github-delivery": id, "x-hub-signature-256": `sha256=${signature}` };
      const response = await fetch(
        new Request("http://localhost/", { method: "POST", body: "Hello, World!", headers }),
      );
      assertEquals([response.status, await response.json()], [200, 1]);
    }
  });

  it("refuses a request whose option gives no key", async () => {
    for (const name of [null, undefined, ""]) {
      const { post, runs } = createApp(created, { key: () => name });
      assertEquals([(await post("a"))[0], runs()], [400, 0]);
    }
  });

  it("throws for an option that is missing, unknown or out of its bounds", () => {
    const refuse = (_: unknown, _why: Refusal) => reply(400);
    const store = idempotencyStore({ most: 9 });
    const options = {
      client: () => "ada",
      lifetime: 60,
      perClient: 9,
      store,
      refuse,
      whenStoreFails: () => reply(503),
    };
    const wrong: readonly (readonly [object, string])[] = [
      [{ lifetime: 0 }, "Option lifetime of idempotent must be a whole number from 1 to 2592000: received 0"],
      [{ lifetime: 86_400_000 }, "Option lifetime of idempotent must be a whole number"],
      [{ perClient: 10_001 }, "Option perClient of idempotent must be a whole number from 1 to 10000"],
      [{ maxResponseBytes: -1 }, "Option maxResponseBytes of idempotent must be a whole number from 0 to 1048576"],
      [{ client: "ada" }, "Option client of idempotent must be a function: received a string"],
      [{ refuse: undefined }, 'Option "refuse" of idempotent is undefined'],
      [{ whenStoreFails: 1 }, "Option whenStoreFails of idempotent must be a function"],
      [{ key: "id" }, "Option key of idempotent must be a function: received a string"],
      [
        { store: null },
        "Option store of idempotent must be a store of idempotency keys, such as idempotencyStore of @fw/core/memory: received null",
      ],
      [{ store: {} }, "Option store of idempotent must be a store of idempotency keys"],
      [{ stores: 1 }, 'Option "stores" of idempotent is unknown: did you mean store?'],
    ];
    for (const [other, message] of wrong) {
      assertThrows(() => idempotent({ ...options, ...other }), TypeError, message);
    }
    assertThrows(() => idempotent(options)(undefined as never), TypeError, "Handler of idempotent must be a function");
  });

  it("rejects a client that is not a string", async () => {
    const { post } = createApp(created, { client: () => undefined as unknown as string });
    const message = 'Client of idempotent for route POST "/payments" must be a string: received undefined';
    await assertRejects(() => post("a"), TypeError, message);
  });
});

/** A store whose engine is away: it reserves keys although no call gets an answer. */
function createStopping() {
  const memory = idempotencyStore({ most: 9 });
  const waiting: (() => unknown)[] = [];
  let [isAway, isLate] = [true, false];
  const store: IdempotencyStore = {
    ...memory,
    async reserve(...args) {
      if (isAway && isLate) waiting.push(() => memory.reserve(...args));
      const reserved = isAway && isLate ? undefined : await memory.reserve(...args);
      if (isAway || reserved === undefined) throw new Error("no answer in time");
      return reserved;
    },
    free: (own) => isAway ? Promise.reject(new Error("away")) : memory.free(own),
  };
  return {
    store,
    /** The engine is back. */
    end: () => isAway = false,
    /** From now on, it reserves what it is asked for only when the result is called. */
    delay: () => {
      isLate = true;
      return async () => {
        for (const run of waiting.splice(0)) await run();
      };
    },
  };
}

/** Lets time pass when a test says so. */
async function withTime(run: (pass: (milliseconds: number) => void) => Promise<void>): Promise<void> {
  const { now } = Date;
  let passed = 0;
  Date.now = () => now() + passed;
  try {
    await run((milliseconds) => passed += milliseconds);
  } finally {
    Date.now = now;
  }
}

/** Timers that wait for nothing but other work. Those that were cleared do not run. */
function fakeTimers() {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Map<number, readonly [run: () => void, wait: number]>();
  let [last, longest] = [0, 0];
  Object.assign(globalThis, {
    setTimeout(run: () => void, wait = 0) {
      longest = Math.max(longest, wait);
      timers.set(++last, [run, wait]);
      return last;
    },
    clearTimeout: (id: number) => timers.delete(id),
  });
  return {
    longest: () => longest,
    /** Runs the shortest timer again and again, whenever there is nothing else to do. A few times, then the longest. */
    async passUntil(promise: Promise<unknown>) {
      let isOver = false;
      promise.then(() => isOver = true, () => isOver = true);
      for (let turn = 0; !isOver; turn++) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        const sorted = [...timers].sort(([, [, a]], [, [, b]]) => turn < 20 ? a - b : b - a);
        const [next] = sorted.filter(([, [, wait]]) => turn >= 20 || wait < 10_000);
        if (next === undefined) continue;
        timers.delete(next[0]);
        next[1][0]();
      }
      await promise;
    },
    restore: () => void Object.assign(globalThis, { setTimeout, clearTimeout }),
  };
}
