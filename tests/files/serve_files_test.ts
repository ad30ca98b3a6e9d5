/** `serveFiles` in process, on every runtime that has files. Servers are tested in `tests/slow/static/`. */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import fs from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { type App, type Context, deny, type NoLocals, reply, route, setup } from "../../mod.ts";
import { type Refusal, serveFiles } from "../../src/files/mod.ts";
import { streamFile } from "../../src/files/file_body.ts";
import { refuseName } from "../../src/files/find_file.ts";
import { request } from "../support/request.ts";
import { until } from "../support/until.ts";

const CHUNK = 256 * 1024;
const TYPES = new Map([[".txt", "text/plain"], [".js", "text/javascript"], ["", undefined]]);
const contentType = (ending: string) => TYPES.get(ending);
const OLD = new Date("2026-03-01T10:00:00Z");

/** Contains the served directory `public`. */
let place = "";
let directory = "";
let app: App;

/** Serves the directory with these options. */
function serve(options: Partial<Parameters<typeof serveFiles>[0]> = {}): App {
  const refuse = (_c: unknown, { status }: Refusal) => reply(status, `refused ${status}`);
  return setup({
    trustUrl: true,
    handlers: [
      route.on(["GET", "HEAD"], "/*", { resolve: serveFiles({ directory, contentType, refuse, ...options }) }),
    ],
  });
}

async function ask(name: string, headers: HeadersInit = {}, method = "GET", asked: App = app) {
  const response = await asked.fetch(request(`/${name}`, { method, headers }));
  const { status } = response;
  return { status, headers: response.headers, text: await response.text() };
}

