import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, afterEach, before, beforeEach, describe, it } from "@std/testing/bdd";
import { discard } from "./discard.ts";
import { deny, route, setup } from "@fw/core";
import { serveFiles } from "@fw/core/files";
import { granted, ROOT, serve, type Served } from "./serve.ts";
import { type Answer, ask } from "./static_exchange.ts";

const EXAMPLE = "examples/static.ts";
const PUBLIC = new URL("examples/public/", ROOT);

/** Every file of the example, with its content type. */
const TYPES = {
  "COLOPHON": "application/octet-stream",
  "bookshelf.svg": "image/svg+xml",
  "café.txt": "text/plain; charset=UTF-8",
  "empty.txt": "text/plain; charset=UTF-8",
  "index.html": "text/html; charset=UTF-8",
  "loans.shelf": "application/octet-stream",
  "notes.txt": "text/plain; charset=UTF-8",
  "script.js": "text/javascript; charset=UTF-8",
  "shelves/poetry.html": "text/html; charset=UTF-8",
  "style.css": "text/css; charset=UTF-8",
  "two words.txt": "text/plain; charset=UTF-8",
};

const suite = granted("net", "read", "run") ? describe : describe.skip;

let served: Served;

suite("a file of the static example", () => {
  before(start);
  after(stop);

  it("a file of the static example is sent unchanged, with its type, length and date, under /static/, /files/ and /assets/", async () => {
    for (const [name, type] of Object.entries(TYPES)) {
      const bytes = await Deno.readFile(new URL(encodeURI(name), PUBLIC));
      const { mtime } = await Deno.stat(new URL(encodeURI(name), PUBLIC));
      for (const path of pathsTo(name)) {
        const response = await request(path);
        assertEquals(response.status, 200, path);
        assertEquals(await response.bytes(), bytes, path);
        const { etag, date: _, ...headers } = Object.fromEntries(response.headers);
        assertMatch(etag ?? "", /^"[!-~]+"$/);
        assertEquals(headers, {
          "accept-ranges": "bytes",
          "cache-control": "no-cache",
          "content-length": String(bytes.length),
          "content-type": type,
          "last-modified": mtime?.toUTCString() ?? "",
          "x-content-type-options": "nosniff",
        }, path);
      }
    }
  });

  it("a file of the static example responds to HEAD with the headers of GET and without a body", async () => {
    for (const path of Object.keys(TYPES).flatMap(pathsTo)) {
      const get = await ask(served.origin, path);
      const head = await ask(served.origin, path, { method: "HEAD" });
      assertEquals([head.status, head.body], [200, ""], path);
      assertEquals(withoutDate(head.headers), withoutDate(get.headers), path);
    }
  });

  it("a file of the static example is sent uncompressed to clients that accept compression", async () => {
    const plain = await ask(served.origin, "/static/index.html");
    const answer = await ask(served.origin, "/static/index.html", { headers: "accept-encoding: gzip, br\r\n" });
    assertEquals([answer.status, answer.body], [200, plain.body]);
    assertEquals(withoutDate(answer.headers), withoutDate(plain.headers));
  });

  it("a file of the static example has one name: case and Unicode form matter, and a plus is not a space", async () => {
    for (const name of ["INDEX.html", "index.htm", "cafe%CC%81.txt", "caf%E9.txt", "two+words.txt", "index.html%20"]) {
      for (const path of pathsTo(name)) await assertRefused(404, path);
    }
  });

  it("a file of the static example is found by any escapes that decode to its name, and with a query", async () => {
    for (const name of ["%69ndex.html", "index%2Ehtml", "index.html?v=1", "index.html?/../../static.ts"]) {
      for (const prefix of ["/static", "/files", "/assets"]) {
        assertEquals((await ask(served.origin, `${prefix}/${name}`)).headers.get("content-type"), TYPES["index.html"]);
      }
    }
  });

  it("a file of the static example is found in a directory with an escaped slash, except below /assets/, which accepts only a name", async () => {
    for (const name of ["shelves/poetry.html", "shelves%2Fpoetry.html", "shelves%2fpoetry.html"]) {
      for (const prefix of ["/static", "/files"]) {
        assertEquals((await request(`${prefix}/${name}`).then(discard)).status, 200);
      }
    }
    await assertRefused(400, "/assets/shelves%2Fpoetry.html");
    await assertRefused(400, "/assets/nope%2fnope");
    await assertUnmatched("/assets/shelves/poetry.html");
  });
});

