import { assertEquals, assertMatch } from "@std/assert";
import { it } from "@std/testing/bdd";
import { refuse } from "../../examples/static/refuse.ts";
import { granted } from "../support/granted.ts";
import { describeServed } from "./describe_served.ts";
import { discard } from "./discard.ts";
import { ROOT } from "./serve.ts";
import { sendTarget } from "./static_exchange.ts";

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

const REFUSALS = { 400: "Invalid name", 403: "Forbidden", 404: "Not found" };

describeServed("examples/static.ts", (served) => {
  async function assertRefused(status: keyof typeof REFUSALS, target: string): Promise<void> {
    const answer = await sendTarget(served.origin, target);
    assertEquals([answer.status, answer.body], [status, JSON.stringify({ error: REFUSALS[status] })], target);
    assertEquals(answer.headers.get("content-type"), "application/json");
    const head = await sendTarget(served.origin, target, { method: "HEAD" });
    assertEquals([head.status, head.body], [status, ""], target);
  }

  async function assertUnmatched(target: string, method = "GET"): Promise<void> {
    const { status, body } = await sendTarget(served.origin, target, { method });
    assertEquals([status, body], [404, ""], `${method} ${target}`);
  }

  it("a file of the static example is sent unchanged, with its type, length and date, under /static/, /files/ and /assets/", async () => {
    for (const [name, type] of Object.entries(TYPES)) {
      const bytes = await Deno.readFile(new URL(encodeURI(name), PUBLIC));
      const { mtime } = await Deno.stat(new URL(encodeURI(name), PUBLIC));
      for (const path of pathsTo(name)) {
        const response = await served.request(path);
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

  it("a file of the static example is found in a directory with an escaped slash, except below /assets/, which accepts only a name", async () => {
    for (const name of ["shelves/poetry.html", "shelves%2Fpoetry.html", "shelves%2fpoetry.html"]) {
      for (const prefix of ["/static", "/files"]) {
        assertEquals((await served.request(`${prefix}/${name}`).then(discard)).status, 200);
      }
    }
    await assertRefused(400, "/assets/shelves%2Fpoetry.html");
    await assertRefused(400, "/assets/nope%2fnope");
    await assertUnmatched("/assets/shelves/poetry.html");
  });

  it("a known tag causes a 304, a range a 206, and a range outside of the file a 416, below each prefix", async () => {
    for (const path of pathsTo("index.html")) {
      const whole = await sendTarget(served.origin, path);
      const etag = whole.headers.get("etag") ?? "";
      const known = await sendTarget(served.origin, path, { headers: `if-none-match: ${etag}\r\n` });
      assertEquals([known.status, known.body, known.headers.get("etag")], [304, "", etag]);
      const part = await sendTarget(served.origin, path, { headers: `range: bytes=5-9\r\nif-range: ${etag}\r\n` });
      assertEquals([part.status, part.body], [206, whole.body.slice(5, 10)]);
      const outside = await sendTarget(served.origin, path, { headers: "range: bytes=99999-\r\n" });
      assertEquals([outside.status, outside.body], [416, '{"error":"Range not satisfiable"}']);
    }
  });

  it("a name of no file causes a 400 if it could lead out of the directory, and else a 404, each with an error in JSON", async () => {
    for (const name of ["%2Fetc%2Fpasswd", "%2e%2e%2fstatic.ts", "a..b", "..%5Cstatic.ts", "index.html%00.txt"]) {
      for (const prefix of ["/static", "/files", "/assets"]) await assertRefused(400, `${prefix}/${name}`);
    }
    for (const name of ["nope", "shelves", "INDEX.html", "cafe%CC%81.txt", "%252e%252e", "%zz", "x".repeat(60_000)]) {
      for (const prefix of ["/static", "/files", "/assets"]) await assertRefused(404, `${prefix}/${name}`);
    }
  });

  it("a path without a route, or another method, causes the 404 of the framework", async () => {
    const targets = ["/", "/static", "/assets/", "/static.ts", "/static/../static.ts", "/files/../static/index.html"];
    for (const target of targets) await assertUnmatched(target);
    for (const method of ["POST", "DELETE", "OPTIONS"]) await assertUnmatched("/static/index.html", method);
  });

  it("a process with too many open files causes a 503 that says when to try again", async () => {
    const refused = refuse(undefined, { status: 503 });
    assertEquals([refused.status, refused.headers.get("retry-after")], [503, "5"]);
    assertEquals(await refused.json(), { error: "Overloaded" });
  });

  (granted("write") ? it : it.skip)(
    "a link in the directory of the example causes a 403 below each prefix if it leads out",
    async () => {
      const name = `test-${crypto.randomUUID()}.html`;
      const link = new URL(name, PUBLIC);
      await Deno.symlink("../static.ts", link);
      try {
        for (const path of pathsTo(name)) await assertRefused(403, path);
      } finally {
        await Deno.remove(link);
      }
    },
  );
});

/** Returns the paths of a file. */
function pathsTo(name: string): readonly string[] {
  const prefixes = name.includes("/") ? ["/static", "/files"] : ["/static", "/files", "/assets"];
  return prefixes.map((prefix) => `${prefix}/${encodeURI(name)}`);
}