/** How many files this process has open below the place. Only Linux tells. */
function openFiles(): number {
  if (process.platform !== "linux") return 0;
  return fs.readdirSync("/proc/self/fd").filter((file) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${file}`).startsWith(place);
    } catch {
      return false;
    }
  }).length;
}

function write(name: string, content: string | Uint8Array): void {
  fs.writeFileSync(`${directory}/${name}`, content);
}

function prepare(): void {
  place = fs.realpathSync.native(fs.mkdtempSync(`${tmpdir()}/files-`));
  directory = `${place}/public`;
  for (const name of ["public/nested", "public/.well-known", "outside"]) {
    fs.mkdirSync(`${place}/${name}`, { recursive: true });
  }
  fs.writeFileSync(`${place}/secret.txt`, "secret");
  fs.writeFileSync(`${place}/outside/file.txt`, "secret");
  for (const name of ["file.txt", "nested/file.txt", ".hidden", ".well-known/key", "no_type", "..."]) {
    if (name !== "...") write(name, "public");
  }
  write("empty.txt", "");
  write("large.txt", "0123456789abcde\n".repeat(3 * CHUNK / 16) + "end");
  app = serve();
}

function clean(): void {
  fs.rmSync(place, { recursive: true });
}

/** Skips these tests where nothing may be read or written. */
const permitted = (() => {
  try {
    fs.rmSync(fs.mkdtempSync(`${tmpdir()}/files-`), { recursive: true });
    return true;
  } catch {
    return false;
  }
})();
const suite = permitted ? describe : describe.skip;

/** Names that could lead out of the directory on some system. */
const INVALID = [
  ...["", "/", "/file.txt", "/etc/passwd", "%2f", "%2Fetc/passwd", "%2fetc%2fpasswd", "%2F%2Fetc%2Fpasswd"],
  ...["..%2fsecret.txt", "%2e%2e%2fsecret.txt", "%2E%2E%2Fsecret.txt", ".%2e%2fsecret.txt", "%2e%2e%2f"],
  ...["..%2f..%2f..%2f..%2f..%2fetc%2fpasswd", "nested/..%2f..%2fsecret.txt", "nested%2F..%2Ffile.txt"],
  ...["%2e%2e%00", "a..b", "...", "file..txt", "..file.txt", "file.txt..", "%5c", "%5c..%5csecret.txt"],
  ...["..%5Csecret.txt", "nested%5cfile.txt", "file.txt%5c", "C:%5cwindows%5cwin.ini", "%5c%5chost%5cshare", "%00"],
  ...["a%00.txt", "file.txt%00", "file.txt%00.txt", "%00file.txt"],
];
/** Names that nothing has, or only a directory. */
const ABSENT = [
  ...["nope", "secret.txt", "public", "nested", "nested%2F", "%252e%252e%252fsecret.txt", "%252e%252e", "%25"],
  ...["%2500", "%255c", "%c0%ae%c0%ae%c0%afsecret.txt", "%c0%ae%c0%ae", "%e0%80%ae", "%ff", "%ed%a0%80", "%zz"],
  ...["%", "%2", "%u002e%u002e", "file.txt%zz", "file.txt%2F", "file.txt%2F%2F", "file.txt%2F.", "file.txt%2F.%2F"],
  ...["file.txt%2Fx", "empty.txt%2Ffile.txt", ".%2F", "%01", "%0a", "%0d%0aset-cookie:%20a=b", "%7f", "%e2%80%ae"],
  ...["%ef%bc%8e%ef%bc%8e%ef%bc%8fsecret.txt", "~", "~root", "$HOME", "*", "*.html", "file.{txt,js}", "%3f", "%23"],
  ...["-", "-rf", "|id", ";id", "file.txt;x", "C:", "con", "NUL.txt", "file.txt:stream", "file.txt::$DATA"],
  ...["file:etc", "__proto__", "constructor", "x".repeat(255), "x".repeat(256), "x".repeat(5_000)],
  ...["x".repeat(60_000), "%f0%9f%93%9a".repeat(300), "x%2F".repeat(3_000) + "x", "nested/", "file.txt/"],
  ...["file.txt/x", "nested//file.txt", "nested%2F%2Ffile.txt", "nested%2F.%2Ffile.txt", ".%2Ffile.txt"],
  ...["FILE.txt"],
];

suite("serveFiles()", () => {
  before(prepare);
  after(clean);

  it("serveFiles() sends a file with its headers", async () => {
    const { status, headers, text } = await ask("file.txt");
    const { etag, "last-modified": date, ...others } = Object.fromEntries(headers);
    assertEquals([status, text], [200, "public"]);
    assertMatch(etag ?? "", /^"[\w.-]+"$/);
    assertEquals(date, new Date(fs.statSync(`${directory}/file.txt`).mtimeMs).toUTCString());
    assertEquals(others, {
      "accept-ranges": "bytes",
      "cache-control": "no-cache",
      "content-length": "6",
      "content-type": "text/plain",
      "x-content-type-options": "nosniff",
    });
  });

  it("serveFiles() sends large files and empty ones unchanged, and directories below", async () => {
    const large = fs.readFileSync(`${directory}/large.txt`, "utf8");
    assertEquals((await ask("large.txt")).text, large);
    assertEquals((await ask("empty.txt")).status, 200);
    assertEquals((await ask("nested/file.txt")).text, "public");
    assertEquals((await ask("nested%2Ffile.txt")).text, "public");
    await until(() => openFiles() === 0);
  });

  it("serveFiles() responds to HEAD as to GET, without a body", async () => {
    for (const name of ["file.txt", "large.txt", "empty.txt"]) {
      const [get, head] = [await ask(name), await ask(name, { range: "bytes=0-1" }, "HEAD")];
      assertEquals([head.status, head.text, [...head.headers]], [200, "", [...get.headers]]);
    }
  });

  it("serveFiles() sends octet-stream where no type is known", async () => {
    for (const nothing of [undefined, null]) {
      const asked = serve({ contentType: () => nothing });
      const { headers } = await ask("file.txt", {}, "GET", asked);
      assertEquals(headers.get("content-type"), "application/octet-stream");
    }
    assertEquals((await ask("no_type")).headers.get("content-type"), "application/octet-stream");
  });

  it("serveFiles() asks for the type of the ending of the name", async () => {
    const endings: string[] = [];
    const asked = serve({ contentType: (ending) => (endings.push(ending), undefined), dotFiles: true });
    for (const name of ["file.txt", "no_type", ".hidden"]) await ask(name, {}, "GET", asked);
    assertEquals(endings, [".txt", "", ""]);
  });

  it("serveFiles() sends no dot file, unless asked", async () => {
    const asked = serve({ dotFiles: true });
    for (const name of [".hidden", ".well-known/key", "nested/.x"]) assertEquals((await ask(name)).status, 404);
    for (const name of [".hidden", ".well-known/key"]) {
      assertEquals((await ask(name, {}, "GET", asked)).text, "public");
    }
  });

  it("serveFiles() refuses invalid names with 400 and names of no file with 404", async () => {
    for (const name of INVALID) assertEquals([name, (await ask(name)).status], [name, 400]);
    for (const name of ABSENT) assertEquals([name, (await ask(name)).status], [name, 404]);
    assertEquals((await ask("nope")).text, '"refused 404"');
  });

  it("CVE-2026-39406, CVE-2026-39407, CVE-2026-29045, CVE-2026-6414: serveFiles() sends no file of a guarded path, however it is spelled", async () => {
    const resolve = serveFiles({ directory, contentType });
    const paths = ["/s/nested/file.txt", "/s/nested%2Ffile.txt", "/s/nested%2ffile.txt", "/s/n%65sted/file.txt"]
      .concat("/s/%6E%65sted%2f%66ile.txt", "/s/nested//file.txt", "/s/nested%2F/file.txt", "/s//nested/file.txt")
      .concat("/s/%2Fnested/file.txt", "/s/nested/%2Ffile.txt", "/s/nested%2F.%2Ffile.txt", "/s/%2E%2Fnested/file.txt");
    for (const trustUrl of [false, true]) {
      const { fetch } = setup({
        trustUrl,
        handlers: [
          route.get("/s/*", { resolve }),
          route.get("/s/nested/*", { guards: [() => deny(reply(401))], resolve: () => reply(200) }),
        ],
      });
      assertEquals(await (await fetch(request("/s/file.txt"))).text(), "public");
      for (const path of paths) {
        const { status } = await fetch(request(path));
        assert([400, 401, 404].includes(status), `${path}: ${status}`);
      }
    }
  });

  it("GHSA-72gr-qfp7-vwhw: serveFiles() decodes a name once, and what is left of an escape is part of it", async () => {
    const names = ["%252e%252e%252fsecret.txt", "%252e%252e/x", "file%252etxt", "nested%252ffile.txt"];
    for (const name of names) assertEquals([name, (await ask(name)).status], [name, 404]);
  });

  it("CVE-2026-47676, CVE-2026-33490: the prefix of serveFiles() is a whole segment", async () => {
    const { fetch } = setup({ handlers: [route.get("/s/*", { resolve: serveFiles({ directory, contentType }) })] });
    assertEquals(await (await fetch(request("/s/file.txt"))).text(), "public");
    for (const path of ["/sfile.txt", "/ss/file.txt", "/s", "/s-/file.txt", "/S/file.txt", "/x/s/file.txt"]) {
      assertEquals([path, (await fetch(request(path))).status], [path, 404]);
    }
  });

  it("serveFiles() sends a file of the directory or an error, whatever hostile parts a path is combined from", async () => {
    const parts = ["..", "%2e%2E", ".", "/", "%2f", "\\", "%5c", "%00", "%25", "%", "file.txt", "secret.txt", ":"];
    const statuses = new Set<number>();
    for (const path of parts.flatMap((a) => parts.flatMap((b) => ["", ...parts].map((c) => `${a}${b}${c}`)))) {
      // As from a server that does not normalize targets.
      const asked = request("/");
      Object.defineProperty(asked, "url", { value: `http://localhost/${path}` });
      const response = await app.fetch(asked);
      const [{ status }, text] = [response, await response.text()];
      statuses.add(status);
      assert(status === 200 ? text === "public" : status === 400 || status === 404, `${path}: ${status}`);
    }
    for (const name of ["file.txt", "nested/file.txt"]) statuses.add((await ask(name)).status);
    assertEquals([...statuses].toSorted(), [200, 400, 404]);
  });

  it("serveFiles() has a response without a body where refuse is left out", async () => {
    const { status, text } = await ask("nope", {}, "GET", serve({ refuse: undefined }));
    assertEquals([status, text], [404, ""]);
  });

  it("serveFiles() takes the name from the option", async () => {
    const one = setup({
      trustUrl: true,
      handlers: [
        route.get("/", { resolve: serveFiles({ directory, contentType, name: () => "file.txt" }) }),
        route.get("/users/:id", {
          resolve: serveFiles({
            directory,
            contentType,
            name: (c: Context<NoLocals, { readonly id: string }>) => `${c.raw.params.id}.txt`,
          }),
        }),
      ],
    });
    for (const path of ["", "users/file"]) assertEquals((await ask(path, {}, "GET", one)).text, "public");
    assertEquals((await ask("users/..%2Fsecret", {}, "GET", one)).status, 400);
  });

  it("serveFiles() takes a URL, a path with a slash at the end, and a directory behind a link", async () => {
    fs.symlinkSync(directory, `${place}/link`);
    for (const given of [pathToFileURL(directory), pathToFileURL(`${directory}/`), `${directory}/`, `${place}/link`]) {
      assertEquals((await ask("file.txt", {}, "GET", serve({ directory: given }))).text, "public");
    }
    fs.rmSync(`${place}/link`);
    assertEquals((await ask(`${directory.slice(1)}/file.txt`, {}, "GET", serve({ directory: "/" }))).text, "public");
  });

  // Where `node:fs` is loaded later, it is an unhandled rejection.
  ("getBuiltinModule" in process ? it : it.skip)("serveFiles() throws for a directory that is none", () => {
    for (const wrong of ["", `${place}/nope`, `${directory}/file.txt`]) {
      const expected = "Option directory of serveFiles must be the path or the URL of a directory: received";
      assertThrows(() => serve({ directory: wrong }), TypeError, expected);
    }
  });

  it("serveFiles() throws for wrong options", () => {
    for (
      const [options, message] of [
        [{ contentType: undefined }, 'Option "contentType" of serveFiles is undefined'],
        [{ contentType: "text/plain" }, "Option contentType of serveFiles must be a function: received a string"],
        [{ etag: "x" }, "Option etag of serveFiles must be a function"],
        [{ refuse: 404 }, "Option refuse of serveFiles must be a function"],
        [{ name: "x" }, "Option name of serveFiles must be a function"],
        [{ cacheControl: 60 }, "Option cacheControl of serveFiles must be a function"],
        [{ precompressed: "br" }, "Option precompressed of serveFiles must be true or false: received a string"],
        [{ dotFiles: 1 }, "Option dotFiles of serveFiles must be true or false: received a number"],
        [{ dotfiles: true }, 'Option "dotfiles" of serveFiles is unknown: did you mean dotFiles?'],
      ] as const
    ) assertThrows(() => serve(options as never), TypeError, message);
  });

  it("serveFiles() fails for a route without a name", async () => {
    const wrong = setup({ handlers: [route.get("/x", { resolve: serveFiles({ directory, contentType }) as never })] });
    const expected =
      "Name of a file of serveFiles must be a string: end the path with *, or pass name: received undefined";
    await assertRejects(async () => await wrong.fetch(request("/x")), TypeError, expected);
  });

  it("serveFiles() loads node:fs in time, also on a runtime without process.getBuiltinModule", async () => {
    const { getBuiltinModule } = process;
    Object.assign(process, { getBuiltinModule: undefined });
    try {
      assertEquals((await ask("file.txt", {}, "GET", serve())).text, "public");
    } finally {
      Object.assign(process, { getBuiltinModule });
    }
  });
});