suite("If-None-Match", () => {
  before(start);
  after(stop);

  const PATH = "/static/index.html";

  it("If-None-Match causes a 304 if it contains the tag, with only the headers that identify the version", async () => {
    const get = await ask(served.origin, PATH);
    const etag = get.headers.get("etag") ?? "";
    const weak = `W/${etag}`;
    for (
      const header of [
        etag,
        weak,
        "*",
        ` ${etag} `,
        `\t${etag}\t`,
        `"x", ${etag}`,
        `"x" , ${weak} , W/"y"`,
        `"x",${etag},"y"`,
        `,, ${etag},`,
        `"x"\r\nif-none-match: ${etag}`,
        `"${"x".repeat(20_000)}", ${etag}`,
      ]
    ) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await ask(served.origin, PATH, { method, headers: `if-none-match: ${header}\r\n` });
        assertEquals([answer.status, answer.body], [304, ""], header);
        const { date: _, ...headers } = Object.fromEntries(answer.headers);
        assertEquals(headers, {
          "cache-control": "no-cache",
          "connection": "close",
          etag,
          "last-modified": get.headers.get("last-modified") ?? "",
        });
      }
    }
  });

  it("If-None-Match causes a 200 if it contains only other tags or is malformed", async () => {
    const etag = (await ask(served.origin, PATH)).headers.get("etag") ?? "";
    const foreign = (await ask(served.origin, "/static/style.css")).headers.get("etag") ?? "";
    const unquoted = etag.slice(1, -1);
    for (const header of ["", " ", ",", '"x"', '""', "W/", '"*"', foreign, unquoted, `w/"${unquoted}"`, `${etag}x`]) {
      const answer = await ask(served.origin, PATH, { headers: `if-none-match: ${header}\r\n` });
      assertEquals(answer.status, 200, header);
      assert(answer.body.startsWith("<!DOCTYPE html>"));
    }
  });

  it("If-None-Match does not change a 404", async () => {
    for (const path of ["/static/nope", "/files/shelves"]) {
      assertEquals((await ask(served.origin, path, { headers: "if-none-match: *\r\n" })).status, 404);
    }
    assertEquals((await ask(served.origin, "/files/", { headers: "if-none-match: *\r\n" })).status, 400);
  });
});

