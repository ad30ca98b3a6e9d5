import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { route, setup } from "../../../mod.ts";

describe("the work on a url", () => {
  const { URL: NativeUrl, decodeURIComponent: decode } = globalThis;
  const app = setup({
    handlers: [
      route.get("/rest/*", { resolve: (c) => new Response(c.raw.params["*"]) }),
      route.get("/one/:name", { resolve: (c) => new Response(c.raw.params.name) }),
      ...["/two/a/b", "/two/a/c", "/two/:any/.d", "/caf%C3%A9", "/%01%C3%A9"].map((path) =>
        route.get(path, { resolve: () => new Response() })
      ),
    ],
  });

  /** How many urls the app parses, and how many values it decodes, for a second url of an origin. */
  async function workFor(
    path: string,
    status = 200,
    origin = "http://h",
  ): Promise<{ parsed: number; decoded: number }> {
    const [first, sent] = ["/", path].map((path) => ({
      url: origin + path,
      method: "GET",
      headers: new Headers(),
    }));
    await app.fetch(first as Request);
    const work = { parsed: 0, decoded: 0 };
    globalThis.URL = class extends NativeUrl {
      constructor(url: string | URL, base?: string | URL) {
        work.parsed++;
        super(url, base);
      }
    };
    globalThis.decodeURIComponent = (text) => {
      work.decoded++;
      return decode(text);
    };
    try {
      assertEquals((await app.fetch(sent as Request)).status, status, path);
    } finally {
      globalThis.URL = NativeUrl;
      globalThis.decodeURIComponent = decode;
    }
    return work;
  }

  it("is none where a parser leaves the path as it is", async () => {
    for (const value of ["a", "a.b", "a..", "~a-b_c;d=1,e:f@g!$&'()*+"]) {
      for (const path of [`/rest/${value}`, `/one/${value}`, `/rest/${value}?x=/../y`, `/one/${value}?x`]) {
        assertEquals(await workFor(path), { parsed: 0, decoded: 0 }, path);
      }
    }
    for (const path of ["/rest/", "/rest/a/b//c/", "/rest/?x", "/two/a/.d"]) {
      assertEquals(await workFor(path), { parsed: 0, decoded: 0 }, path);
    }
    for (const path of ["/", "/nowhere", "/one", "/one/a.b/c%20d", "/one/"]) {
      assertEquals(await workFor(path, 404), { parsed: 0, decoded: 0 }, path);
    }
  });

  it("is none where the origin is in capital letters or has the default port, as servers pass it", async () => {
    const long = `http://${"h".repeat(297)}:80`;
    for (const origin of ["http://LocalHost:80", "HTTPS://H:443", "http://[::1]:8000", "http://127.1", long]) {
      assertEquals((await workFor("/rest/a", 200, origin)).parsed, 0, origin);
    }
  });

  it("is to parse a url whose origin is more than scheme, host and port, or too long to keep, or not valid", async () => {
    for (const origin of ["http://u:p@h", "foo://h", `http://${"h".repeat(301)}`]) {
      assertEquals((await workFor("/rest/a", 200, origin)).parsed, 1, origin);
    }
    for (const origin of ["http://h?", "http://h:x", "foo://h/http://h", "h"]) {
      assertEquals((await workFor("/rest/a", 404, origin)).parsed, 1, origin);
    }
  });

  it("is to parse a path that no route has as it is, but may have as a parser writes it", async () => {
    for (const path of ["/caf\u00e9", "/\x01\u00e9"]) {
      assertEquals(await workFor(path), { parsed: 1, decoded: 0 }, path);
    }
    for (const path of ["/cafe\u0301", "/one/.a/b", "/..a"]) {
      assertEquals(await workFor(path, 404), { parsed: 1, decoded: 0 }, path);
    }
  });

  it("is to decode a value with an escape, but to parse only where a segment may be a dot segment", async () => {
    for (const path of ["/rest/a%20b", "/one/a%20b", "/one/a%2e", "/rest/a/b%2Fc.d"]) {
      assertEquals(await workFor(path), { parsed: 0, decoded: 1 }, path);
    }
    for (const path of ["/rest/.well-known", "/one/.a", "/rest/a/..b", "/rest/a|b", "/one/a|b"]) {
      assertEquals((await workFor(path)).parsed, 1, path);
    }
    for (const path of ["/rest/%61", "/one/%61", "/rest/a/%2ea", "/one/\u00fc"]) {
      assertEquals(await workFor(path), { parsed: 1, decoded: 1 }, path);
    }
  });
});
