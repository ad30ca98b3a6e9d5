import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { beforeBody, reply, route, setup } from "../../../mod.ts";
import { ownPages, type OwnPagesOptions } from "../../../src/session/mod.ts";
import { request } from "../../support/request.ts";

const OWN = "https://app.example.com";
const refuse = () => reply(403, { error: "Cross-site request" });
const ownPage = ownPages({ origins: [OWN, "capacitor://localhost"], refuse });
const app = setup({
  handlers: [
    route.all("/", {
      guards: [beforeBody(ownPage)],
      resolve: async (c) => reply(200, [c.locals.ownPage, await c.request.text()]),
    }),
  ],
});

async function statusOf(headers: HeadersInit, init: RequestInit = {}): Promise<number> {
  return (await app.fetch(request("/", { method: "POST", headers, ...init }))).status;
}

describe("ownPages()", () => {
  it("lets in requests of the page's own origin, and of origins in the list", async () => {
    assertEquals(await statusOf({ "sec-fetch-site": "same-origin" }), 200);
    assertEquals(await statusOf({ "sec-fetch-site": "same-origin", origin: "null" }), 200);
    assertEquals(await statusOf({ origin: OWN }), 200);
    assertEquals(await statusOf({ origin: "capacitor://localhost" }), 200);
    assertEquals(await statusOf({ "sec-fetch-site": "cross-site", origin: OWN }), 200);
  });

  it("adds the local ownPage, and leaves the body to the handler", async () => {
    const response = await app.fetch(request("/", { method: "POST", headers: { origin: OWN }, body: "text" }));
    assertEquals(await response.json(), [true, "text"]);
  });

  it("denies requests of any other page, in the application's format", async () => {
    const origins = ["https://evil.example", `${OWN}.evil.example`, "https://example.com", `${OWN}:8443`, "null", ""];
    const others = ["http://app.example.com", `${OWN}/`, OWN.toUpperCase(), `${OWN}, ${OWN}`, "__proto__", "*"];
    for (const origin of [...origins, ...others]) {
      for (const site of ["cross-site", "same-site", "none"]) {
        assertEquals([origin, await statusOf({ origin, "sec-fetch-site": site })], [origin, 403]);
      }
      assertEquals([origin, await statusOf({ origin })], [origin, 403]);
    }
    const denied = await app.fetch(request("/", { method: "POST" }));
    assertEquals(await denied.json(), { error: "Cross-site request" });
  });

  it("denies a request without both headers, and with a header that is not one value", async () => {
    assertEquals(await statusOf({}), 403);
    for (const site of ["none", "Same-Origin", "same-origin, cross-site", "same-origin;x", "", "same-site"]) {
      assertEquals([site, await statusOf({ "sec-fetch-site": site })], [site, 403]);
    }
  });

  it("GHSA-2234-fmw7-43wr: denies a forged request without a content type", async () => {
    const body = new Blob(["{}"]); // without a type, the request has no content type
    assertEquals(await statusOf({ origin: "https://evil.example" }, { body }), 403);
    assertEquals(await statusOf({}, { body }), 403);
  });

  it("CVE-2022-41919: denies a forged request whatever its content type is", async () => {
    const types = ["application/json", "application/json; charset=utf-8", "text/plain", "APPLICATION/JSON ", "x/y"];
    for (const type of [...types, "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const headers = { "content-type": type, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
      assertEquals([type, await statusOf(headers, { body: "{}" })], [type, 403]);
      assertEquals([type, await statusOf({ origin: OWN, "content-type": type }, { body: "{}" })], [type, 200]);
    }
  });

  it("decides for each method alike, whatever method a header or the query asks for", async () => {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      const headers = { "sec-fetch-site": "cross-site", "x-http-method-override": "GET", "x-requested-with": "fetch" };
      assertEquals([method, await statusOf(headers, { method })], [method, 403]);
    }
    const overridden = request("/?_method=GET", { method: "POST", headers: { "x-method-override": "GET" } });
    assertEquals((await app.fetch(overridden)).status, 403);
  });

  it("throws for an origin that no browser sends", () => {
    const wrong = [`${OWN}/`, `${OWN}/path`, "app.example.com", "*", "null", "", "https://*.example.com", "https://"];
    const others = [
      "https://APP.example.com",
      "https://app.example.com:443",
      "file://",
      "capacitor://LOCALHOST",
      "https://user@app.example.com",
    ];
    for (const origin of [...wrong, ...others]) {
      assertThrows(
        () => ownPages({ origins: [OWN, origin], refuse }),
        TypeError,
        `Option origins of ownPages must have origins such as "https://app.example.com": received "${origin}"`,
      );
    }
  });

  it("throws for options that are missing, unknown or of another type", () => {
    const make = (options: unknown) => () => ownPages(options as OwnPagesOptions<Response>);
    assertThrows(make(undefined), TypeError, "Options of ownPages must be an object: received undefined");
    assertThrows(make({ origins: [] }), TypeError, "Option refuse of ownPages must be a function: received undefined");
    assertThrows(make({ origins: [], refuse: 1 }), TypeError, "Option refuse of ownPages must be a function");
    assertThrows(
      make({ origins: OWN, refuse }),
      TypeError,
      "Option origins of ownPages must be an array or a Set of origins: received a string",
    );
    assertThrows(make({ origins: null, refuse }), TypeError, "an array or a Set of origins: received null");
    assertThrows(make({ origins: 5, refuse }), TypeError, "an array or a Set of origins: received a number");
    assertThrows(make({ origins: {}, refuse }), TypeError, "an array or a Set of origins: received an object");
    assertThrows(make({ refuse }), TypeError, "an array or a Set of origins: received undefined");
    assertThrows(
      make({ orgins: [], refuse }),
      TypeError,
      'Option "orgins" of ownPages is unknown: did you mean origins?',
    );
  });

  it("takes a Set of origins, too", async () => {
    const guard = ownPages({ origins: new Set([OWN]), refuse });
    const one = setup({ handlers: [route.post("/", { guards: [guard], resolve: () => reply(204) })] });
    assertEquals((await one.fetch(request("/", { method: "POST", headers: { origin: OWN } }))).status, 204);
  });

  it("reads the list once", async () => {
    const origins = [OWN];
    const guard = ownPages({ origins, refuse });
    origins[0] = "https://evil.example";
    const late = setup({ handlers: [route.post("/", { guards: [guard], resolve: () => reply(204) })] });
    const status = async (origin: string) =>
      (await late.fetch(request("/", { method: "POST", headers: { origin } }))).status;
    assertEquals([await status(OWN), await status("https://evil.example")], [204, 403]);
  });
});