suite("conditions and ranges of serveFiles()", () => {
  before(() => {
    prepare();
    fs.utimesSync(`${directory}/file.txt`, OLD, OLD);
  });
  after(clean);

  /** The tag of a file. If its date was set, Deno has none for two seconds. */
  async function tagOf(name: string): Promise<string> {
    let tag: string | null = null;
    await until(async () => (tag = (await ask(name)).headers.get("etag")) !== null);
    return tag ?? "";
  }

  it("serveFiles() has a 304 where the client has the version, with the headers that identify it", async () => {
    const etag = await tagOf("file.txt");
    for (
      const condition of [{ "if-none-match": etag }, { "if-none-match": "*" }, {
        "if-modified-since": OLD.toUTCString(),
      }]
    ) {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers, text } = await ask("file.txt", condition, method);
        assertEquals([status, text], [304, ""]);
        assertEquals(Object.fromEntries(headers), {
          "cache-control": "no-cache",
          etag,
          "last-modified": OLD.toUTCString(),
        });
      }
    }
    assertEquals((await ask("file.txt", { "if-none-match": '"x"' })).status, 200);
  });

  it("serveFiles() has a 412 where If-Match or If-Unmodified-Since fails", async () => {
    assertEquals((await ask("file.txt", { "if-match": '"x"' })).status, 412);
    assertEquals((await ask("file.txt", { "if-match": await tagOf("file.txt") })).status, 200);
    const before = new Date(OLD.getTime() - 1000).toUTCString();
    assertEquals((await ask("file.txt", { "if-unmodified-since": before })).status, 412);
    assertEquals((await ask("nope", { "if-match": '"x"' })).status, 404);
  });

  it("serveFiles() sends a range of a small file and of a large one", async () => {
    for (const name of ["file.txt", "large.txt"]) {
      const whole = (await ask(name)).text;
      for (const [range, start, end] of [["0-1", 0, 2], ["2-", 2, whole.length], ["-3", -3, whole.length]] as const) {
        const { status, headers, text } = await ask(name, { range: `bytes=${range}` });
        const expected = whole.slice(start, end);
        assertEquals([name, status, text === expected], [name, 206, true]);
        const first = whole.length - whole.slice(start).length;
        assertEquals(headers.get("content-range"), `bytes ${first}-${first + expected.length - 1}/${whole.length}`);
        assertEquals(headers.get("content-length"), `${expected.length}`);
      }
    }
    const across = await ask("large.txt", { range: `bytes=${CHUNK - 2}-${CHUNK + 1}` });
    assertEquals(across.text, "e\n01");
    const streamed = await ask("large.txt", { range: `bytes=7-${2 * CHUNK + 9}` });
    assert(streamed.text === (await ask("large.txt")).text.slice(7, 2 * CHUNK + 10));
  });

  it("serveFiles() sends the whole where the system reads less at once than it is asked for", async () => {
    const { read } = fs;
    const [small, large] = [(await ask("file.txt")).text, (await ask("large.txt")).text];
    type Done = (error: Error | null, count: number) => void;
    const readLess = (file: number, into: Uint8Array, start: number, length: number, from: number, done: Done) =>
      read(file, into, start, Math.min(length, length > 9 ? 100_000 : 2), from, done);
    Object.assign(fs, { read: readLess });
    try {
      assertEquals((await ask("file.txt")).text, small);
      assertEquals((await ask("file.txt", { range: "bytes=1-" })).text, small.slice(1));
      assert((await ask("large.txt")).text === large);
    } finally {
      Object.assign(fs, { read });
    }
  });

  it("serveFiles() has a 416 with the length outside of the file, whatever response refuse returns", async () => {
    for (const refuse of [() => Response.redirect("http://localhost/"), () => new Response("no", { status: 416 })]) {
      const { headers } = await ask("file.txt", { range: "bytes=6-" }, "GET", serve({ refuse }));
      assertEquals(headers.get("content-range"), "bytes */6");
    }
    const { status, text } = await ask("file.txt", { range: "bytes=6-" });
    assertEquals([status, text], [416, '"refused 416"']);
  });

  it("serveFiles() sends a range only of the version that If-Range names", async () => {
    const etag = await tagOf("file.txt");
    for (
      const [condition, status] of [[etag, 206], [OLD.toUTCString(), 206], ['"x"', 200], [`W/${etag}`, 200]] as const
    ) {
      const answer = await ask("file.txt", { range: "bytes=0-1", "if-range": condition });
      assertEquals([condition, answer.status], [condition, status]);
    }
  });

  it("serveFiles() uses the tag of the option, or none, and knows the version", async () => {
    const asked = serve({ etag: ({ version, size }) => Promise.resolve(version && `"${size}"`) });
    await tagOf("file.txt");
    assertEquals((await ask("file.txt", { "if-none-match": 'W/"6"' }, "GET", asked)).status, 304);
    const none = serve({ etag: () => undefined });
    assertEquals((await ask("file.txt", {}, "GET", none)).headers.has("etag"), false);
  });

  it("serveFiles() throws what an option throws, and rejects a tag without quotes", async () => {
    const error = new Error("No tag");
    const unquoted = serve({ etag: () => "v1" });
    const rule = 'Result of etag of serveFiles must be an entity tag in quotes, "…" or W/"…": received a string';
    await assertRejects(() => ask("file.txt", {}, "GET", unquoted), TypeError, rule);
    const wrong = serve({ etag: () => Promise.reject(error) });
    assert(await assertRejects(() => ask("file.txt", {}, "GET", wrong)) === error);
  });

  it("serveFiles() has another tag after each change, also at once and with the same length", async () => {
    const tags = new Set<string | null>();
    for (let count = 0; count < 5; count++) {
      write("changing.txt", `${count}`);
      const { headers, text } = await ask("changing.txt");
      assertEquals(text, `${count}`);
      tags.add(headers.get("etag"));
    }
    assertEquals(tags.size, 5);
    assert(!tags.has(null));
  });

  it("serveFiles() has no tag for a file that keeps changing", async () => {
    const realNow = Date.now;
    // A clock that stands at the time of the change.
    Date.now = () => fs.statSync(`${directory}/file.txt`).ctimeMs;
    try {
      assertEquals((await ask("file.txt")).headers.has("etag"), false);
    } finally {
      Date.now = realNow;
    }
  });

  it("RFC 9110, 8.8.2.1: serveFiles() never sends a date in the future", async () => {
    const future = new Date(Date.now() + 86_400_000);
    write("future.txt", "x");
    fs.utimesSync(`${directory}/future.txt`, future, future);
    const date = Date.parse((await ask("future.txt")).headers.get("last-modified") ?? "");
    assert(date <= Date.now());
  });

  it("serveFiles() takes cacheControl for all, and by name", async () => {
    const all = serve({ cacheControl: "max-age=60" });
    assertEquals((await ask("file.txt", {}, "GET", all)).headers.get("cache-control"), "max-age=60");
    const some = serve({ cacheControl: (name) => name === "file.txt" ? "no-store" : "immutable" });
    assertEquals((await ask("file.txt", {}, "GET", some)).headers.get("cache-control"), "no-store");
  });
});

