import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { reply, route, setup } from "../../../mod.ts";
import { handshake, type HandshakeOptions } from "../../../src/sockets/mod.ts";
import { handshakeOf } from "../../support/sockets/memory_sockets.ts";

/** Hides the types of the arguments from the compiler, as JavaScript does. */
const untyped = handshake as (options?: unknown) => unknown;

async function statusOf(request: Request, origins: HandshakeOptions["origins"] = []): Promise<number> {
  const app = setup({
    handlers: [route.get("/*", { guards: [handshake({ origins })], resolve: () => new Response() })],
  });
  return (await app.fetch(request)).status;
}

describe("handshake()", () => {
  it("lets a handshake of a client without an origin pass, and of a page of the same host", async () => {
    assertEquals(await statusOf(handshakeOf()), 200);
    assertEquals(await statusOf(handshakeOf("http://localhost/", { origin: "http://localhost" })), 200);
    // A proxy has terminated TLS.
    assertEquals(await statusOf(handshakeOf("http://localhost:8000/", { origin: "https://localhost:8000" })), 200);
    // A proxy adds the default port to the host.
    assertEquals(await statusOf(handshakeOf("http://localhost:443/", { origin: "https://localhost" })), 200);
    assertEquals(await statusOf(handshakeOf("https://localhost:80/", { origin: "http://localhost" })), 200);
    assertEquals(await statusOf(handshakeOf("http://localhost:443/", { origin: "http://localhost" })), 403);
    assertEquals(await statusOf(handshakeOf("http://localhost:443/", { origin: "https://localhost:444" })), 403);
    assertEquals(await statusOf(handshakeOf("http://localhost/", { upgrade: "h2c, WebSocket" })), 200);
    assertEquals(await statusOf(handshakeOf("http://localhost/", { connection: "keep-alive, UPGRADE" })), 200);
  });

  it("denies pages of other hosts, unless they are named", async () => {
    const origins = ["https://app.example.com", "capacitor://localhost"];
    for (const origin of origins) {
      assertEquals(await statusOf(handshakeOf("http://localhost/", { origin }), origins), 200, origin);
    }
    const others = [
      "https://evil.example",
      "http://app.example.com",
      "https://app.example.com:444",
      "https://app.example.com.evil.example",
      "http://localhost:8000",
      "http://localhost.evil.example",
      "http://evil.example/localhost",
      "http://localhost@evil.example",
      "http://evil.example@localhost",
      "http://localhost\\.evil.example",
      "http://localhost/.evil.example",
      "http://localhost#.evil.example",
      "http://localhost, http://evil.example",
      "localhost",
      "evil://localhost",
      "null",
      "",
    ];
    for (const origin of others) {
      assertEquals(await statusOf(handshakeOf("http://localhost/", { origin }), origins), 403, origin);
      assertEquals(await statusOf(handshakeOf("http://localhost/", { origin }), "any"), 200, origin);
    }
  });

  it("denies what is no handshake", async () => {
    const denied: readonly (readonly [number, Readonly<Record<string, string>>])[] = [
      [426, { upgrade: "h2c" }],
      [426, { upgrade: "websockets" }],
      [426, { upgrade: "" }],
      [426, { "sec-websocket-version": "" }],
      [426, { "sec-websocket-version": "8" }],
      [426, { "sec-websocket-version": "13, 8" }],
      [400, { connection: "keep-alive" }],
      [400, { connection: "upgraded" }],
      [400, { "sec-websocket-key": "" }],
      [400, { "sec-websocket-key": "short" }],
      [400, { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==x" }],
      [400, { "sec-websocket-key": `${"*".repeat(22)}==` }],
      [400, { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ==" }],
    ];
    for (const [status, headers] of denied) {
      assertEquals(await statusOf(handshakeOf("http://localhost/", headers)), status, JSON.stringify(headers));
    }
    assertEquals(await statusOf(new Request("http://localhost/")), 426);
    const app = setup({
      handlers: [
        route.on(["HEAD", "POST"], "/", { guards: [handshake({ origins: [] })], resolve: () => new Response() }),
      ],
    });
    for (const method of ["HEAD", "POST"]) {
      const request = Object.defineProperty(handshakeOf(), "method", { value: method });
      assertEquals((await app.fetch(request)).status, 400, method);
    }
  });

  it("says which protocol it demands, and denies with the response of the app", async () => {
    const shaken = handshake({ origins: [], refuse: (status, c) => reply(status, { code: c.request.method }) });
    const app = setup({ handlers: [route.get("/", { guards: [shaken], resolve: () => new Response() })] });
    const response = await app.fetch(new Request("http://localhost/"));
    assertEquals(response.status, 426);
    assertEquals(response.headers.get("upgrade"), "websocket");
    assertEquals(response.headers.get("sec-websocket-version"), "13");
    assertEquals(await response.json(), { code: "GET" });
  });

  it("sends no header of HTTP/1 on Node.js in response to a request without one: it may have come over HTTP/2", async () => {
    const app = setup({
      handlers: [route.get("/", { guards: [handshake({ origins: [] })], resolve: () => new Response() })],
    });
    const headersFor = async (request: Request) => {
      const untyped: (request: Request, ...extra: readonly unknown[]) => Response | Promise<Response> = app.fetch;
      return [...(await untyped(request, undefined, { throwsForUpgrade: true })).headers.keys()];
    };
    assertEquals(await headersFor(new Request("http://localhost/")), ["sec-websocket-version"]);
    const keptAlive = handshakeOf("http://localhost/", { connection: "keep-alive", upgrade: "" });
    assertEquals(await headersFor(keptAlive), ["sec-websocket-version", "upgrade"]);
  });

  it("rejects origins that no browser sends, and unknown options", () => {
    const wrong = ["https://app.example.com/", "app.example.com", "*", "https://*.example.com", "null", ""];
    for (const origin of [...wrong, "capacitor://LOCALHOST"]) {
      assertThrows(
        () => handshake({ origins: [origin] }),
        TypeError,
        `Option origins of handshake must have origins such as "https://app.example.com": received "${origin}"`,
      );
    }
    assertThrows(() => untyped(), TypeError, "Options of handshake must be an object: received undefined");
    assertThrows(
      () => untyped({}),
      TypeError,
      "Option origins of handshake must be an array, or any: received undefined",
    );
    assertThrows(() => untyped({ origins: "all" }), TypeError, "must be an array, or any: received a string");
    assertThrows(
      () => untyped({ origins: [], refuse: 403 }),
      TypeError,
      "Option refuse of handshake must be a function",
    );
    assertThrows(
      () => untyped({ origin: [] }),
      TypeError,
      'Option "origin" of handshake is unknown: did you mean origins?',
    );
  });
});
