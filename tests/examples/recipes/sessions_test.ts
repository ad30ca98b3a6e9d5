import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, afterEach, before, describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { createApp } from "../../../examples/recipes/sessions.ts";
import { digestOf } from "../../../examples/recipes/sessions/session_or_token.ts";
import { sessionStore, sessionTable } from "../../../src/sqlite/mod.ts";
import { granted } from "../../support/granted.ts";
import { hashWith } from "../hash_with.ts";
import { serve } from "../serve.ts";
import { serveApp, type ServedApp } from "./serve_app.ts";

const ORIGIN = "https://app.example.com";

function openSessions() {
  const db = new DatabaseSync(":memory:");
  db.exec(sessionTable());
  return sessionStore(db);
}

(granted("net", "read", "run") ? describe : describe.skip)("examples/recipes/sessions.ts", () => {
  const { now } = Date;
  const tokens = openSessions();
  let served: ServedApp;
  const accounts = new Map<string, { name: string; passwordHash: string }>();
  before(() => {
    // At a thousandth of the cost, which is no part of what is tested here.
    accounts.set("ada@example.com", { name: "Ada", passwordHash: hashWith(600, "correct horse") });
    const store = openSessions();
    served = serveApp(createApp({ accounts, store, tokens, origins: [ORIGIN] }));
  });
  after(() => served[Symbol.asyncDispose]());
  afterEach(() => {
    Date.now = now;
  });

  /** Lets minutes pass. */
  const pass = (minutes: number) => {
    const later = Date.now() + minutes * 60_000;
    Date.now = () => later;
  };
  const addToken = async (token: string, user: string) => {
    const digest = digestOf(token);
    await tokens.end(digest);
    await tokens.add({ digest, user, begunAt: Date.now(), endsAt: Date.now() + 60_000 }, 9);
  };

  const send = (path: string, init: RequestInit = {}, cookie?: string) =>
    fetch(served.origin + path, {
      redirect: "manual",
      ...init,
      headers: { origin: ORIGIN, ...cookie !== undefined && { cookie }, ...init.headers },
    });
  const signIn = (password: string, cookie?: string) =>
    send("/sign-in", { method: "POST", body: new URLSearchParams({ email: "ada@example.com", password }) }, cookie);

  /** What the browser sends back, and what it was told about it. */
  async function readCookie(response: Response): Promise<{ cookie: string; attributes: string }> {
    await response.body?.cancel();
    const [, cookie = "", attributes = ""] = /^([^;]+)(.*)$/.exec(response.headers.get("set-cookie") ?? "") ?? [];
    return { cookie, attributes };
  }

  async function readUser(cookie?: string): Promise<[number, unknown]> {
    const response = await send("/me", {}, cookie);
    const text = await response.text();
    return [response.status, text === "" ? response.headers.get("location") : JSON.parse(text)];
  }

  const ADA = [200, { email: "ada@example.com", name: "Ada" }] as [number, unknown];
  const FORGED = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  const NOBODY = [303, "/sign-in"] as [number, unknown];

  it("the recipe sessions signs in by the form, with a cookie that scripts and other hosts do not get", async () => {
    const response = await signIn("correct horse");
    assertEquals([response.status, response.headers.get("location")], [303, "/me"]);
    const { cookie, attributes } = await readCookie(response);
    assertMatch(cookie, /^__Host-session=/);
    assertMatch(attributes, /; Max-Age=1800; .*HttpOnly/);
    assertEquals(await readUser(cookie), ADA);
  });

  it("the recipe sessions ends the session on the server at sign-out, and has the browser forget it", async () => {
    const { cookie } = await readCookie(await signIn("correct horse"));
    const response = await send("/sign-out", { method: "POST" }, cookie);
    assertEquals([response.status, (await readCookie(response)).cookie], [303, "__Host-session="]);
    assertEquals(await readUser(cookie), NOBODY);
  });

  it("the recipe sessions renews the cookie of a session, and ends it after half an hour or eight hours", async () => {
    const { cookie } = await readCookie(await signIn("correct horse"));
    for (let minutes = 0; minutes < 460; minutes += 20) {
      pass(20);
      const response = await send("/api/me", {}, cookie);
      assertEquals([response.status, response.headers.get("cache-control")], [200, "no-store"]);
      assertEquals((await readCookie(response)).cookie, cookie);
    }
    pass(20);
    assertEquals(await readUser(cookie), NOBODY);
    const { cookie: other } = await readCookie(await signIn("correct horse"));
    pass(30);
    assertEquals(await readUser(other), NOBODY);
  });

  it("the recipe sessions ends the sessions of an account that is deleted", async () => {
    const { cookie } = await readCookie(await signIn("correct horse"));
    const account = accounts.get("ada@example.com");
    assert(account !== undefined);
    accounts.delete("ada@example.com");
    assertEquals(await readUser(cookie), NOBODY);
    accounts.set("ada@example.com", account);
  });

  it("the recipe sessions signs nobody in or out for a page of another site", async () => {
    const { cookie } = await readCookie(await signIn("correct horse"));
    for (const path of ["/sign-in", "/sign-out"]) {
      const response = await send(path, { method: "POST", headers: FORGED }, cookie);
      assertEquals([response.status, response.headers.get("set-cookie")], [403, null]);
      await response.body?.cancel();
    }
    assertEquals(await readUser(cookie), ADA);
  });

  it("the recipe sessions gives no session for a wrong password, an unknown account, another form or one over 8 KiB", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    for (
      const [body, headers, status] of [
        ["email=ada@example.com&password=wrong horse", form, 403],
        ["email=eve@example.com&password=correct horse", form, 403],
        ["{}", { "content-type": "application/json" }, 415],
        ["email=a&email=b&password=c", form, 400],
        ["", form, 400],
        [`email=a&password=${"x".repeat(8 * 1024)}`, form, 413],
      ] as const
    ) {
      const response = await send("/sign-in", { method: "POST", body, headers });
      await response.body?.cancel();
      assertEquals([response.status, response.headers.get("set-cookie")], [status, null]);
    }
  });

  /** Reads the API, then changes the name, with these headers alone. */
  async function callApi(headers: Record<string, string>): Promise<readonly [number, number]> {
    const call = async (method: "GET" | "PUT") => {
      const body = method === "PUT" ? { body: '{"name":"Ada"}' } : {};
      const response = await fetch(`${served.origin}/api/me`, { method, headers, ...body });
      assertEquals(Object.keys(await response.json()), response.ok ? ["email", "name"] : ["error"]);
      if (response.status === 401) assertEquals(response.headers.get("www-authenticate"), "Bearer");
      return response.status;
    };
    return [await call("GET"), await call("PUT")];
  }

  it("the recipe sessions hashes four passwords at once, and asks another client to try again", async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => signIn("wrong")));
    const seen = responses.map(({ status, headers }) => [status, headers.get("retry-after")].join());
    assertEquals(seen.toSorted(), ["403,", "403,", "403,", "403,", "503,1"]);
    assertEquals((await signIn("wrong")).status, 403);
  });

  it("the recipe sessions takes a token from anywhere, and a session only from its own pages", async () => {
    const { cookie } = await readCookie(await signIn("correct horse"));
    await addToken("secret", "ada@example.com");
    const authorization = "Bearer secret";

    assertEquals(await callApi({ cookie, origin: ORIGIN }), [200, 200]);
    assertEquals(await callApi({ cookie, "sec-fetch-site": "same-origin" }), [200, 200]);
    assertEquals(await callApi({ cookie, ...FORGED }), [200, 403]); // the page cannot read what GET returns
    assertEquals(await callApi({ cookie }), [200, 403]);

    assertEquals(await callApi({ authorization }), [200, 200]);
    const shown = await send("/api/me", { headers: { authorization } });
    assertEquals([shown.headers.get("cache-control"), (await shown.json()).email], ["no-store", "ada@example.com"]);
    assertEquals(await callApi({ authorization: "bearer  secret" }), [200, 200]);
    assertEquals(await callApi({ authorization, ...FORGED, cookie }), [200, 200]);
    pass(1);
    assertEquals(await callApi({ authorization }), [401, 401]);
  });

  it("the recipe sessions lets no authorization header free a session from the check of its origin", async () => {
    const { cookie } = await readCookie(await signIn("correct horse"));
    const id = cookie.slice(cookie.indexOf("=") + 1);
    await addToken("secret", "ada@example.com");
    const others = ["", "Bearer", "Bearer x", `Bearer ${id}`, "Basic YWRhOng=", "secret", "Bearer secret x"];
    for (const authorization of [...others, "Bearer secret, Bearer secret"]) {
      assertEquals(await callApi({ authorization, cookie, ...FORGED }), [401, 401], authorization);
      assertEquals(await callApi({ authorization, cookie, origin: ORIGIN }), [401, 401], authorization);
    }
    assertEquals(await callApi({ cookie: "__Host-session=secret", origin: ORIGIN }), [401, 401]);
    assertEquals(await callApi({ origin: ORIGIN }), [401, 401]);
    assertEquals(await callApi({}), [401, 401]);
  });

  it("the recipe sessions denies a token of an account that is deleted, and a stranger's body is not read", async () => {
    await addToken("orphan", "nobody@example.com");
    assertEquals(await callApi({ authorization: "Bearer orphan" }), [401, 401]);
    const { hostname, port } = new URL(served.origin);
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const head = "PUT /api/me HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n{";
    await connection.write(new TextEncoder().encode(head)); // the rest never comes
    const bytes = new Uint8Array(1024);
    const answer = new TextDecoder().decode(bytes.subarray(0, await connection.read(bytes) ?? 0));
    assertMatch(answer, /^HTTP\/1\.1 401 /);
  });

  it("the recipe sessions does not bring an account back that is deleted while the new name arrives", async () => {
    const own = new Map([["bob@example.com", { name: "Bob", passwordHash: "" }]]);
    const app = createApp({ accounts: own, store: openSessions(), tokens, origins: [ORIGIN] });
    await addToken("of-bob", "bob@example.com");
    const body = new ReadableStream({
      pull(controller) {
        own.clear();
        controller.enqueue(new TextEncoder().encode('{"name":"Robert"}'));
        controller.close();
      },
    }, { highWaterMark: 0 });
    const init = { method: "PUT", headers: { authorization: "Bearer of-bob" }, body, duplex: "half" };
    const response = await app.fetch(new Request(`${ORIGIN}/api/me`, init));
    assertEquals([response.status, own.size], [404, 0]);
  });

  it("the recipe sessions is served by its first line, with a page to sign in at", async () => {
    await using server = await serve("examples/recipes/sessions.ts");
    const page = await fetch(`${server.origin}/sign-in`);
    assertEquals(page.headers.get("content-security-policy"), "frame-ancestors 'none'");
    const text = await page.text();
    assertEquals(text.match(/(?<=name=")\w+/g)?.map(String), ["email", "password"]);
    const response = await fetch(`${server.origin}/sign-in`, {
      method: "POST",
      body: new URLSearchParams({ email: "ada@example.com", password: "correct horse" }),
      headers: { origin: "http://localhost:8000" },
      redirect: "manual",
    });
    assertEquals(response.status, 303);
    await response.body?.cancel();
  });
});