suite("compressed files of serveFiles()", () => {
  before(() => {
    prepare();
    for (
      const [name, content] of [["app.js", "plain"], ["app.js.br", "brotli"], ["app.js.gz", "gzip"], [
        "app.js.zst",
        "zstandard",
      ], ["only.js", "p"]]
    ) {
      write(name ?? "", content ?? "");
    }
    write("only.js.gz", "gzip");
    fs.mkdirSync(`${directory}/file.txt.br`);
    fs.symlinkSync(`${place}/secret.txt`, `${directory}/file.txt.gz`);
    app = serve({ precompressed: true });
  });
  after(clean);

  it("serveFiles() chooses what Accept-Encoding prefers, and else br", async () => {
    for (
      const [accepted, expected] of [
        ["br", "brotli"],
        ["gzip", "gzip"],
        ["x-gzip", "gzip"],
        ["GZIP, BR", "brotli"],
        ["gzip, deflate, br, zstd", "brotli"],
        ["gzip, zstd", "zstandard"],
        ["zstd;q=0.5, gzip", "gzip"],
        ["gzip;q=1, br;q=0.5", "gzip"],
        ["gzip; q=0.5, br ; q=0.5", "brotli"],
        ["br;q=0, gzip", "gzip"],
        ["*", "brotli"],
        ["*;q=0.5, br;q=0", "zstandard"],
        ["*, br;q=0, gzip;q=0, zstd;q=0", "plain"],
        ["identity, br;q=0.5", "plain"],
        ["identity;q=0.5, br;q=0.5", "brotli"],
        ["identity;q=0.2, gzip;q=0.1", "plain"],
        ["identity;q=0", "plain"],
        ["", "plain"],
        ["deflate", "plain"],
        ["br;q=x", "plain"],
        ["brx", "plain"],
      ] as const
    ) {
      const { headers, text } = await ask("app.js", { "accept-encoding": accepted });
      assertEquals([accepted, text], [accepted, expected]);
      const coding = { brotli: "br", zstandard: "zstd", gzip: "gzip", plain: null }[expected];
      assertEquals([headers.get("content-encoding"), headers.get("vary")], [coding, "accept-encoding"]);
      assertEquals(headers.get("content-type"), "text/javascript");
    }
    assertEquals((await ask("app.js")).text, "plain");
  });

  it("serveFiles() has a tag for each encoding, with Vary on the 304, and ranges of the encoded file", async () => {
    const tags = new Set<string>();
    // All of one size, with the same dates: the times of a build are often equal.
    for (const name of ["app.js", "app.js.br", "app.js.gz", "app.js.zst"]) {
      write(name, "sixsix");
      fs.utimesSync(`${directory}/${name}`, OLD, OLD);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    const alike = serve({ precompressed: true, etag: ({ size }) => `"${size}"` });
    for (const [coding, tag] of [["br", '"6-br"'], ["zstd", '"6-zstd"'], ["gzip", '"6-gzip"'], ["identity", '"6"']]) {
      const { headers } = await ask("app.js", { "accept-encoding": coding ?? "" }, "GET", alike);
      assertEquals(headers.get("etag"), tag);
    }
    write("app.js.br", "brotli");
    await new Promise((resolve) => setTimeout(resolve, 2100));
    for (const coding of ["br", "gzip", "identity"]) {
      const accepted = { "accept-encoding": coding };
      const etag = (await ask("app.js", accepted)).headers.get("etag") ?? "";
      const known = await ask("app.js", { ...accepted, "if-none-match": etag });
      assertEquals([known.status, known.headers.get("vary")], [304, "accept-encoding"]);
      tags.add(etag);
    }
    assertEquals(tags.size, 3);
    const part = await ask("app.js", { "accept-encoding": "br", range: "bytes=0-2" });
    assertEquals([part.text, part.headers.get("content-range")], ["bro", "bytes 0-2/6"]);
    assertEquals(part.headers.get("content-encoding"), "br");
    write("app.js", "plain");
  });

  it("serveFiles() sends the file itself if the compressed one is absent, a directory, or a link out", async () => {
    const both = { "accept-encoding": "br, gzip" };
    assertEquals((await ask("only.js", both)).text, "gzip");
    assertEquals((await ask("nested/file.txt", both)).text, "public");
    const { headers, text } = await ask("file.txt", both);
    assertEquals([text, headers.get("content-encoding")], ["public", null]);
    assertEquals((await ask("nope", both)).status, 404);
  });

  it("serveFiles() sends compressed files only where that is asked for", async () => {
    const { headers, text } = await ask("app.js", { "accept-encoding": "br" }, "GET", serve());
    assertEquals([text, headers.get("vary"), headers.get("content-encoding")], ["plain", null, null]);
  });
});

suite("links, devices and changes below serveFiles()", () => {
  before(prepare);
  after(clean);

  it("serveFiles() has a 403 for a link out of the directory, and sends what a link inside leads to", async () => {
    for (
      const [name, target, status] of [
        ["out.txt", "../secret.txt", 403],
        ["absolute.txt", `${place}/secret.txt`, 403],
        ["chain.txt", "out.txt", 403],
        ["up", "..", 403],
        ["device", "/dev/zero", 403],
        ["sibling", `${directory}-secret`, 404],
        ["inside.txt", "file.txt", 200],
        ["self", ".", 404],
        ["loop", "loop", 404],
        ["dangling", "nope", 404],
      ] as const
    ) {
      fs.symlinkSync(target, `${directory}/${name}`);
      for (const method of ["GET", "HEAD"]) assertEquals([name, (await ask(name, {}, method)).status], [name, status]);
    }
    fs.mkdirSync(`${directory}-secret`);
    fs.writeFileSync(`${directory}-secret/file.txt`, "secret");
    for (const name of ["up/secret.txt", "sibling", "sibling/file.txt", "up/outside/file.txt"]) {
      assertEquals([name, (await ask(name)).status], [name, 403]);
    }
    assertEquals((await ask("self/self/file.txt")).text, "public");
  });

  it("serveFiles() takes a link to a dot file for a dot file", async () => {
    fs.symlinkSync(".hidden", `${directory}/shown.txt`);
    fs.symlinkSync(".well-known", `${directory}/known`);
    for (const name of ["shown.txt", "known/key"]) {
      assertEquals((await ask(name)).status, 404);
      assertEquals((await ask(name, {}, "GET", serve({ dotFiles: true }))).text, "public");
    }
  });

  it("serveFiles() sends a file by no name that differs in case only, as systems do that ignore case", async () => {
    fs.symlinkSync("nested", `${directory}/NESTED`);
    assertEquals((await ask("NESTED/file.txt")).status, 404);
    assertEquals((await ask("nested/file.txt")).text, "public");
  });

  // The second time as where the system does not tell the path of an open file.
  for (const isTold of [true, false]) {
    it(`serveFiles() sends nothing from a link that replaces a directory, ${isTold ? "or" : "also without"} /proc`, async () => {
      const { openSync, readlinkSync } = fs;
      const untold = () => {
        throw new Error("No /proc");
      };
      fs.mkdirSync(`${directory}/box`, { recursive: true });
      write("box/file.txt", "public");
      await ask("box/file.txt");
      /** Replaces the directory by a link after the look-up, before the file is opened. */
      const swap = (path: string, flags: number) => {
        fs.renameSync(`${directory}/box`, `${directory}/box-old`);
        fs.symlinkSync("../outside", `${directory}/box`);
        try {
          return openSync(path, flags);
        } finally {
          fs.rmSync(`${directory}/box`);
          fs.renameSync(`${directory}/box-old`, `${directory}/box`);
        }
      };
      if (!isTold) Object.assign(fs, { readlinkSync: untold });
      Object.assign(fs, { openSync: swap });
      try {
        // The same size as the file outside.
        for (const method of ["GET", "HEAD"]) {
          const { status, text } = await ask("box/file.txt", {}, method);
          assertEquals([method, status, text], [method, 404, '"refused 404"']);
        }
      } finally {
        Object.assign(fs, { openSync, readlinkSync });
      }
      assertEquals((await ask("box/file.txt")).text, "public");
      assertEquals(openFiles(), 0);
    });
  }

  it("serveFiles() sends a file without /proc", async () => {
    const { readlinkSync } = fs;
    const untold = () => {
      throw new Error("No /proc");
    };
    Object.assign(fs, { readlinkSync: untold });
    try {
      assertEquals((await ask("file.txt")).text, "public");
    } finally {
      Object.assign(fs, { readlinkSync });
    }
  });

  it("serveFiles() without /proc needs the same path and the same file at each look-up after the file is open", async () => {
    const { readlinkSync, realpathSync, lstatSync } = fs;
    const untold = () => {
      throw new Error("No /proc");
    };
    for (const last of [0, 1, 2]) {
      for (const changed of ["path", "file"]) {
        // -1 until the file is open, then the number of the look-up.
        let count = -1;
        const readlink = () => {
          count = 0;
          return untold();
        };
        const native = (path: string) => realpathSync.native(path) + (changed === "path" && count === last ? "x" : "");
        const lstat = (path: string, options?: fs.StatSyncOptions) => {
          if (options !== undefined) count = -1; // it is looked up again
          const info = lstatSync(path, options);
          if (count >= 0 && info && changed === "file" && count === last) Object.assign(info, { ino: -1 });
          if (count >= 0) count++;
          return info;
        };
        Object.assign(fs, { readlinkSync: readlink, realpathSync: { native }, lstatSync: lstat });
        try {
          assertEquals([last, changed, (await ask("file.txt")).status], [last, changed, 404]);
        } finally {
          Object.assign(fs, { readlinkSync, realpathSync, lstatSync });
        }
        assertEquals(openFiles(), 0);
      }
    }
  });

  it("serveFiles() closes a file that it cannot look up once it is open", async () => {
    const { fstatSync } = fs;
    const error = Object.assign(new Error("Input/output error"), { code: "EIO" });
    Object.assign(fs, {
      fstatSync: () => {
        throw error;
      },
    });
    try {
      assert(await assertRejects(() => ask("file.txt")) === error);
    } finally {
      Object.assign(fs, { fstatSync });
    }
    assertEquals(openFiles(), 0);
  });

  it("serveFiles() looks a file up again whose path Bun does not find while it is replaced", async () => {
    const { realpathSync } = fs;
    let count = 0;
    const native = (path: string) => {
      if (count++ === 0) throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
      return realpathSync.native(path);
    };
    Object.assign(fs, { realpathSync: { native } });
    try {
      assertEquals((await ask("file.txt")).text, "public");
    } finally {
      Object.assign(fs, { realpathSync });
    }
    assert(count > 1);
  });

  it("serveFiles() looks a file up again that is truncated meanwhile", async () => {
    const { read } = fs;
    let count = 0;
    const truncated = (...args: readonly unknown[]) => {
      count++;
      (args.at(-1) as (error: null, count: number) => void)(null, 0);
    };
    Object.assign(fs, { read: truncated });
    try {
      assertEquals((await ask("file.txt")).status, 404);
    } finally {
      Object.assign(fs, { read });
    }
    assertEquals([count, openFiles()], [10, 0]);
  });

  it("serveFiles() has a 503 where the process has too many open files, a 403 without permission, and recovers", async () => {
    const { openSync } = fs;
    for (const [code, status] of [["EMFILE", 503], ["ENFILE", 503], ["EACCES", 403], ["EPERM", 403]] as const) {
      const fail = () => {
        throw Object.assign(new Error(code), { code });
      };
      Object.assign(fs, { openSync: fail });
      try {
        for (const name of ["file.txt", "large.txt"]) {
          for (const method of ["GET", "HEAD"]) {
            assertEquals([code, method, (await ask(name, {}, method)).status], [code, method, status]);
          }
        }
      } finally {
        Object.assign(fs, { openSync });
      }
      assertEquals((await ask("large.txt")).status, 200);
    }
  });

  it("serveFiles() throws an error of the disk unchanged, in the look-up, when opening and when reading", async () => {
    const { lstatSync, openSync, read } = fs;
    const error = Object.assign(new Error("Input/output error"), { code: "EIO" });
    const fail = () => {
      throw error;
    };
    const failLater = (...args: readonly unknown[]) => (args.at(-1) as (error: Error) => void)(error);
    for (const broken of [{ lstatSync: fail }, { openSync: fail }, { read: failLater }]) {
      Object.assign(fs, broken);
      try {
        assert(await assertRejects(() => ask("file.txt")) === error);
      } finally {
        Object.assign(fs, { lstatSync, openSync, read });
      }
      await until(() => openFiles() === 0);
    }
  });

  it("10,000 requests leave no file open", async () => {
    const one = async (index: number) => {
      const response = await app.fetch(request(["/file.txt", "/large.txt", "/nope"][index % 3] ?? ""));
      if (index % 2 === 0) await response.body?.cancel();
      else await response.arrayBuffer();
    };
    for (let count = 0; count < 10_000; count += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => one(count + index)));
    }
    await until(() => openFiles() === 0);
  });

  it("serveFiles() has positions beyond 2^32", async () => {
    const size = 10 * 2 ** 30;
    write("huge", "");
    fs.truncateSync(`${directory}/huge`, size);
    const file = fs.openSync(`${directory}/huge`, "r+");
    fs.writeSync(file, new TextEncoder().encode("beyond"), 0, 6, 2 ** 33);
    fs.closeSync(file);
    const { status, headers, text } = await ask("huge", { range: `bytes=${2 ** 33}-${2 ** 33 + 5}` });
    assertEquals([status, text, headers.get("content-range")], [
      206,
      "beyond",
      `bytes ${2 ** 33}-${2 ** 33 + 5}/${size}`,
    ]);
    assertEquals((await ask("huge", { range: "bytes=-3" })).text, "\0\0\0");
    assertEquals((await ask("huge", {}, "HEAD")).headers.get("content-length"), `${size}`);
    fs.rmSync(`${directory}/huge`);
  });

  it("a client that does not read holds one chunk", async () => {
    const { read } = fs;
    let bytes = 0;
    type Done = (error: Error | null, count: number) => void;
    const counted = (file: number, into: Uint8Array, from: number, length: number, position: number, done: Done) => {
      bytes += into.length;
      read(file, into, from, length, position, done);
    };
    Object.assign(fs, { read: counted });
    try {
      const reader = (await app.fetch(request("/large.txt"))).body?.getReader();
      assertEquals(bytes, 0);
      await reader?.read();
      await new Promise((resolve) => setTimeout(resolve, 20));
      assertEquals(bytes, CHUNK);
      await reader?.cancel();
    } finally {
      Object.assign(fs, { read });
    }
    await until(() => openFiles() === 0);
  });

  it("a client that goes closes the file, before the body is read and during it", async () => {
    for (const isReading of [false, true]) {
      const client = new AbortController();
      const response = await app.fetch(new Request("http://localhost/large.txt", { signal: client.signal }));
      if (isReading) await response.body?.getReader().read();
      client.abort();
      await until(() => openFiles() === 0);
    }
    const gone = new Request("http://localhost/large.txt", { signal: AbortSignal.abort() });
    const response = await app.fetch(gone);
    await assertRejects(() => response.text(), Error, "The client is gone");
    await until(() => openFiles() === 0);
  });

  it("a response is cut off if the file is truncated while it is being sent", async () => {
    write("shrinking", "x".repeat(3 * CHUNK));
    const response = await app.fetch(request("/shrinking"));
    fs.truncateSync(`${directory}/shrinking`, 0);
    await assertRejects(() => response.text(), Error, "The file was truncated while it was being sent");
    await until(() => openFiles() === 0);
  });
});

