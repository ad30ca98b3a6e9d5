import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type App, route, setup } from "../../../mod.ts";
import { countWork } from "../../support/count_work.ts";

/** An app with these routes. They respond at once, with the same response. */
function appOf(...names: string[]): App {
  const response = new Response();
  return setup({
    handlers: names.map((name) => {
      const [method = "", path = ""] = name.split(" ");
      return route.on(method, path, { resolve: () => response });
    }),
  });
}

describe("the work of the router", () => {
  it("reads the headers only if a Host header can have moved the path: if there is a second slash or a final `*`", async () => {
    const app = appOf("GET /a", "GET /b/:x", "GET /c");
    const readsOf = async (path: string) => {
      let reads = 0;
      const incoming = {
        method: "GET",
        url: `http://localhost${path}`,
        get headers() {
          reads++;
          return new Headers();
        },
      };
      assertEquals((await app.fetch(incoming as Request)).status, 200, path);
      return reads;
    };
    await readsOf("/c"); // the first url of an origin is parsed
    for (const [path, reads] of [["/a", 0], ["/a?x=1", 0], ["/a?x=/y", 1], ["/a?x=*", 1], ["/b/1", 1]] as const) {
      assertEquals(await readsOf(path), reads, path);
    }
  });

  it("reads three characters of a url that it has cached", () => {
    const response = new Response();
    const resolve = () => response;
    // The urls of these paths have different slots.
    const paths = ["/p0", "/pp0", "/users", "/members", "/books"];
    const many = Array.from({ length: 1200 }, (_, index) => `/many/${index}`);
    const longest = `/${"b".repeat(500 - "http://h/".length)}`;
    const tooLong = `${longest}b`;
    // The urls of each pair have the same slot. Length and last character, third last and seventh last character differ.
    const pairs = [["/books", "/boots"], ["/zzmqqqxqb", "/zzmqqqYqc"], ["/zzxqqqbqb", "/zzYqqqcqb"], [
      "/zzmqqqxqc",
      "/zzzmqqqxqb",
    ]] as const;
    const app = setup({
      trustUrl: true,
      handlers: ["/:x", "/boots", ...pairs.slice(1).flat(), longest, tooLong, ...paths, ...many].map((path) =>
        route.get(path, { resolve })
      ),
    });
    const workOn = (path: string) =>
      countWork(() => app.fetch({ method: "GET", url: `http://h${path}`, headers: new Headers() } as Request));
    // To read one character costs 2.
    const threeCharacters = 6;
    // The first request makes the origin known.
    for (const path of ["/", ...paths]) workOn(path);
    for (const path of paths) assertEquals(workOn(path), threeCharacters, path);
    for (const other of ["/pp", "/p0?x", "/%", tooLong]) {
      workOn(other);
      assert(workOn(other) > threeCharacters, other);
    }
    assertEquals(workOn("/p0"), threeCharacters);
    workOn(longest);
    assertEquals(workOn(longest), threeCharacters);
    for (const [first, second] of pairs) {
      workOn(first);
      for (const path of [second, first, second]) {
        assert(workOn(path) > threeCharacters, path);
        assertEquals(workOn(path), threeCharacters, path);
      }
    }
    // There are 1,024 slots.
    for (const path of many) workOn(path);
    assert(many.filter((path) => workOn(path) === threeCharacters).length <= 1024);
  });

  it("does not read the headers of a request with one slash in path and query, not even of the first one", () => {
    const read = (url: string) => {
      let count = 0;
      const headers = { get: () => void count++ };
      const app = appOf("GET /", "GET /:x");
      app.fetch({ method: "GET", url, headers } as unknown as Request);
      return count;
    };
    for (const path of ["/", "/a", "/a?x=1", "/é", "/é?é", "/%2e"]) assertEquals(read(`http://h${path}`), 0, path);
    // With such a url, the path can come from the Host header.
    for (const url of ["http://h/a?/b", "http://h/é?/", "http://u@h/a", "http://h?/a", "http://h/*"]) {
      assertEquals(read(url), 1, url);
    }
  });

  it("reads neither the origin nor the Host header if they are those of the request before", () => {
    const app = setup({ handlers: [route.get("/a/:x", { resolve: () => new Response() })] });
    // Not the headers of a runtime, which may read texts themselves.
    const headers = { get: () => "longer.example" };
    const ask = () => app.fetch({ method: "GET", url: "http://longer.example/a/b", headers } as unknown as Request);
    ask();
    // To read one character costs 2, and each one of the path is read up to three times, with those of literals. The second slash is searched. Three more determine the slot of the url.

    assert(countWork(ask) < 8 + 6 * "/a/b".length);
  });
});
