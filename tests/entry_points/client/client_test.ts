import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { denyInvalid, endpoint, reply, type RequestSchemas, route, setup } from "../../../mod.ts";
import { type ClientCall, type ClientOptions, createClient, UnexpectedResponse } from "../../../src/client/mod.ts";
import { form, json, optional, text } from "../../../src/body/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import * as api from "./client_api.ts";
import { createApp, testCalls } from "./client_calls.ts";

describe("createClient() with app.fetch", () => {
  const { fetch } = createApp();
  testCalls(() => ({ fetch }));
});

describe("createClient()", () => {
  /** What a call sends. */
  async function send(
    path: string,
    given: object,
    request?: RequestSchemas,
    options?: ClientOptions,
  ): Promise<Request> {
    let sent: Request | undefined;
    const fetch = (request: Request) => {
      sent = request;
      return new Response();
    };
    const method = request?.body ? "POST" : "GET";
    const client = createClient({ call: { method, path, ...request && { request } } as const }, { fetch, ...options });
    await client.call(given);
    assert(sent !== undefined);
    return sent;
  }

  it("has the declared headers of a response, and no others", async () => {
    const headers = { location: { required: true }, etag: {}, "__proto__x": {} } as const;
    const call = endpoint.post("/a", { responses: { 201: { headers }, 204: {} } });
    const answerWith = (status: number, sent: HeadersInit) =>
      createClient({ call }, { fetch: () => new Response(null, { status, headers: sent }) }).call();
    const made = await answerWith(201, { location: "/a/1", "x-other": "1" });
    assertEquals({ ...made.headers }, { location: "/a/1", etag: undefined, "__proto__x": undefined });
    const tagged = await answerWith(201, { Location: "/", ETag: '"1"' });
    assertEquals(tagged.status === 201 && [tagged.headers.location, tagged.headers.etag], ["/", '"1"']);
    assertEquals({ ...(await answerWith(204, { location: "/" })).headers }, {});
    const error = await assertRejects(() => answerWith(201, { etag: '"1"' }), UnexpectedResponse);
    assertEquals(error.message, 'POST http://localhost/a has answered 201, without the header "location"');
    assertEquals(error.response.headers.get("etag"), '"1"');
  });

  it("encodes parameters, so that each remains one segment", async () => {
    const params = { id: "a/b?#%2F é", "*": "x/y z/?%2e" };
    const { url } = await send("/café/:id/*", { params });
    assertEquals(url, "http://localhost/caf%C3%A9/a%2Fb%3F%23%252F%20%C3%A9/x/y%20z/%3F%252e");
  });

  it("takes a URL as baseUrl, with what a text is rejected for", async () => {
    for (const path of ["", "/", "/v1", "/v1/"]) {
      const { url } = await send("/a", {}, undefined, { baseUrl: new URL(path, "https://api.example.com") });
      assertEquals(url, `https://api.example.com${path.replace(/\/$/, "")}/a`);
    }
    for (const end of ["?key=1", "#top"]) {
      assertThrows(
        () => createClient(api, { baseUrl: new URL(`https://api.example.com/v1${end}`) }),
        TypeError,
        'Option baseUrl of createClient must not contain "?" or "#"',
      );
    }
  });

  it("rejects parameters that would change the path", async () => {
    for (const id of ["", ".", "..", "../x", "a/..", "..\\x", "a\\.", "a\\..\\b", undefined]) {
      await assertRejects(
        () => send("/a/:id", { params: { id } }),
        TypeError,
        'Parameter "id" of /a/:id must have no segment',
      );
    }
    for (
      const rest of [".", "..", "../x", "a/../b", "a/.", "/..", "/evil.example/x", "//", "/", "a/..\\x", undefined]
    ) {
      await assertRejects(
        () => send("/a/*", { params: { "*": rest } }),
        TypeError,
        'Parameter "*" of /a/* must have no segment',
      );
    }
    await assertRejects(() => send("/a/:id", {}), TypeError, "must have no segment");
    for (const id of ["...", "a\\b", "\\...\\", ".a", "a.", "%2e", "%2E%2e", "a..b", " "]) {
      const { url } = await send("/a/:id/:id2", { params: { id, id2: id } });
      assertEquals(url, `http://localhost/a/${encodeURIComponent(id)}/${encodeURIComponent(id)}`);
    }
    assertEquals((await send("/a/*", { params: { "*": "" } })).url, "http://localhost/a/");
    assertEquals(
      (await send("/a/*", { params: { "*": "b.example//...//" } })).url,
      "http://localhost/a/b.example//...//",
    );
  });

  it("sends no value of a parameter that the router matches with no route", async () => {
    const parts = ["", ".", "..", "a", "/", "\\", "%2e", "%5C", " "];
    const values = parts.flatMap((one) => parts.flatMap((two) => parts.map((three) => one + two + three)));
    const responses = { 200: { schema: z.string() } };
    const api = { one: endpoint.get("/one/:id", { responses }), rest: endpoint.get("/rest/*", { responses }) };
    const one = route.on(api.one, { resolve: (c) => reply(200, c.raw.params.id) });
    const rest = route.on(api.rest, { resolve: (c) => reply(200, c.raw.params["*"]) });
    const client = createClient(api, { fetch: setup({ endpoints: api, handlers: [one, rest] }).fetch });
    let sent = 0;
    const check = async (value: string, call: () => Promise<{ readonly body: string }>) => {
      const answer = await call().catch((error) => assertEquals(error.constructor, TypeError, value));
      if (answer !== undefined) assertEquals([answer.body, ++sent > 0], [value, true]);
    };
    for (const value of values) {
      await check(value, () => client.one({ params: { id: value } }));
      await check(value, () => client.rest({ params: { "*": value } }));
    }
    assert(sent > 400, `${sent}`);
  });

  it("writes the literals of a path without needless escapes, as the router wants them", async () => {
    assertEquals(
      (await send("/%61b%2Fc/%c3%a9/%zz/%é/:id", { params: { id: "~@" } })).url,
      "http://localhost/ab%2Fc/%c3%a9/%zz/%%C3%A9/~%40",
    );
    const show = endpoint.get("/%61dmin/:id");
    const { fetch } = setup({ handlers: [route.on(show, { resolve: (c) => new Response(c.raw.params.id) })] });
    const response = await createClient({ show }, { fetch }).show({ params: { id: "~@" } });
    assertEquals(await response.text(), "~@");
  });

  it("encodes each segment of :name+, and keeps its slashes", async () => {
    const { url } = await send("/v2/:name+/blobs/:digest", { params: { name: "a b/c?/%2F+", digest: "x/y" } });
    assertEquals(url, "http://localhost/v2/a%20b/c%3F/%252F%2B/blobs/x%2Fy");
    for (const name of ["", "/", "/a", "a/", "a//b", ".", "a/./b", "../a", "a/..", undefined]) {
      await assertRejects(
        () => send("/v2/:name+/tags", { params: { name } }),
        TypeError,
        'Parameter "name" of /v2/:name+/tags must have no segment',
      );
    }
  });

  it("sends QUERY with a body", async () => {
    const search = endpoint.query("/books", {
      request: { body: z.object({ ids: z.array(z.string()) }) },
      responses: { 200: { schema: z.array(z.string()) } },
    });
    const app = setup({
      validator: standardSchema,
      handlers: [route.on(search, { resolve: ({ input }) => reply(200, input.ok ? input.body.ids : []) })],
    });
    const client = createClient({ search }, { fetch: app.fetch });
    assertEquals((await client.search({ body: { ids: ["1", "2"] } })).body, ["1", "2"]);
    // @ts-expect-error at `{}`: Property 'body' is missing in type '{}' but required in type '{ readonly body: { ids:
    //   string[]; }; }'.
    void (() => client.search({}));
  });

  it("puts the base url first, with or without slashes at its end", async () => {
    for (
      const baseUrl of ["https://api.example.com/v1", "https://api.example.com/v1/", "https://api.example.com/v1//"]
    ) {
      const { url } = await send("/*", { params: { "*": "b.example/x" } }, undefined, { baseUrl });
      assertEquals(url, "https://api.example.com/v1/b.example/x");
    }
  });

  it("never calls another origin than that of its page", async () => {
    const { Request: Native } = globalThis;
    const urls: string[] = [];
    // Only in a browser does a url without an origin have one: that of the page.
    globalThis.Request = class extends Native {
      constructor(url: string, init?: RequestInit) {
        super(new URL(url, "https://page.example"), init);
        urls.push(this.url);
      }
    } as typeof Request;
    try {
      for (const baseUrl of ["", "/", "//", "/v1/"]) {
        await assertRejects(
          () => send("/*", { params: { "*": "/evil.example/x" } }, undefined, { baseUrl }),
          TypeError,
        );
        for (const rest of ["evil.example/x", "\\evil.example", "\t/evil.example", "", "%2F/evil.example"]) {
          await send("/*", { params: { "*": rest } }, undefined, { baseUrl });
        }
        await send("/:id", { params: { id: "/evil.example" } }, undefined, { baseUrl });
      }
    } finally {
      globalThis.Request = Native;
    }
    assertEquals(urls.map((url) => new URL(url).origin), Array(24).fill("https://page.example"));
  });

  it("rejects a base url with a query or a fragment, when it is created", () => {
    for (const baseUrl of ["https://h/v1?key=1", "https://h/#/", "?", "#"]) {
      assertThrows(
        () => createClient(api, { baseUrl }),
        TypeError,
        'Option baseUrl of createClient must not contain "?" or "#"',
      );
    }
  });

  it("encodes the query, and appends none that is empty", async () => {
    const query = { "a&b": ["c d", "é=", true], none: undefined, empty: "", list: [], n: 0 };
    assertEquals(
      (await send("/a", { query })).url,
      "http://localhost/a?a%26b=c+d&a%26b=%C3%A9%3D&a%26b=true&empty=&n=0",
    );
    assertEquals((await send("/a", { query: { none: undefined } })).url, "http://localhost/a");
  });

  it("sends all values of pairs with the same name", async () => {
    for (const query of [new URLSearchParams("a=1&b=2&a=3"), [["a", 1], ["b", 2], ["a", 3]]]) {
      assertEquals((await send("/a", { query })).url, "http://localhost/a?a=1&b=2&a=3");
    }
    const headers = [["accept", "text/html"], ["Accept", "text/plain"]];
    assertEquals((await send("/a", { headers })).headers.get("accept"), "text/html, text/plain");
    assertEquals((await send("/a", { cookies: [["a", "1"], ["a", "2"]] })).headers.get("cookie"), "a=1; a=2");
  });

  it("sends headers given as an object, as pairs, or as Headers, over those of the client", async () => {
    const options = { headers: { a: "1", b: "1" } };
    const given = { b: 2, c: undefined };
    for (const headers of [given, [["b", "2"]], new Headers({ b: "2" }), new Map([["b", "2"]])]) {
      const sent = await send("/a", { headers }, undefined, options);
      assertEquals(["a", "b", "c"].map((name) => sent.headers.get(name)), ["1", "2", null]);
    }
  });

  it("leaves out undefined and null, also among the headers of the client and the items of an array", async () => {
    const values = { "x-a": undefined, "x-b": "1" };
    for (const headers of [values, () => values, () => Promise.resolve({ ...values })]) {
      const sent = await send("/a", { headers: { "x-b": undefined, "x-c": null } }, undefined, { headers });
      assertEquals(["x-a", "x-b", "x-c"].map((name) => sent.headers.get(name)), [null, "1", null]);
    }
    const { url } = await send("/a", { query: { a: ["x", undefined, null, "y"], b: undefined, c: [undefined] } });
    assertEquals(url, "http://localhost/a?a=x&a=y");
  });

  it("calls the function that returns headers for each call", async () => {
    const calls: ClientCall[] = [];
    const client = createClient(api, {
      headers: (call) => {
        calls.push(call);
        return Promise.resolve({ authorization: `Bearer ${calls.length}` });
      },
      fetch: ({ headers }) => new Response(headers.get("authorization")),
    });
    assertEquals(await (await client.health()).text(), "Bearer 1");
    assertEquals(await (await client.health({ headers: { Authorization: "own" } })).text(), "own");
    assertEquals(await (await client.health()).text(), "Bearer 3");
    const call = { name: "health", endpoint: api.health, method: "GET", url: "http://localhost/health" };
    assertEquals(calls, [call, call, call]);
  });

  it("passes the options of fetch on", async () => {
    assertEquals((await send("/a", {})).redirect, "manual"); // headers must not go to another origin
    assertEquals((await send("/a", { redirect: "follow" })).redirect, "follow");
    const controller = new AbortController();
    const { signal } = await send("/a", { signal: controller.signal });
    controller.abort();
    assert(signal.aborted);
  });

  it("passes options that only the fetch of a runtime knows as the second argument, and else none", async () => {
    const seen: unknown[][] = [];
    const client = createClient({ it: endpoint.get("/it") }, {
      fetch: (...args: unknown[]) => {
        seen.push(args);
        return new Response();
      },
    });
    await client.it({ next: { revalidate: 60 }, tls: {}, redirect: "follow" } as object);
    await client.it({ signal: new AbortController().signal, headers: { a: "1" } });
    assertEquals(seen.map(([, ...rest]) => rest), [[{ next: { revalidate: 60 }, tls: {} }], []]);
    const { fetch } = globalThis;
    let given: unknown;
    globalThis.fetch = (_request, init) => {
      given = init;
      return Promise.resolve(new Response());
    };
    try {
      await createClient({ it: endpoint.get("/it") }).it({ next: { revalidate: 1 } } as object);
    } finally {
      globalThis.fetch = fetch;
    }
    assertEquals(given, { next: { revalidate: 1 } });
  });

  it("rejects unknown options", () => {
    const misspelt = { baseURL: "https://api.example.com" };
    assertThrows(
      () => createClient(api, misspelt as object),
      TypeError,
      'Option "baseURL" of createClient is unknown: the options are baseUrl,',
    );
  });

  it("names no value of a parameter, and no query, in the message of an UnexpectedResponse", async () => {
    const show = endpoint.get("/books/:id", { responses: { 204: {} } });
    const client = createClient({ show }, { baseUrl: "http://h/v1", fetch: () => new Response(null, { status: 500 }) });
    const error = await assertRejects(() => client.show({ params: { id: "secret" } }), UnexpectedResponse);
    assertEquals(error.message, "GET http://h/books/:id has answered 500");
    assertEquals(error.url, "http://h/v1/books/secret");
  });

  it("rejects a cookie that would add another", async () => {
    for (const cookies of [{ a: "b; admin=1" }, { "a;b": "c" }, { a: ["b", ";"] }]) {
      await assertRejects(() => send("/a", { cookies }), TypeError, "Cookie must not contain");
    }
    assertEquals((await send("/a", { cookies: { a: undefined } })).headers.get("cookie"), null);
    assertEquals((await send("/a", { cookies: { a: "b=c", d: 1 } })).headers.get("cookie"), "a=b=c; d=1");
  });

  it("sends JSON for a body schema, whatever the value", async () => {
    for (const body of [{ a: [1, new Date(0)] }, "text", null, false, 0, "", [1]]) {
      const sent = await send("/a", { body }, { body: z.unknown() });
      assertEquals(sent.headers.get("content-type"), "application/json");
      assertEquals(await sent.text(), JSON.stringify(body));
    }
    const own = await send("/a", { body: {}, headers: { "content-type": "application/vnd.a+json" } }, {
      body: z.unknown(),
    });
    assertEquals(own.headers.get("content-type"), "application/vnd.a+json");
    for (const request of [{ body: z.unknown() }, { body: z.unknown(), bodyReader: form }]) {
      const none = await send("/a", {}, request);
      assertEquals([none.headers.get("content-type"), await none.text()], [null, ""]);
    }
  });

  it("sends a form for the body reader of forms", async () => {
    const schema = z.object({ title: z.string(), tags: z.array(z.string()), n: z.coerce.number(), cover: z.file() });
    const api = {
      add: endpoint.post("/add", {
        request: { body: schema, bodyReader: form },
        responses: { 200: { schema: z.unknown() }, 400: {} },
      }),
    };
    const app = setup({
      validator: standardSchema,
      handlers: [route.on(api.add, {
        guards: [denyInvalid(() => reply(400))],
        resolve: async ({ input: { body: { cover, ...rest } } }) =>
          reply(200, [{ ...rest }, cover.name, await cover.text()]),
      })],
    });
    const client = createClient(api, { fetch: app.fetch, headers: { "content-type": "application/json" } });
    const fields = { title: "Emma", tags: ["a", "b"], n: 1, cover: new File(["…"], "emma.png") };
    const data = new FormData();
    for (const [name, value] of [["title", "Emma"], ["tags", "a"], ["tags", "b"], ["n", "1"]] as const) {
      data.append(name, value);
    }
    data.append("cover", fields.cover);
    for (const body of [fields, data, Object.assign(Object.create(null), fields) as typeof fields]) {
      const added = await client.add({ body });
      assertEquals(added.body, [{ title: "Emma", tags: ["a", "b"], n: 1 }, "emma.png", "…"]);
    }
  });

  it("sends the own properties of any object as the fields of a form, also of an instance of a class", async () => {
    class Draft {
      title = "Emma";
      readonly tags = ["a", "b"];
      #secret = 1;
      publish() {
        return this.#secret;
      }
    }
    class Named extends Draft {
      readonly [Symbol.toStringTag] = "Named";
    }
    const request = { body: z.object({ title: z.string(), tags: z.array(z.string()) }), bodyReader: form };
    for (const body of [new Draft(), new Named()]) {
      const sent = await (await send("/a", { body }, request)).formData();
      assertEquals([...sent], [["title", "Emma"], ["tags", "a"], ["tags", "b"]]);
    }
  });

  it("leaves out a body that is optional, and sends it by its format", async () => {
    const body = z.object({ title: z.string() }).optional();
    for (const bodyReader of [optional(json), optional(form)]) {
      for (const given of [{}, { body: undefined }]) {
        const sent = await send("/a", given, { body, bodyReader });
        assertEquals([sent.headers.get("content-type"), await sent.text()], [null, ""]);
      }
    }
    const asJson = await send("/a", { body: { title: "Emma" } }, { body, bodyReader: optional(json) });
    assertEquals([asJson.headers.get("content-type"), await asJson.text()], ["application/json", '{"title":"Emma"}']);
    const asForm = await send("/a", { body: { title: "Emma" } }, { body, bodyReader: optional(form) });
    assertEquals([...await asForm.formData()], [["title", "Emma"]]);
    const asText = await send("/a", { body: '"a"' }, { body: z.string(), bodyReader: text });
    assertEquals(await asText.text(), '"a"');
  });

  it("sends for any other reader, and without a schema, what fetch takes", async () => {
    const reader = { contentTypes: ["text/plain"], read: () => Promise.resolve({ value: "" }) };
    const stream = () => new Blob(["text"]).stream();
    for (const body of ["text", new TextEncoder().encode("text"), new Blob(["text"]), stream()]) {
      assertEquals(await (await send("/a", { body }, { body: z.string(), bodyReader: reader })).text(), "text");
    }
    const form = await send("/a", { body: new URLSearchParams({ a: "b" }) }, { body: z.string(), bodyReader: reader });
    assertEquals(form.headers.get("content-type"), "application/x-www-form-urlencoded;charset=UTF-8");
    const headers = { "content-type": "application/x-ndjson" };
    const lines = await send("/a", { body: "{}", headers }, { body: z.string(), bodyReader: reader });
    assertEquals(lines.headers.get("content-type"), "application/x-ndjson");
    const client = createClient({ put: endpoint.put("/put", { responses: { 204: {} } }) }, {
      fetch: async (request) => new Response(null, { status: await request.text() === "text" ? 204 : 500 }),
    });
    assertEquals((await client.put({ body: stream() })).status, 204);
  });

  it("keeps the content type of a form, which has its boundary, whatever the headers are", async () => {
    const headers = { "content-type": "application/json", "x-a": "1" };
    const data = new FormData();
    data.append("a", "b");
    const params = new URLSearchParams({ a: "b" });
    for (
      const [body, type] of [[data, "multipart/form-data"], [params, "application/x-www-form-urlencoded"]] as const
    ) {
      const call = endpoint.post("/a");
      const fetch = async (request: Request) =>
        new Response(request.headers.get("content-type"), {
          headers: { "x-a": `${request.headers.get("x-a")}`, "x-form": `${(await request.formData()).get("a")}` },
        });
      const answer = await createClient({ call }, { fetch, headers }).call({ body, headers });
      assertEquals((await answer.text()).split(";")[0], type);
      assertEquals([answer.headers.get("x-a"), answer.headers.get("x-form")], ["1", "b"]);
    }
  });

  it("is no promise, and has any name that an endpoint has", async () => {
    const ping = endpoint.get("/ping", { responses: { 204: {} } });
    const options = { fetch: () => new Response(null, { status: 204 }) };
    const client = createClient({ ping }, options);
    assertStrictEquals(await client, client);
    assert(!("then" in client));
    assert(!("toString" in client));
    const odd = createClient({ ["__proto__"]: ping, constructor: ping, then: ping }, options);
    assertEquals(Object.keys(odd), ["__proto__", "constructor", "then"]);
    assertEquals((await odd.constructor()).status, 204);
  });

  it("leaves out what is not an endpoint", () => {
    const record = { a: null, b: undefined, c: 1, d: "GET", e: {}, f: { path: "/" }, g: { method: "GET" }, h() {} };
    assertEquals(Object.keys(createClient(record)), []);
  });
});

