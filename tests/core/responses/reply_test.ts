import { assertEquals, assertMatch, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, deny, denyInvalid, reply, replyAs, type ReplyInit, route, setup } from "../../../mod.ts";
import { post, request } from "../../support/request.ts";

/** Hides the types of the arguments from the compiler, as JavaScript does. */
const untyped = reply as (status: number, body?: unknown, init?: ReplyInit) => Response;

/** The message of the error that these arguments cause. */
function refusal(...args: Parameters<typeof untyped>): string {
  return assertThrows(() => untyped(...args), TypeError).message;
}

describe("reply()", () => {
  it("sends the body as JSON, with the status", async () => {
    const sent = reply(201, { id: "1", at: new Date(0), tags: ["a"] });
    assertEquals([sent.status, sent.headers.get("content-type")?.slice(0, 16)], [201, "application/json"]);
    assertEquals(await sent.text(), '{"id":"1","at":"1970-01-01T00:00:00.000Z","tags":["a"]}');
  });

  it("sends each kind of JSON: only undefined means no body", async () => {
    for (const body of [null, false, 0, "", [], {}, { constructor: 1 }, Object.create(null)]) {
      assertEquals(await untyped(200, body).text(), JSON.stringify(body));
    }
    for (const sent of [untyped(200), untyped(200, undefined), untyped(204), untyped(404, undefined, {})]) {
      assertEquals([sent.body, sent.headers.get("content-type")], [null, null]);
    }
  });

  it("adds headers and status text, but not the status of init", async () => {
    const init: ReplyInit & { status: number } = { status: 500, statusText: "Made", headers: { location: "/1" } };
    for (const sent of [untyped(201, { id: 1 }, init), untyped(201, undefined, init)]) {
      assertEquals([sent.status, sent.statusText, sent.headers.get("location")], [201, "Made", "/1"]);
      await sent.body?.cancel();
    }
    assertEquals(init.status, 500);
  });

  it("percent-encodes a URL in a header beyond ASCII, and what no header can have, and leaves the rest as it is", () => {
    const cases = [
      ["/books/a b?x=%2F#é", "/books/a b?x=%2F#%C3%A9"],
      ["/books/é", "/books/%C3%A9"],
      ["/books/日本", "/books/%E6%97%A5%E6%9C%AC"],
      ["/books/\u{1f600}", "/books/%F0%9F%98%80"],
      ["/books/\ud800x", "/books/%EF%BF%BDx"],
      ["/a\r\nset-cookie: x\0\t", "/a%0D%0Aset-cookie: x%00%09"],
      ["/plain", "/plain"],
    ] as const;
    for (const [given, sent] of cases) {
      for (const name of ["location", "Location", "content-location"]) {
        const all = [{ [name]: given }, [[name, given]], new Map([[name, given]]), { [name]: given, "x-u": undefined }];
        for (const headers of all as Record<string, string>[]) {
          for (
            const response of [
              untyped(303, undefined, { headers }),
              untyped(201, "1", { headers, contentType: "text/plain" }),
            ]
          ) {
            assertEquals(response.headers.get(name), sent);
          }
        }
      }
    }
  });

  it("sends a header that is a string, a number or a boolean, and none that is undefined", () => {
    for (const contentType of [undefined, "text/plain"]) {
      for (const none of [{}, { "x-u": undefined }]) {
        // A name as long as content-type is another name all the same.
        const sent = { "x-n": 1, "x-b": false, "x-s": "", "x-request-id": "7", ...none };
        const { headers } = untyped(200, "1", { ...contentType && { contentType }, headers: sent });
        assertEquals(Object.keys(sent).map((name) => headers.get(name)).slice(0, 4), ["1", "false", "", "7"]);
        assertEquals(headers.get("x-u"), null);
        assertEquals(headers.get("content-type")?.slice(0, 16), contentType ?? "application/json");
      }
    }
    const polluted = reply(204, undefined, { headers: Object.create({ "x-inherited": "1" }) });
    assertEquals(polluted.headers.get("x-inherited"), null);
  });

  it("takes the headers as Headers or as pairs, too, which may repeat a name", () => {
    for (
      const pairs of [[["set-cookie", "a=1"], ["set-cookie", "b=2"]] as const, new Headers({ "set-cookie": "a=1" })]
    ) {
      const cookies = reply(204, undefined, { headers: pairs }).headers.getSetCookie();
      assertEquals(cookies, ["a=1", "b=2"].slice(0, pairs instanceof Headers ? 1 : 2));
    }
  });

  it("sends JSON with any media type of JSON, with parameters and in any case", async () => {
    for (const contentType of ["application/problem+json", "application/json; charset=utf-8", "Application/LD+JSON"]) {
      for (const body of [{ a: 1 }, "text", null]) {
        const sent = untyped(404, body, { contentType, headers: { "x-a": "1" } });
        assertEquals([sent.status, sent.headers.get("x-a")], [404, "1"]);
        assertEquals([sent.headers.get("content-type"), await sent.text()], [contentType, JSON.stringify(body)]);
      }
    }
  });

  it("sends a string as it is with any other media type", async () => {
    for (const contentType of ["text/plain", "text/csv; charset=utf-8", "application/json-seq", "application/jsonl"]) {
      const sent = reply(200, '"hello"', { contentType });
      assertEquals([sent.headers.get("content-type"), await sent.text()], [contentType, '"hello"']);
    }
  });

  it("sends a media type without a body, as for HEAD", () => {
    const sent = reply(200, undefined, { contentType: "text/csv" });
    assertEquals([sent.body, sent.headers.get("content-type")], [null, "text/csv"]);
  });

  it("throws if a body is not what its media type needs, and names both", () => {
    assertEquals(
      refusal(200, { a: 1 }, { contentType: "text/plain" }),
      "reply(200, body) as text/plain must have a string as its body: received an object",
    );
    assertEquals(
      refusal(200, () => {}, { contentType: "application/problem+json" }),
      "reply(200, body) as application/problem+json must have JSON as its body: received a function",
    );
  });

  it("throws if headers have a content type: contentType is the only way to name it", () => {
    const given = [
      { "content-type": "text/html" },
      { "Content-Type": "text/html" },
      new Headers({ "content-type": "a/b" }),
    ];
    for (const headers of [...given, [["CONTENT-TYPE", "text/html"]]]) {
      assertMatch(
        refusal(200, {}, { headers } as ReplyInit),
        /^reply\(200\) must have contentType beside headers: received the header "content-type"$/i,
      );
    }
  });

  it("throws for a misspelt option, also beside a known one", () => {
    const cases: readonly [init: unknown, message: string][] = [
      [{ header: { etag: "1" } }, 'Option "header" of reply is unknown: did you mean headers?'],
      [{ headers: {}, contenttype: "a/b" }, 'Option "contenttype" of reply is unknown: did you mean contentType?'],
      [
        { contentType: "application/json", cookies: {} },
        'Option "cookies" of reply is unknown: the options are headers, contentType, statusText',
      ],
      ["text/plain", "Options of reply must be an object: received a string"],
      [["text/plain"], "Options of reply must be an object: received an array"],
    ];
    for (const [init, message] of cases) {
      for (const body of ["x", undefined]) assertEquals(refusal(200, body, init as ReplyInit), message);
    }
    const problem = replyAs("application/problem+json") as (...args: readonly unknown[]) => Response;
    assertThrows(
      () => problem(404, {}, { header: {} }),
      TypeError,
      'Option "header" of reply is unknown: did you mean headers?',
    );
    const declared = { schema: {}, description: "Text", contentType: "text/plain" };
    assertEquals(untyped(200, "text", declared).headers.get("content-type"), "text/plain");
    // An inherited key is not an option: a polluted prototype must not end all responses.
    assertEquals(
      untyped(200, 1, Object.assign(Object.create({ polluted: 1 }), { statusText: "Fine" })).statusText,
      "Fine",
    );
  });

  it("passes a ready response on, by identity", () => {
    const ready = Response.redirect("http://localhost/", 303);
    assertStrictEquals(reply(303, ready), ready);
    const unmodified = new Response(null, { status: 304 });
    assertStrictEquals(reply(304, unmodified), unmodified);
    // The class of an adapter, as of another realm.
    class AdapterResponse {
      readonly status = 200;
      get [Symbol.toStringTag]() {
        return "Response";
      }
    }
    const foreign = new AdapterResponse();
    assertStrictEquals<unknown>(untyped(200, foreign), foreign);
  });

  it("throws if a ready response has another status, or comes with init", () => {
    assertEquals(
      refusal(303, new Response(null, { status: 302 })),
      "reply(303, response) must have a response of that status: received 302",
    );
    assertEquals(
      refusal(200, new Response(), { headers: { a: "b" } }),
      "reply(200, response) must not have init: set headers in the response",
    );
  });

  it("throws if the status allows no body, on every runtime", () => {
    for (const status of [101, 204, 205, 304]) {
      for (const body of [{}, null, ""]) {
        assertEquals(refusal(status, body), `reply(${status}) must not have a body`);
      }
    }
  });

  it("throws what the platform throws for other statuses, and for what is not JSON", () => {
    for (const status of [0, 99, 199, 600, 1000]) {
      for (const body of [undefined, {}]) assertThrows(() => untyped(status, body), RangeError);
    }
    assertThrows(() => untyped(200, 1n), TypeError);
    // workerd makes an empty response of these two.
    for (const body of [() => {}, Symbol("a")]) {
      assertEquals(
        outcomeOf(() => untyped(200, body)),
        outcomeOf(() => Response.json(body)),
      );
    }
  });
});

