import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readFileSync } from "node:fs";
import { readVariable } from "../../../examples/shared/read_variable.ts";
import { parsePattern } from "../../../src/core/routing/pattern.ts";
import type { Routable } from "../../../src/core/routing/radix_tree.ts";
import { createRouter, type Match } from "../../../src/core/routing/router.ts";
import { createHostCheck } from "../../../src/core/routing/url.ts";
import { isAmbiguous } from "./ambiguous_url.ts";
import { assertMaySkip } from "../../support/assert_may_skip.ts";
import { request, restOf } from "../../support/request.ts";

/** The path and the query of a url, as a route for all paths receives them. */
function createReader(trustUrl = false): (url: string) => Match<Routable> | undefined {
  const matched = { method: "GET", path: "/*" };
  const router = createRouter<Routable>([{ matched, pattern: parsePattern("GET /*", "/*") }], trustUrl);
  return (url) => router.find({ method: "GET", url, headers: new Headers() } as Request);
}

/** The file `urltestdata.json` of the web platform tests, if given. Debian's librust-url-dev contains it. */
const URL_CASES = readVariable("URL_TEST_DATA");
if (URL_CASES === undefined) assertMaySkip("The file that URL_TEST_DATA names");

/** The target of `url`, parsed, and sliced if the url allows it. */
function targets(url: string, trustUrl = false) {
  const read = createReader(trustUrl);
  const slow = read(url);
  assertEquals(read("http://h/known")?.params["*"], "known");
  read(url);
  const fast = read(url);
  return [slow, fast];
}