suite("a file that is streamed", () => {
  before(prepare);
  after(clean);
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Map<number, { readonly run: () => void; readonly milliseconds: number }>();

  /** Streams the large file while timers only run by hand. */
  async function whileTimersStand(
    use: (stream: ReadableStream<Uint8Array>, client: AbortController) => Promise<void>,
  ): Promise<void> {
    const client = new AbortController();
    let count = 0;
    timers.clear();
    Object.assign(globalThis, {
      setTimeout: (run: () => void, milliseconds: number) => (timers.set(++count, { run, milliseconds }), count),
      clearTimeout: (timer: number) => timers.delete(timer),
    });
    try {
      const open = () => fs.openSync(`${directory}/large.txt`, "r");
      await use(streamFile(fs, open, { start: 0, end: 3 * CHUNK }, client.signal), client);
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
    }
    await until(() => openFiles() === 0);
    assertEquals(timers.size, 0);
  }

  it("is not open until it is read, and has no timer: Node.js reads nothing for clients that are gone", async () => {
    await whileTimersStand(async (stream) => {
      await Promise.resolve();
      assertEquals([openFiles(), timers.size], [0, 0]);
      await stream.cancel();
    });
    const unread = await Promise.all(Array.from({ length: 100 }, () => app.fetch(request("/large.txt"))));
    assertEquals([openFiles(), unread.filter(({ status }) => status !== 200)], [0, []]);
    for (const { body } of unread) await body?.cancel();
  });

  it("is cut off if the file was replaced before the first read", async () => {
    write("replaced", "x".repeat(3 * CHUNK));
    const response = await app.fetch(request("/replaced"));
    fs.rmSync(`${directory}/replaced`);
    write("replaced", "y".repeat(3 * CHUNK));
    await assertRejects(() => response.text(), Error, "The file was truncated while it was being sent, or replaced");
    await until(() => openFiles() === 0);
  });

  it("is cut off if the file is truncated after the first read", async () => {
    write("shorter", "x".repeat(3 * CHUNK));
    const response = await app.fetch(request("/shorter"));
    const reader = response.body?.getReader();
    await reader?.read();
    fs.truncateSync(`${directory}/shorter`, 0);
    await assertRejects(async () => await reader?.read(), Error, "The file was truncated while it was being sent");
    await until(() => openFiles() === 0);
  });

  it("is closed after a minute in which the client reads nothing", async () => {
    for (const reads of [1, 2]) {
      await whileTimersStand(async (stream) => {
        const reader = stream.getReader();
        for (let turn = 0; turn < reads; turn++) await reader.read();
        const [[id, timer] = []] = [...timers];
        assertEquals([timers.size, timer?.milliseconds], [1, 60_000]);
        timers.delete(id ?? 0);
        timer?.run();
        await assertRejects(() => reader.read(), Error, "The client has not read for a minute");
      });
    }
  });

  it("leaves no timer at its end, and when it is cancelled, also during a read", async () => {
    await whileTimersStand(async (stream) => {
      await new Response(stream).arrayBuffer();
    });
    await whileTimersStand((stream) => stream.cancel());
    await whileTimersStand(async (stream) => {
      const reader = stream.getReader();
      const reading = reader.read();
      await reader.cancel();
      await reading;
    });
    await whileTimersStand(async (stream, client) => {
      const reader = stream.getReader();
      const reading = reader.read();
      await Promise.resolve(); // now the file is being read
      client.abort();
      await reading;
    });
  });
});

describe("refuseName()", () => {
  it("refuseName() refuses what Windows reads as another name, a device or a stream, on Windows only", () => {
    const names = ["a:b", "file.txt::$DATA", "C:", "con", "NUL.txt", "dir/aux", "com1", "lpt9.txt", "COM¹", "con .txt"]
      .concat("file.txt.", "file.txt ", "dir./file", "dir /file", "a*", "a?", "a<b", 'a"b', "a|b", "conin$", "prn/x");
    for (const name of names) {
      assertEquals([name, refuseName(name, false, true), refuseName(name, false, false)], [name, 404, undefined]);
    }
    for (const name of ["console.js", "nullable.txt", "community", "a.b", "con1.txt", "com10", "a b", "aux-1.js"]) {
      assertEquals([name, refuseName(name, false, true)], [name, undefined]);
    }
  });

  it("refuseName() takes time in proportion to the name", () => {
    // A million characters: a quadratic expression would take minutes.
    for (const part of ["/", ".", "./", " ", "con", "a/", ". "]) {
      refuseName(`x${part.repeat(1_000_000 / part.length)}x`, false, true);
    }
  });
});
