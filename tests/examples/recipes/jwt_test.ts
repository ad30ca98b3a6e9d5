import { assertEquals } from "@std/assert";
import { after, afterEach, before, beforeEach, describe, it } from "@std/testing/bdd";
import {
  CompactSign,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
  type JWTHeaderParameters,
} from "jose";
import { granted } from "../../support/granted.ts";
import { serve, type Served } from "../serve.ts";
import { until } from "../../support/until.ts";
import { serveApp, type ServedApp } from "./serve_app.ts";

const ISSUER = "https://issuer.example.com";
const AUDIENCE = "https://api.example.com";
const INVALID = 'Bearer error="invalid_token"';

/** A key of the issuer, with what it publishes of it. */
async function createKey(kid: string): Promise<{ jwk: JWK; sign: typeof sign }> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwk = { ...await exportJWK(publicKey), kid, alg: "ES256", use: "sig" };
  const sign = (claims: Record<string, unknown> = {}, header: Partial<JWTHeaderParameters> = {}) => {
    return new CompactSign(encode({ iss: ISSUER, aud: AUDIENCE, sub: "ada", exp: now() + 60, ...claims }))
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid, ...header }).sign(privateKey);
  };
  return { jwk, sign };
}

/** Serves the example, which may reach only this issuer. */
function serveExample(jwks: string): Promise<Served> {
  const permissions = [`--allow-net=${new URL(jwks).host}`];
  return serve("examples/recipes/jwt.ts", { permissions, env: { ISSUER, AUDIENCE, JWKS: jwks } });
}

const now = () => Math.floor(Date.now() / 1000);

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