describe("the target of a request", () => {
  it("is the path that a URL parser reads, sliced or parsed", () => {
    // deno-fmt-ignore
    const paths = [
      "/", "/a", "/a/", "/a/b/c", "//", "//a", "/a//b", "/a.b", "/a.", "/a..", "/a/..b", "/a/.b", "/...",
      "/a/.../b", "/.", "/..", "/a/.", "/a/..", "/a/../b", "/a/./b", "/../../a", "/a/%2e%2E/b", "/%2e",
      "/a/.%2e", "/a%2e%2e/b", "/a/%2e%2e%2f", "/%61dmin", "/a%2Fb", "/%zz", "/%", "/%C3%28", "/a b", "/café",
      "/caf%c3%a9", "/\u{1F600}", "/\ud800", '/"<>`{}|^[]', "/a|b", "/a^b", "/a'b", "/~!$&()*+,;=:@-_",
      "/admin;x=1", "/*", "/a\tb", "/a\nb", "/a ", "/\0", "/\x01|", "/a\x01/é",
    ];
    for (const path of paths) {
      // The malformed escape prevents decoding, so the path stays visible as it is.
      for (const tail of ["", "?", "?x=1", "?a/../b?c", "#", "#f/../g", "?x#y?z", "#y?z", "/%", "/%?x", "/%#y?z"]) {
        const url = `http://h${path}${tail}`;
        const { pathname, search } = new URL(url);
        for (const trustUrl of [false, true]) {
          for (const target of targets(url, trustUrl)) {
            assertEquals(target?.params["*"], isAmbiguous(url, trustUrl) ? undefined : restOf(pathname), url);
            if (target !== undefined) {
              assertEquals([...new URLSearchParams(target?.query)], [...new URLSearchParams(search)], url);
            }
          }
        }
      }
    }
  });

  (URL_CASES === undefined ? it.skip : it)(
    "is right for every URL of the web platform tests, and with each as a path",
    () => {
      const cases: readonly (string | { readonly input: string })[] = JSON.parse(readFileSync(URL_CASES ?? "", "utf8"));
      const inputs = cases.flatMap((entry) => typeof entry === "string" ? [] : [entry.input]);
      let matched = 0;
      for (const url of inputs.flatMap((input) => [input, `http://h/${input}`, `http://h/${input}/%`])) {
        // A url that is only a path is that of a request without a Host on Bun.
        const absolute = url.startsWith("/") ? `http://localhost${url}` : url;
        const expected = URL.canParse(absolute) ? new URL(absolute).pathname : undefined;
        for (const trustUrl of [false, true]) {
          for (const target of targets(url, trustUrl)) {
            if (target === undefined) {
              assert(expected === undefined || isAmbiguous(url, trustUrl) || !expected.startsWith("/"), url);
            } else assertEquals(target.params["*"], restOf(expected ?? ""), url);
            if (target !== undefined) matched++;
          }
        }
      }
      assert(inputs.length > 500 && matched > 2 * inputs.length);
    },
  );

  it("does not depend on earlier urls", () => {
    const read = createReader(true);
    // deno-fmt-ignore
    const urls = [
      "http://h/a", "http://h:80/b", "http://hh/c", "http://h.x/d", "https://h/e", "http://[::1]:8/f",
      "HTTP://H/g//h", "http://h", "http://h?q", "http://h#f", "http://u:p@h/i", "http://h:99999/no",
      "http://h/j", "http://h:99999/./no", "foo://h/http://h:99999/k",
    ];
    for (const first of urls) {
      for (const second of urls) {
        read(first);
        const pathname = URL.canParse(second) ? new URL(second).pathname : undefined;
        const expected = pathname === undefined ? undefined : restOf(pathname);
        assertEquals(read(second)?.params["*"], expected, `${second} after ${first}`);
      }
    }
  });

  it("is the same for a Request made by a program", () => {
    const read = createReader(true);
    for (const path of ["/", "/a/../b?x=1#f", "/café?ü=ö", "/a\\b"]) { // Request normalizes them.
      const { url } = request(path);
      assertEquals(read(url)?.params["*"], restOf(new URL(url).pathname));
    }
  });

  it("does not exist if the url cannot be parsed", () => {
    for (
      const url of ["", "h/a", "http://", "http://a b/c", "http://[::1/a", "http://h:99999/a", "http://h:x/a"]
    ) {
      for (const target of targets(url)) assertEquals(target, undefined, url);
    }
  });

  it("is the path itself on Bun, whose url has no origin if a request of HTTP/1.0 has no Host header", () => {
    for (const [url, rest] of [["/a?x", "a"], ["/", ""], ["//a", "/a"], ["/a/b%20c", "a/b c"]] as const) {
      assertEquals(targets(url).map((target) => target?.params["*"]), [rest, rest], url);
    }
    for (const url of ["/a/../b", "/a\\b", "/x/..%2fb", "/a#b"]) {
      assertEquals(targets(url), [undefined, undefined], url);
    }
  });

  it("does not exist if the url has no host: the parser would read a segment of the path as the host", () => {
    for (
      const url of ["http:///admin/x", "https:////admin/x", "http:/admin/x", "http:admin/x", "http://?x", "http://#x"]
    ) {
      for (const target of targets(url)) assertEquals(target, undefined, url);
    }
  });

  it("does not exist if the path contains a backslash, which the parser would read as a slash", () => {
    for (const url of ["http://h/a\\b", "http://h/\\admin", "http://h/a\\..\\b?x", "http://h\\a", "http:\\\\h/a"]) {
      for (const target of targets(url)) assertEquals(target, undefined, url);
    }
    assertEquals(targets("http://h/a?b\\c").map((target) => target?.params["*"]), ["a", "a"]);
  });

  it("does not exist if the path contains a dot segment, which proxies resolve differently", () => {
    // deno-fmt-ignore
    const paths = [
      "/admin//../secret", "/.", "/..", "/a/.", "/a/..", "/a/./b", "/a/../b", "/../../a", "/%2e", "/a/%2E%2e/b",
      "/a/.%2e", "/%2e./a", "/a/..\t/b", "/a/.\n./b", "/a/.. ",
    ];
    for (const path of paths) {
      for (const tail of ["", "?x", "#f"]) {
        if (path.endsWith(" ") && tail !== "") continue; // Here the space belongs to the segment.
        for (const target of targets(`http://h${path}${tail}`)) assertEquals(target, undefined, `${path}${tail}`);
      }
    }
    for (const path of ["/a?x/../y", "/a#/../y", "/a?/..", "/a#/%2e"]) {
      assertEquals(targets(`http://h${path}`, true).map((target) => target?.params["*"]), ["a", "a"]);
    }
    for (const path of ["/...", "/a..", "/..a", "/.well-known", "/%2e%2e%2e", "/a.%2e", "/a/.b/c..d/..."]) {
      const rest = restOf(path);
      assertEquals(targets(`http://h${path}`).map((target) => target?.params["*"]), [rest, rest], path);
    }
  });

  it("does not exist if a parameter has a dot segment beside a slash or a backslash, decoded, unless the url is trusted", () => {
    // nginx, Caddy and h2o resolve such a path for their rules, and forward it as received.
    // deno-fmt-ignore
    const paths = [
      "/admin/..%2fx", "/admin/..%2Fx", "/admin/%2e%2e%2fx", "/admin/%2E.%5cx", "/..%5c", "/x%2f..", "/x%5C.", "/x%2f./y",
      "/.%2f", "/x/..%2f..%2fy", "/%zz/..%2fx", "/..%2f%C3%28", "/x%2f%2e%2e/y", "/a%20b/..%2fx?q",
    ];
    for (const path of paths) {
      const rest = restOf(new URL(`http://h${path}`).pathname);
      assertEquals(targets(`http://h${path}`), [undefined, undefined], path);
      assertEquals(targets(`http://h${path}`, true).map((target) => target?.params["*"]), [rest, rest], path);
    }
    for (
      const path of [
        "/a%2fb",
        "/..a%2fb",
        "/a..%2fb",
        "/...%2fb",
        "/a%2f..b",
        "/%252e%252e%252fb",
        "/a%2f.b",
        "/b?..%2f",
      ]
    ) {
      const rest = restOf(new URL(`http://h${path}`).pathname);
      assertEquals(targets(`http://h${path}`).map((target) => target?.params["*"]), [rest, rest], path);
    }
  });

  it("does not exist if the url has a fragment, which proxies read as part of the path, unless the url is trusted", () => {
    for (const path of ["/a#x", "/a#", "/#/a", "/a?x#y", "/a?x=1#y?z", "/a#?x", "/é#x"]) {
      const { pathname, search } = new URL(`http://h${path}`);
      const [rest, query] = [restOf(pathname), search.slice(1)];
      assertEquals(targets(`http://h${path}`), [undefined, undefined], path);
      assertEquals(targets(`http://h${path}`, true).map((target) => [target?.params["*"], target?.query]), [
        [rest, query],
        [rest, query],
      ], path);
    }
  });

  it("is found where the path or the query contains another url", () => {
    for (const path of ["/http:/x", "/to/https:x", "/a?to=http:/x", "/a?https:x"]) {
      const url = `http://h${path}`;
      const rest = restOf(new URL(url).pathname);
      assertEquals(targets(url).map((target) => target?.params["*"]), [rest, rest], url);
    }
  });

  it("does not exist if the path is opaque", () => {
    for (const url of ["data:text/plain,x", "mailto:admin"]) assertEquals(targets(url), [undefined, undefined]);
  });
});

describe("the Host header", () => {
  it("is valid unless it contains a character that no host contains", () => {
    const hasValidHost = createHostCheck();
    const isValid = (host: string) => hasValidHost(request("/", { headers: { host } }));
    for (const host of ["h/admin?", "h/admin", "h?", "h#", "u@h", "h\\x", "a b", "h\tx", "/"]) {
      assertEquals(isValid(host), false, host);
    }
    for (const host of ["h", "H.Example:80", "[::1]:8000", "127.0.0.1", "xn--caf-dma.example", "h_x", ""]) {
      assertEquals(isValid(host), true, host);
    }
    assertEquals(hasValidHost(request("/")), true);
  });
});