describe("replyAs()", () => {
  it("makes a reply for one media type", async () => {
    const problem = replyAs("application/problem+json");
    const sent = problem(404, { title: "No such book" });
    assertEquals([sent.status, sent.headers.get("content-type")], [404, "application/problem+json"]);
    assertEquals(await sent.json(), { title: "No such book" });
    const limited = problem(429, {}, { headers: { "retry-after": 1 }, statusText: "Slower" });
    assertEquals([limited.headers.get("retry-after"), limited.statusText], ["1", "Slower"]);
    assertEquals(limited.headers.get("content-type"), "application/problem+json");
    assertEquals(await replyAs("text/csv")(200, "a,b").text(), "a,b");
  });
});

/** The name of the error that a function throws, or "Response". */
function outcomeOf(create: () => Response): string {
  try {
    create();
    return "Response";
  } catch (error) {
    return error instanceof Error ? error.name : typeof error;
  }
}

describe("responses of a route", () => {
  const responses = { 200: { schema: {} }, 400: { schema: {} }, 401: {} };
  const validator = {
    validate: (_schema: unknown, value: unknown, part: "body" | "params" | "query") =>
      value === 1
        ? { ok: true as const, value }
        : { ok: false as const, issues: [{ part, path: [], message: "not 1" }] },
  };

  it("change nothing at run time: whatever the handler returns is sent", async () => {
    const other = new Response("Anything", { status: 418 });
    const app = setup({ handlers: [route.get("/", { responses, resolve: () => other as never })] });
    assertStrictEquals(await app.fetch(request("/")), other);
  });

  it("do not change what a guard denies with", async () => {
    const denial = reply(401);
    const app = setup({
      validator,
      handlers: [
        route.get("/", { responses, guards: [() => deny(denial)], resolve: () => reply(200, 1) }),
        route.post("/", {
          request: { body: {} },
          responses,
          guards: [denyInvalid(({ issues }) => reply(400, issues)), () => allow()],
          resolve: (c) => reply(200, c.input.body),
        }),
      ],
    });
    assertStrictEquals(await app.fetch(request("/")), denial);
    assertEquals((await app.fetch(post("/", "1"))).status, 200);
    const invalid = await app.fetch(post("/", "2"));
    assertEquals([invalid.status, await invalid.json()], [400, [{ part: "body", path: [], message: "not 1" }]]);
  });

  it("are data of the route, merged over those of its scopes", () => {
    const scope = route.with({ responses: { 401: {}, 404: { description: "Outer" } } }).with({ prefix: "/v1" });
    const own = scope.get("", { responses: { 404: { description: "Own" } }, resolve: () => reply(401) });
    assertEquals(own.responses, { 401: {}, 404: { description: "Own" } });
    assertEquals(own.scopeResponses, { 401: {}, 404: { description: "Outer" } });
    assertEquals(scope.get("", { resolve: () => reply(200) }).responses, undefined);
    assertEquals("responses" in route.get("/", { resolve: () => reply(200) }), false);
  });
});