suite("Range", () => {
  before(start);
  after(stop);

  const PATH = "/static/style.css";
  const askFor = (range: string, more = "", method = "GET", path = PATH) =>
    ask(served.origin, path, { method, headers: `range: ${range}\r\n${more}` });

  it("Range causes a 206 with the named range, and the headers of the whole file except the length", async () => {
    const whole = await ask(served.origin, PATH);
    const { length } = whole.body;
    for (
      const [range, start, end] of [
        ["bytes=0-0", 0, 1],
        ["bytes=0-9", 0, 10],
        ["bytes=5-9", 5, 10],
        ["bytes=5-", 5, length],
        ["bytes=0-", 0, length],
        [`bytes=${length - 1}-`, length - 1, length],
        [`bytes=0-${length - 1}`, 0, length],
        [`bytes=5-${length}`, 5, length],
        ["bytes=5-99999999999999999999", 5, length],
        [`bytes=5-${"9".repeat(1000)}`, 5, length],
        ["bytes=-1", length - 1, length],
        ["bytes=-7", length - 7, length],
        [`bytes=-${length}`, 0, length],
        [`bytes=-${length + 1}`, 0, length],
        [`bytes=-${"9".repeat(1000)}`, 0, length],
        ["BYTES=000-0009", 0, 10],
      ] as const
    ) {
      const part = await askFor(range);
      assertEquals([part.status, part.body], [206, whole.body.slice(start, end)], range);
      assertEquals(withoutDate(part.headers), {
        ...withoutDate(whole.headers),
        "content-length": String(end - start),
        "content-range": `bytes ${start}-${end - 1}/${length}`,
      });
    }
  });

  it("Range causes a 416 with the length of the file if the range is outside the file", async () => {
    const { length } = (await ask(served.origin, PATH)).body;
    for (const range of [`${length}-`, `${length}-${length + 9}`, "-0", `${"9".repeat(400)}-`, "5-2"]) {
      const answer = await askFor(`bytes=${range}`);
      assertEquals([answer.status, answer.body], [416, '{"error":"Range not satisfiable"}'], range);
      assertEquals(answer.headers.get("content-range"), `bytes */${length}`);
    }
  });

  it("Range is ignored if it is malformed, in another unit, has several ranges, or if the file is empty", async () => {
    const whole = await ask(served.origin, PATH);
    for (
      const range of ["bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=0-9,20-29", "bytes 0-9", "lines=0-9", "0-9", ""]
        .concat("bytes=0x1-9", "bytes=+1-9", "bytes=1.5-9", "xbytes=0-9", "bytes=0-9x", "bytes=0-9\r\nrange: bytes=2-3")
    ) {
      const answer = await askFor(range);
      assertEquals([answer.status, answer.body], [200, whole.body], range);
      assertEquals(answer.headers.get("content-range"), null);
    }
    for (const range of ["bytes=0-", "bytes=-5", "bytes=5-9"]) {
      assertEquals((await askFor(range, "", "GET", "/static/empty.txt")).status, 200);
    }
  });

  it("Range is ignored for HEAD, and after If-None-Match", async () => {
    const whole = await ask(served.origin, PATH);
    const head = await askFor("bytes=0-9", "", "HEAD");
    assertEquals([head.status, withoutDate(head.headers)], [200, withoutDate(whole.headers)]);
    const known = await askFor("bytes=0-9", `if-none-match: ${whole.headers.get("etag")}\r\n`);
    assertEquals([known.status, known.body], [304, ""]);
    assertEquals((await askFor("bytes=0-9", 'if-none-match: "x"\r\n')).status, 206);
  });

  it("Range applies only to the version that If-Range names by its tag or its date", async () => {
    const whole = await ask(served.origin, PATH);
    const etag = whole.headers.get("etag") ?? "";
    assertEquals((await askFor("bytes=0-9", `if-range: ${etag}\r\n`)).status, 206);
    assertEquals((await askFor("bytes=99999-", `if-range: ${etag}\r\n`)).status, 416);
    const date = whole.headers.get("last-modified");
    assertEquals((await askFor("bytes=0-9", `if-range: ${date}\r\n`)).status, 206);
    const others = [
      '"x"',
      `W/${etag}`,
      "*",
      `${etag}, "x"`,
      etag.slice(1, -1),
      "Sun, 01 Mar 2026 10:00:00 GMT",
      "",
    ];
    for (const condition of others) {
      for (const range of ["bytes=0-9", "bytes=99999-"]) {
        const answer = await askFor(range, `if-range: ${condition}\r\n`);
        assertEquals([answer.status, answer.body], [200, whole.body], condition);
      }
    }
    assertEquals((await ask(served.origin, PATH, { headers: `if-range: ${etag}\r\n` })).status, 200);
  });
});