(granted("env", "net", "read", "run") ? describe : describe.skip)("examples/recipes/jwt.ts", () => {
  let createApp: typeof import("../../../examples/recipes/jwt.ts").createApp;
  let published: JSONWebKeySet;
  let rsa: Awaited<ReturnType<typeof generateKeyPair>>;
  let key: Awaited<ReturnType<typeof createKey>>;
  let issuer: ServedApp;
  let served: ServedApp;
  before(async () => {
    // It reads its variables on import.
    ({ createApp } = await import("../../../examples/recipes/jwt.ts"));
    key = await createKey("key 1");
    rsa = await generateKeyPair("RS256");
    published = { keys: [key.jwk, { ...await exportJWK(rsa.publicKey), kid: "rsa", alg: "RS256" }] };
    issuer = serveApp({ fetch: () => Response.json(published) });
    served = serveApp(createApp({ issuer: ISSUER, audience: AUDIENCE, keys: createLocalJWKSet(published) }));
  });
  after(async () => {
    await served[Symbol.asyncDispose]();
    await issuer[Symbol.asyncDispose]();
  });

  async function ask(token?: string, { method = "GET", origin = served.origin } = {}) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${origin}/books`, { method, headers });
    const text = await response.text();
    return [response.status, text === "" ? response.headers.get("www-authenticate") : JSON.parse(text)];
  }

  it("the recipe jwt lets in the bearer of a token, and knows whose it is", async () => {
    assertEquals(await ask(await key.sign()), [200, { readBy: "ada" }]);
    assertEquals(await ask(await key.sign({ aud: ["https://other.example.com", AUDIENCE] })), [200, { readBy: "ada" }]);
  });

  it("the recipe jwt rejects a token of another issuer, for another audience, too old, too young, or of no user", async () => {
    for (
      const claims of [
        { iss: "https://evil.example" },
        { aud: "https://other.example.com" },
        { exp: now() - 60 },
        { exp: undefined },
        { nbf: now() + 60 },
        { sub: undefined },
        { sub: "" },
        { sub: 7 },
        { scope: ["books:write"] },
      ]
    ) {
      assertEquals(await ask(await key.sign(claims)), [401, INVALID], JSON.stringify(claims));
    }
  });

  it("CVE-2026-22817, CVE-2026-22818: the recipe jwt takes neither algorithm nor key from the token", async () => {
    const other = await createKey("key 1");
    assertEquals(await ask(await other.sign()), [401, INVALID]);
    assertEquals(await ask(await other.sign({}, { jwk: other.jwk })), [401, INVALID]);
    assertEquals(await ask(await key.sign({}, { typ: "JWT" })), [401, INVALID]);
    assertEquals(await ask(await key.sign({}, { kid: "key 0" })), [401, INVALID]);
    const [, payload, signature] = (await key.sign()).split(".");
    for (const alg of ["none", "RS256", ""]) {
      const head = btoa(JSON.stringify({ alg, typ: "at+jwt", kid: "key 1" })).replaceAll("=", "");
      assertEquals(await ask(`${head}.${payload}.${alg === "none" ? "" : signature}`), [401, INVALID], alg);
    }
    // The public key as if it were a secret: what works where a verifier takes the algorithm from the token.
    const confused = await new CompactSign(encode({ iss: ISSUER, aud: AUDIENCE, sub: "eve", exp: now() + 60 }))
      .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: "key 1" }).sign(encode(key.jwk));
    assertEquals(await ask(confused), [401, INVALID]);
    for (const token of ["x", "a.b.c", "x".repeat(8000)]) assertEquals(await ask(token), [401, INVALID]);
  });

  it("CVE-2026-47673: the recipe jwt asks for a token where there is none after Bearer, and says no more", async () => {
    assertEquals(await ask(), [401, "Bearer"]);
    const token = await key.sign();
    const wrong = ["", "Basic ", "DPoP ", "BearerX ", "xBearer ", "Bearer", "Bearer: ", "Basic x, Bearer ", "Bearer\t"];
    for (const authorization of ["", "Bearer", `Bearer ${token} x`, ...wrong.map((scheme) => scheme + token)]) {
      const response = await fetch(`${served.origin}/books`, { headers: { authorization } });
      assertEquals([response.status, response.headers.get("www-authenticate")], [401, "Bearer"], authorization);
    }
    const response = await fetch(`${served.origin}/books`, { headers: { authorization: `bearer ${token}` } });
    assertEquals(response.status, 200);
  });

  it("the recipe jwt rejects an algorithm that is not expected, though the issuer publishes a key for it", async () => {
    const token = new CompactSign(encode({ iss: ISSUER, aud: AUDIENCE, sub: "ada", exp: now() + 60 }))
      .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: "rsa" });
    assertEquals(await ask(await token.sign(rsa.privateKey)), [401, INVALID]);
  });

  it("the recipe jwt asks for a scope on top", async () => {
    const missing = [403, 'Bearer error="insufficient_scope", scope="books:write"'];
    const post = async (scope?: string) => await ask(await key.sign({ scope }), { method: "POST" });
    assertEquals(await post("books:read books:write"), [201, { createdBy: "ada" }]);
    for (const scope of [undefined, "", "books:read", "books:writes", "BOOKS:WRITE"]) {
      assertEquals(await post(scope), missing);
    }
    assertEquals(await ask(undefined, { method: "POST" }), [401, "Bearer"]);
  });

  it("the recipe jwt is served by its first line, and trusts whom its variables name", async () => {
    await using server = await serveExample(issuer.origin);
    assertEquals(await ask(await key.sign(), server), [200, { readBy: "ada" }]);
    assertEquals(await ask(await key.sign({ iss: "https://evil.example" }), server), [401, INVALID]);
    assertEquals(await ask(await key.sign({}, { kid: "key 0" }), server), [401, INVALID]);
  });

  describe("while the issuer gives no keys", () => {
    const { error } = console;
    const { timeout } = AbortSignal;
    const { now } = performance;
    let asked = 0;
    let logged = 0;
    /** The clock of the recipe, in milliseconds. It goes on only where a test says so. */
    let time = 0;
    let patience = new AbortController();
    let hanging = Promise.withResolvers<Response>();
    let answer: () => Response | Promise<Response> = () => Response.json(published);
    let stranger: ServedApp;
    let app: ServedApp;
    beforeEach(async () => {
      // It reads its variables on import.
      const { fetchKeys } = await import("../../../examples/recipes/jwt/fetch_keys.ts");
      [asked, logged, time] = [0, 0, 1e6];
      patience = new AbortController();
      hanging = Promise.withResolvers();
      performance.now = () => time;
      AbortSignal.timeout = (milliseconds) => {
        assertEquals(milliseconds, 3000);
        return patience.signal;
      };
      console.error = (message) => void (logged += Number(`${message}`.startsWith("The keys of the issuer are not")));
      stranger = serveApp({ fetch: () => (asked++, answer()) });
      app = serveApp(createApp({ issuer: ISSUER, audience: AUDIENCE, keys: fetchKeys(new URL(stranger.origin)) }));
    });
    afterEach(async () => {
      hanging.resolve(new Response());
      await app[Symbol.asyncDispose]();
      await stranger[Symbol.asyncDispose]();
      Object.assign(performance, { now });
      Object.assign(AbortSignal, { timeout });
      Object.assign(console, { error });
    });

    const attempt = async (token: string) => {
      const response = await fetch(`${app.origin}/books`, { headers: { authorization: `Bearer ${token}` } });
      await response.body?.cancel();
      return [response.status, response.headers.get("retry-after")];
    };
    /** Tokens that name no key of the issuer. */
    const bogus = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => key.sign({}, { kid: `bogus ${index}` })));

    for (
      const [name, failure] of [
        ["an error", () => new Response(null, { status: 500 })],
        ["a redirect", () => new Response(null, { status: 302, headers: { location: issuer.origin } })],
        ["text", () => new Response("maintenance")],
        ["no key set", () => Response.json({ keys: "none" })],
        ["a key set of a byte more than 64 KiB", () => new Response(JSON.stringify(published).padEnd(2 ** 16 + 1))],
      ] as const
    ) {
      it(`the recipe jwt responds with 503, asks once in five seconds, and logs once: ${name}, while the issuer gives no keys`, async () => {
        answer = failure;
        const token = await key.sign();
        const all = [token, ...await bogus(30)];
        assertEquals(await Promise.all(all.map(attempt)), all.map(() => [503, "5"]));
        time += 4999;
        for (const one of all) assertEquals(await attempt(one), [503, "5"]);
        assertEquals([asked, logged], [1, 1]);
      });
    }

    it("the recipe jwt asks again after five seconds, while the issuer gives no keys", async () => {
      answer = () => new Response(null, { status: 500 });
      const token = await key.sign();
      assertEquals(await attempt(token), [503, "5"]);
      answer = () => Response.json(published);
      time += 4999;
      assertEquals(await attempt(token), [503, "5"]);
      time += 1;
      assertEquals(await attempt(token), [200, null]);
      assertEquals([asked, logged], [2, 1]);
    });

    it("the recipe jwt responds with 503 and logs once if it cannot be reached, while the issuer gives no keys", async () => {
      await stranger[Symbol.asyncDispose]();
      for (const token of await bogus(30)) assertEquals(await attempt(token), [503, "5"]);
      assertEquals(logged, 1);
    });

    for (
      const [name, hang] of [
        ["a response", () => hanging.promise],
        ["the end of a body", () => new Response(new ReadableStream({ start: (body) => body.enqueue(encode({})) }))],
      ] as const
    ) {
      it(`the recipe jwt does not wait for ever, and asks once for all requests: ${name}, while the issuer gives no keys`, async () => {
        answer = hang;
        const all = [await key.sign(), ...await bogus(30)];
        const attempts = Promise.all(all.map(attempt));
        await until(() => asked > 0);
        patience.abort(new DOMException("The three seconds are over", "TimeoutError"));
        assertEquals(await attempts, all.map(() => [503, "5"]));
        assertEquals(await attempt(await key.sign()), [503, "5"]);
        assertEquals([asked, logged], [1, 1]);
      });
    }

    it("the recipe jwt accepts tokens of keys that it has, and none whose key it cannot find, while the issuer gives no keys", async () => {
      answer = () => Response.json(published);
      const token = await key.sign();
      assertEquals(await attempt(token), [200, null]);
      answer = () => new Response(null, { status: 500 });
      for (const one of await bogus(30)) assertEquals((await attempt(one))[0] === 200, false);
      assertEquals(await attempt(token), [200, null]);
      assertEquals([asked <= 2, logged <= 1], [true, true]);
    });
  });
});