describe("the result of a call", () => {
  const schema = z.object({ n: z.number() });
  const endpoints = {
    json: endpoint.get("/a", { responses: { 200: { schema }, 204: {}, 304: {}, 500: {} } }),
    problem: endpoint.get("/a", {
      responses: { "2XX": { schema, contentType: "application/problem+json; charset=utf-8" } },
    }),
    any: endpoint.get("/a", { responses: { default: { schema: z.unknown() } } }),
    text: endpoint.get("/a", {
      responses: { 200: { schema: z.string().max(4), contentType: "application/json-seq" } },
    }),
    head: endpoint.head("/a", { responses: { 200: { schema } } }),
    ranges: endpoint.get("/a", {
      responses: { 200: {}, "2XX": { schema: z.literal("range") }, default: { schema: z.literal("default") } },
    }),
    none: endpoint.get("/a", { responses: {} }),
  };
  const answerWith = (response: Response, validator?: ClientOptions["validator"]) =>
    createClient(endpoints, { fetch: () => response, ...validator && { validator } });
  const json = (body: unknown, status = 200) => Response.json(body, { status });

  it("is that of the status, else of its range, else the default", async () => {
    const { body } = await answerWith(json("unread")).ranges();
    const statuses = [201, 299, 300, 599];
    const bodies = [];
    for (const status of statuses) {
      const response = json(status < 300 ? "range" : "default", status);
      bodies.push((await answerWith(response, standardSchema).ranges()).body);
    }
    assertEquals([body, ...bodies], [undefined, "range", "range", "default", "default"]);
  });

  it("is unexpected with a status that is not declared", async () => {
    const client = createClient(
      { show: endpoint.get("/a", { request: { query: z.object({ token: z.string() }) }, responses: { 200: {} } }) },
      { fetch: () => new Response("secret", { status: 418 }) },
    );
    const error = await assertRejects(() => client.show({ query: { token: "secret" } }), UnexpectedResponse);
    assertEquals(error.message, "GET http://localhost/a has answered 418");
    assertEquals([error.name, error.status, error.url], ["UnexpectedResponse", 418, "http://localhost/a?token=secret"]);
    assertEquals(await error.response.text(), "secret");
    await assertRejects(() => answerWith(new Response()).none(), UnexpectedResponse, "has answered 200");
    // What a browser makes of a redirect that it does not follow.
    const hidden = answerWith(Object.defineProperty(json(1), "status", { value: 0 }));
    await assertRejects(() => hidden.any(), UnexpectedResponse, "has answered 0");
  });

  it("is unexpected with a body that is not JSON, or empty, without any text of it", async () => {
    for (const text of ["<h1>secret</h1>", "", "{", "undefined"]) {
      for (const validator of [undefined, standardSchema]) {
        for (
          const call of [
            answerWith(new Response(text), validator).json,
            answerWith(new Response(text), validator).problem,
          ]
        ) {
          const error = await assertRejects(() => call(), UnexpectedResponse);
          assertEquals(error.message, "GET http://localhost/a has answered 200, with another body than declared");
          assert(!`${error.stack}`.includes("secret"));
          assertEquals(error.cause, undefined); // the engine's error would quote the body
          assertEquals(error.response.status, 200);
        }
      }
    }
  });

  it("has the JSON, whatever it is", async () => {
    for (const body of [null, 0, "", false, [], { n: 1 }]) {
      const answer = await answerWith(json(body)).any();
      assertEquals([answer.status, answer.body, answer.response.bodyUsed], [200, body, true]);
    }
  });

  it("has a string where another media type is declared", async () => {
    assertEquals((await answerWith(new Response("text"), standardSchema).text()).body, "text");
    assertEquals((await answerWith(new Response(""), standardSchema).text()).body, "");
    await assertRejects(() => answerWith(new Response("longer"), standardSchema).text(), UnexpectedResponse);
  });

  it("leaves the response unread if the status is declared without a schema", async () => {
    const answer = await answerWith(new Response("text", { status: 500 }), standardSchema).json();
    assertEquals([answer.status, answer.body, await answer.response.text()], [500, undefined, "text"]);
    for (const status of [204, 304]) {
      const answer = await answerWith(new Response(null, { status }), standardSchema).json();
      assertEquals([answer.status, answer.body], [status, undefined]);
    }
  });

  it("has no body for HEAD", async () => {
    const answer = await answerWith(new Response(null), standardSchema).head();
    assertEquals([answer.status, answer.body], [200, undefined]);

    const all = endpoint.all("/", { responses: { 200: { schema: z.object({}) } } });
    const client = createClient({ all }, { fetch: () => new Response(null) });
    const { body } = await client.all({ method: "head" }); // `Request` writes it in capital letters
    assertEquals(body, undefined);
  });

  it("is validated if there is a validator, and has the body as it was received", async () => {
    const extra = { n: 1, more: true };
    assertEquals<unknown>((await answerWith(json(extra), standardSchema).json()).body, extra);
    assertEquals<unknown>((await answerWith(json({ n: "1" })).json()).body, { n: "1" });
    const error = await assertRejects(() => answerWith(json({ n: "1" }), standardSchema).json(), UnexpectedResponse);
    assertEquals(error.message, "GET http://localhost/a has answered 200, with another body than declared");
    const [issue] = Object(error.cause).issues;
    assertEquals([issue.part, issue.path], ["body", ["n"]]);
  });

  it("is validated with the dates of its schema, and has their texts", async () => {
    const it = endpoint.get("/it", { responses: { 200: { schema: z.object({ at: z.date(), n: z.int() }) } } });
    const at = "2026-01-01T00:00:00.000Z";
    const read = (body: object) => createClient({ it }, { fetch: () => json(body), validator: standardSchema }).it();
    assertEquals((await read({ at, n: 1 })).body, { at, n: 1 });
    const error = await assertRejects(() => read({ at, n: "1" }), UnexpectedResponse);
    assertEquals(Object(error.cause).issues.map(({ path }: { path: string[] }) => path), [["n"]]);
  });

  it("is validated for the method that was sent, if the endpoint has several", async () => {
    const given: unknown[] = [];
    const several = endpoint.on(["GET", "PUT"], "/several/:id", { responses: { 200: { schema: {} } } });
    const client = createClient({ several }, {
      fetch: () => json({}),
      validator: {
        validate: (_schema, value, part, at) => {
          given.push([part, at]);
          return { ok: true, value };
        },
      },
    });
    await client.several({ method: "PUT", params: { id: 7 } });
    assertEquals(given, [["body", { method: "PUT", path: "/several/:id" }]]);
  });

  it("is read up to maxBodyBytes, whatever Content-Length says, and its rest is not", async () => {
    const it = endpoint.get("/it", {
      responses: { 200: { schema: z.string() }, 201: { contentType: "text/csv", schema: z.string() } },
    });
    const json = JSON.stringify("é".repeat(100));
    const bytes = new TextEncoder().encode(json);
    let isCancelled = false;
    const answers: Record<string, () => Response> = {
      "at once": () => new Response(json),
      "with its length": () => new Response(json, { headers: { "content-length": `${bytes.length}` } }),
      "encoded, as it seems": () =>
        new Response(json, { headers: { "content-length": "1", "content-encoding": "gzip" } }),
      "of another type": () => new Response(json, { status: 201 }),
      "in chunks": () =>
        new Response(
          new ReadableStream({
            start(controller) {
              for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
              controller.close();
            },
          }),
        ),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const read = (maxBodyBytes?: number) => createClient({ it }, { fetch: answer, maxBodyBytes }).it();
      for (const most of [undefined, Infinity, bytes.length]) {
        const { body } = await read(most);
        assertEquals(body.replaceAll('"', ""), "é".repeat(100), name);
      }
      const error = await assertRejects(() => read(bytes.length - 1), UnexpectedResponse);
      assertEquals(
        error.message.replace(/.*answered 20\d/, ""),
        `, with a body of more than ${bytes.length - 1} bytes`,
      );
    }
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel: () => void (isCancelled = true),
    });
    const client = createClient({ it }, { fetch: () => new Response(endless), maxBodyBytes: 5000 });
    await assertRejects(() => client.it(), UnexpectedResponse, "with a body of more than 5000 bytes");
    assertEquals(isCancelled, true);
    for (const maxBodyBytes of [-1, 1.5, NaN, "10"]) {
      assertThrows(
        () => createClient({ it }, { maxBodyBytes: maxBodyBytes as number }),
        TypeError,
        "Option maxBodyBytes of createClient must be a whole number of bytes, or Infinity: received",
      );
    }
  });

  it("passes the errors of fetch and of the validator on", async () => {
    const error = new Error("Offline");
    const offline = createClient(endpoints, { fetch: () => Promise.reject(error) });
    assertStrictEquals(await assertRejects(() => offline.json()), error);
    const cutOff = new Response(new ReadableStream({ start: (controller) => controller.error(error) }));
    assertStrictEquals(await assertRejects(() => answerWith(cutOff).json()), error);
    const broken = answerWith(json({ n: 1 }), { validate: () => Promise.reject(error) });
    assertStrictEquals(await assertRejects(() => broken.json()), error);
    const schemaless = createClient({ a: endpoint.get("/a", { responses: { 200: { schema: {} } } }) }, {
      fetch: () => json({}),
      validator: standardSchema,
    });
    await assertRejects(() => schemaless.a(), TypeError, 'for route GET "/a"');
  });

  it("is the plain response of a route that declares no responses itself", async () => {
    const scope = route.with({ responses: { 401: {} } });
    const routes = {
      plain: scope.get("/p", { resolve: () => new Response("p", { status: 201 }) }),
      typed: scope.get("/t", { responses: {}, resolve: () => reply(401) }),
    };
    const client = createClient(routes, { fetch: setup({ handlers: Object.values(routes) }).fetch });
    assertEquals([(await client.plain()).status, (await client.typed()).status], [201, 401]);
  });
});