suite("a name of no file", () => {
  before(start);
  after(stop);

  it("a name of no file causes a 400 if it is empty or absolute, or contains two dots in a row, a backslash or NUL", async () => {
    for (
      const name of [
        "",
        "/",
        "/index.html",
        "/etc/passwd",
        "%2f",
        "%2Fetc/passwd",
        "%2fetc%2fpasswd",
        "%2F%2Fetc%2Fpasswd",
        "..%2fstatic.ts",
        "%2e%2e%2fstatic.ts",
        "%2E%2E%2Fstatic.ts",
        ".%2e%2fstatic.ts",
        "%2e%2e%2f",
        "..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
        "shelves/..%2f..%2fstatic.ts",
        "shelves%2F..%2Findex.html",
        "%2e%2e%00",
        "a..b",
        "...",
        "index..html",
        "..index.html",
        "index.html..",
        "%5c",
        "%5c..%5cstatic.ts",
        "..%5Cstatic.ts",
        "shelves%5cpoetry.html",
        "index.html%5c",
        "C:%5cwindows%5cwin.ini",
        "%5c%5chost%5cshare",
        "%00",
        "a%00.txt",
        "index.html%00",
        "index.html%00.txt",
        "%00index.html",
      ]
    ) {
      for (const prefix of ["/static", "/files"]) await assertRefused(400, `${prefix}/${name}`);
      if (name !== "" && !name.includes("/")) await assertRefused(400, `/assets/${name}`);
    }
  });

  it("a name of no file causes a 404 if nothing or only a directory has this name", async () => {
    for (
      const name of [
        "nope",
        "static.ts",
        "public",
        "shelves",
        "shelves%2F",
        "%252e%252e%252fstatic.ts",
        "%252e%252e",
        "%25",
        "%2500",
        "%255c",
        "%c0%ae%c0%ae%c0%afstatic.ts",
        "%c0%ae%c0%ae",
        "%e0%80%ae",
        "%ff",
        "%ed%a0%80",
        "%zz",
        "%",
        "%2",
        "%u002e%u002e",
        "index.html%zz",
        "index.html%2F",
        "index.html%2F%2F",
        "index.html%2F.",
        "index.html%2F.%2F",
        "index.html%2Fx",
        "empty.txt%2Findex.html",
        ".%2F",
        "%01",
        "%0a",
        "%0d%0aset-cookie:%20a=b",
        "%7f",
        "%e2%80%ae",
        "%ef%bc%8e%ef%bc%8e%ef%bc%8fstatic.ts",
        "~",
        "~root",
        "$HOME",
        "*",
        "*.html",
        "index.{html,js}",
        "%3f",
        "%23",
        "-",
        "-rf",
        "|id",
        ";id",
        "index.html;x",
        "C:",
        "con",
        "NUL.txt",
        "index.html:stream",
        "index.html::$DATA",
        "file:etc",
        "__proto__",
        "constructor",
        "x".repeat(255),
        "x".repeat(256),
        "x".repeat(5_000),
        "x".repeat(60_000),
        "%f0%9f%93%9a".repeat(300),
        "x%2F".repeat(3_000) + "x",
      ]
    ) {
      for (const prefix of ["/static", "/files", "/assets"]) {
        await assertRefused(prefix === "/assets" && /%2f/i.test(name) ? 400 : 404, `${prefix}/${name}`);
      }
    }
    for (const name of ["shelves/", "index.html/", "index.html/x", "x/".repeat(2_500), "x/".repeat(2_500) + "x"]) {
      for (const prefix of ["/static", "/files"]) await assertRefused(404, `${prefix}/${name}`);
    }
  });
});

suite("a path without a route", () => {
  before(start);
  after(stop);

  it("a path without a route causes the 404 of the framework, wherever its dot segments lead", async () => {
    for (
      const target of [
        "/",
        "/static",
        "/files",
        "/assets",
        "/assets/",
        "/static.ts",
        "/index.html",
        "/STATIC/index.html",
        "//static/index.html",
        "/static/../static.ts",
        "/static/%2e%2e/static.ts",
        "/static/%2E%2e/static.ts",
        "/static/.%2e/static.ts",
        "/static/..",
        "/static/../../../../../etc/passwd",
        "/static/shelves/../../static.ts",
        "/assets/../static.ts",
        "/assets/.",
        "/assets/..",
        "/assets/%2e%2e",
        "/assets/a/..",
        "/static/..\\..",
        "/static/\\",
        "/static\\index.html",
        "/static/shelves\\poetry.html",
        "http://localhost/examples/static.ts",
        "http://localhost/static/../static.ts",
        "http://localhost",
        "/x/static/index.html",
        "/static%2findex.html",
        "/%2e%2e/static.ts",
      ]
    ) await assertUnmatched(target);
  });

  it("a path without a route causes a 404 even if its dot segments lead to a file, because proxies resolve them differently", async () => {
    for (
      const target of [
        "/files/../static/index.html",
        "/static/shelves/../index.html",
        "/static/./index.html",
        "/static/%2e/index.html",
        "/../static/index.html",
      ]
    ) await assertUnmatched(target);
  });

  it("a path without a route does not include a target in absolute form with the path of a file", async () => {
    for (const target of ["http://localhost/static/index.html", "http://elsewhere:1/static/index.html"]) {
      assertEquals((await ask(served.origin, target)).headers.get("content-type"), TYPES["index.html"], target);
    }
  });

  it("a path without a route causes a 404 for every method except GET and HEAD", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get"]) {
      for (const path of ["/static/index.html", "/files/nope", "/assets/index.html"]) {
        await assertUnmatched(path, method);
      }
    }
  });
});

/** Files behind a guard, beside files for everybody: two directories, each with a file server of its own. */
(granted("read") ? describe : describe.skip)("a file behind a guard", () => {
  const contentType = () => undefined;
  const app = setup({
    trustUrl: true,
    handlers: [
      route.get("/secret/*", {
        guards: [() => deny(new Response(null, { status: 401 }))],
        resolve: serveFiles({ directory: new URL("shelves/", PUBLIC), contentType }),
      }),
      route.get("/assets/*", { resolve: serveFiles({ directory: PUBLIC, contentType }) }),
    ],
  });

  /** Asserts that nothing is sent to a request whose url comes as it is written here, as from a server. */
  async function assertNotSent(...targets: readonly string[]): Promise<void> {
    for (const target of targets) {
      const request = new Request("http://localhost/");
      Object.defineProperty(request, "url", { value: `http://localhost${target}` });
      const { status } = await app.fetch(request);
      assert([400, 401, 403, 404].includes(status), `${target}: ${status}`);
    }
  }

  it("CVE-2026-39406, CVE-2026-39407: a file behind a guard is not sent for repeated slashes", async () => {
    await assertNotSent("//secret/poetry.html", "/secret//poetry.html", "///secret///poetry.html");
    await assertNotSent("/assets//secret/poetry.html", "/assets///etc/passwd", "/assets//index.html");
  });

  it("CVE-2026-29045, CVE-2026-6414: a file behind a guard is not sent for escaped slashes and letters", async () => {
    await assertNotSent(
      "/secret%2Fpoetry.html",
      "/secret%2fpoetry.html",
      "/s%65cret/poetry.html",
      "/%73ecret/poetry.html",
    );
    await assertNotSent("/assets%2findex.html", "/assets/..%2fsecret/poetry.html", "/assets/%2fetc/passwd");
  });

  it("GHSA-72gr-qfp7-vwhw: a name is decoded once, and what is left of an escape is part of it", async () => {
    await assertNotSent(
      "/assets/%252e%252e%252fsecret%252fpoetry.html",
      "/assets/%252e%252e/x",
      "/assets/index%252ehtml",
    );
    await assertNotSent("/%2573ecret/poetry.html", "/secret/poetry%252ehtml", "/assets/shelves%252fpoetry.html");
  });

  it("CVE-2026-47676, CVE-2026-33490: a prefix is a whole segment", async () => {
    await assertNotSent("/secretpoetry.html", "/secrets/poetry.html", "/secret", "/secret-/poetry.html");
    await assertNotSent(
      "/assetsindex.html",
      "/assets-x/index.html",
      "/assets",
      "/ASSETS/index.html",
      "/x/assets/index.html",
    );
  });
});

suite("a path combined from hostile parts", () => {
  before(start);
  after(stop);

  it("a path combined from hostile parts causes either a file of the example or an error", async () => {
    const files = new Set(
      await Promise.all(
        Object.keys(TYPES).map(async (name) => {
          const bytes = await Deno.readFile(new URL(encodeURI(name), PUBLIC));
          return new TextDecoder("latin1").decode(bytes);
        }),
      ),
    );
    const parts = ["..", "%2e%2E", ".", "/", "%2f", "\\", "%5c", "%00", "%25", "%", "index.html", "static.ts", ":"];
    const targets = parts.flatMap((a) => parts.flatMap((b) => ["", ...parts].map((c) => `/static/${a}${b}${c}`)));
    targets.push("/static/index.html");
    const statuses = new Set<number>();
    while (targets.length > 0) {
      const some = targets.splice(0, 50);
      const answers = await Promise.all(some.map((target) => ask(served.origin, target)));
      for (const [index, { status, body }] of answers.entries()) {
        statuses.add(status);
        assert(status === 200 ? files.has(body) : status === 400 || status === 404, `${some[index]}: ${status}`);
        assert(!body.includes("serveFiles"), some[index]);
      }
    }
    assertEquals([...statuses].toSorted(), [200, 400, 404]);
  });
});

(granted("net", "read", "run", "write") ? describe : describe.skip)("a link in the directory of the example", () => {
  let directory: URL;
  let name = "";

  before(start);
  after(stop);

  beforeEach(async () => {
    name = `test-${crypto.randomUUID()}`;
    directory = new URL(`${name}/`, PUBLIC);
    await Deno.mkdir(directory);
  });
  afterEach(() => Deno.remove(directory, { recursive: true }));

  it("a link in the directory of the example causes a 403 if it leads out, and the file if it stays inside", async () => {
    for (
      const [link, target, status] of [
        ["source.ts", "../../static.ts", 403],
        ["passwd", "/etc/passwd", 403],
        ["chain", "passwd", 403],
        ["device", "/dev/null", 403],
        ["directory", "../..", 403],
        ["root", "/", 403],
        ["inside.html", "../index.html", 200],
        ["chain.html", "inside.html", 200],
        ["public", "..", 404],
        ["dangling", "nope", 404],
        ["loop", "loop", 404],
      ] as const
    ) {
      await Deno.symlink(target, new URL(link, directory));
      for (const method of ["GET", "HEAD"]) {
        for (const prefix of ["/static", "/files"]) {
          assertEquals((await ask(served.origin, `${prefix}/${name}/${link}`, { method })).status, status, link);
        }
      }
    }
    await assertRefused(403, `/static/${name}/directory/static.ts`);
    await assertRefused(403, `/files/${name}/root/etc/passwd`);
    const inside = await ask(served.origin, `/files/${name}/public/index.html`);
    assertEquals([inside.status, inside.headers.get("content-type")], [200, TYPES["index.html"]]);
  });

  it("a link in the directory of the example also causes a 403 below /assets/", async () => {
    const link = new URL(`${name}.html`, PUBLIC);
    await Deno.symlink("../static.ts", link);
    try {
      for (const path of pathsTo(`${name}.html`)) await assertRefused(403, path);
    } finally {
      await Deno.remove(link);
    }
  });
});

async function start(): Promise<void> {
  served = await serve(EXAMPLE);
}

async function stop(): Promise<void> {
  await served.stop();
}

function request(path: string): Promise<Response> {
  return fetch(served.origin + path);
}

/** Returns the paths of a file. */
function pathsTo(name: string): readonly string[] {
  const prefixes = name.includes("/") ? ["/static", "/files"] : ["/static", "/files", "/assets"];
  return prefixes.map((prefix) => `${prefix}/${name.includes("%") ? name : encodeURI(name)}`);
}

function withoutDate(headers: Headers): Record<string, string> {
  const { date: _, ...others } = Object.fromEntries(headers);
  return others;
}

const REFUSALS = { 400: "Invalid name", 403: "Forbidden", 404: "Not found" };

async function assertRefused(status: keyof typeof REFUSALS, target: string): Promise<void> {
  const answer = await ask(served.origin, target);
  assertEquals([answer.status, answer.body], [status, JSON.stringify({ error: REFUSALS[status] })], target);
  assertEquals(answer.headers.get("content-type"), "application/json");
  const head = await ask(served.origin, target, { method: "HEAD" });
  assertEquals([head.status, head.body], [status, ""], target);
}

async function assertUnmatched(target: string, method = "GET"): Promise<void> {
  const { status, body }: Answer = await ask(served.origin, target, { method });
  assertEquals([status, body], [404, ""], `${method} ${target}`);
}
