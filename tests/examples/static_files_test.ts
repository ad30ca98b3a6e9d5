import { assert, assertEquals, assertMatch, assertRejects, assertStrictEquals } from "@std/assert";
import { type ClientHttp2Session, connect } from "node:http2";
import { after, afterEach, before, beforeEach, describe, it } from "@std/testing/bdd";
import { createFileServer } from "../../examples/static/serve_file.ts";
import { streamFile } from "../../examples/static/stream_file.ts";
import { until } from "../until.ts";
import { granted, serve, type Served } from "./serve.ts";
import { ask } from "./static_exchange.ts";

const FIXTURE = "tests/examples/serve_directory.ts";
const MEBIBYTE = 1024 * 1024;

const suite = granted("net", "read", "run", "write") ? describe : describe.skip;

/** Holds the directory that is served, and beside it what nobody may read. */
let place = "";
let directory = "";
let served: Served;

// What holds where Deno permits to read that directory only has to hold where it permits to read everything.
for (const everything of [false, true]) {
  const start = () => serveDirectory(everything ? ["--allow-read"] : [`--allow-read=${directory}`]);

  suite(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"}`, () => {
    before(makePlace);
    before(start);
    after(stop);
    after(removePlace);

    it("are sent where links lead to them and stay in the directory", async () => {
      await link("same.txt", "file.txt");
      await link("absolute.txt", `${directory}/file.txt`);
      await link("around.txt", "../public/file.txt");
      await link("chain.txt", "around.txt");
      await link("nested/up.txt", "../file.txt");
      await link("alias", "nested");
      await link("self", ".");
      for (const name of ["file", "same", "absolute", "around", "chain", "nested/up", "alias/up", "self/self/file"]) {
        const { status, headers, body } = await ask(served.origin, `/${name}.txt`);
        assertEquals([status, body], [200, "public"], name);
        assertEquals(headers.get("content-type"), "text/plain; charset=UTF-8");
      }
    });

    it("are of the type that the name asked for says, whatever the file behind a link is called", async () => {
      await link("page.html", "file.txt");
      await link("plain", "file.txt");
      assertEquals((await ask(served.origin, "/page.html")).headers.get("content-type"), "text/html; charset=UTF-8");
      assertEquals((await ask(served.origin, "/plain")).headers.get("content-type"), "application/octet-stream");
    });

    it("have any name that is none of the forbidden ones", async () => {
      for (
        const name of [".hidden", "a:b", "con", "%zz", "%2e%2e%2f", "a\nb", " ", "-", "?", "#", "*", "~", "📚", "."]
      ) {
        if (name !== ".") await Deno.writeTextFile(`${directory}/${name}`, "strange");
        const { status, body } = await ask(served.origin, `/${encodeURIComponent(name)}`);
        assertEquals([status, body], name === "." ? [400, '{"error":"Invalid name"}'] : [200, "strange"], name);
      }
    });

    it("are there while they are replaced: by writing beside them and renaming, as deployments do", async () => {
      await Deno.writeTextFile(`${directory}/deployed.txt`, "deployed");
      let deploying = true;
      const deployment = (async () => {
        while (deploying) {
          await Deno.writeTextFile(`${directory}/deployed.new`, "deployed");
          await Deno.rename(`${directory}/deployed.new`, `${directory}/deployed.txt`);
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      })();
      const statuses = new Set<number>();
      for (let turn = 0; turn < 500; turn++) {
        const response = await fetch(`${served.origin}/deployed.txt`);
        statuses.add(response.status);
        await response.body?.cancel();
      }
      deploying = false;
      await deployment;
      assertEquals([...statuses], [200]);
    });

    it("are a 403 where the real path leaves the directory", async () => {
      await link("relative", "../secret.txt");
      await link("absolute", `${place}/secret.txt`);
      await link("chain1", "chain2");
      await link("chain2", "nested/chain3");
      await link("nested/chain3", "../relative");
      await link("up", "..");
      await link("sibling", "../public-secret");
      await link("elsewhere", "/");
      await link("null", "/dev/null");
      await link("zero", "/dev/zero");
      await link("environment", "/proc/self/environ");
      await link("memory", "/proc/self/mem");
      await link("sub", `${place}/public-secret/deep`);
      for (
        const name of [
          "relative",
          "absolute",
          "chain1",
          "chain2",
          "nested/chain3",
          "up",
          "up/secret.txt",
          "up/public-secret",
          "up/public-secret/file.txt",
          "sibling",
          "sibling/file.txt",
          "sibling/deep",
          "sibling/deep/file.txt",
          "elsewhere",
          "elsewhere/etc/passwd",
          `elsewhere${place}/secret.txt`,
          "null",
          "zero",
          "environment",
          "memory",
          "sub",
          "sub/file.txt",
        ]
      ) await assertRefused(403, name);
    });

    it("are found where links lead out and back in again", async () => {
      await link("out", "..");
      assertEquals((await ask(served.origin, "/out/public/file.txt")).body, "public");
    });

    it("are a 404 where links dangle or go round in circles", async () => {
      await link("dangling", "nope");
      await link("dangling-out", "../nope");
      await link("dangling-far", "/nope/nope");
      await link("loop", "loop");
      await link("ping", "pong");
      await link("pong", "ping");
      await link("through", "file.txt/x");
      await link("long", "x".repeat(300));
      for (const name of ["dangling", "dangling-out", "dangling-far", "loop", "loop/x", "ping", "through", "long"]) {
        await assertRefused(404, name);
      }
    });

    it("are regular ones: a directory, a socket or a link to them is a 404", async () => {
      using _socket = Deno.listen({ transport: "unix", path: `${directory}/socket` });
      await link("to-socket", "socket");
      await link("to-directory", "nested");
      for (const name of ["nested", "nested/", "nested/.", "to-directory", "to-directory/", "socket", "to-socket"]) {
        await assertRefused(404, name.replace("/.", "%2F."));
      }
    });

    it("are regular ones: nobody waits for the writer of a pipe", async () => {
      assert((await new Deno.Command("mkfifo", { args: [`${directory}/pipe`] }).output()).success);
      await link("to-pipe", "pipe");
      // As many as there could be threads to wait.
      const targets = Array.from({ length: 600 }, (_, index) => index % 2 === 0 ? "/pipe" : "/to-pipe");
      const answers = await Promise.all(targets.map((target) => ask(served.origin, target)));
      assertEquals(new Set(answers.map(({ status }) => status)), new Set([404]));
      assertEquals((await ask(served.origin, "/pipe", { method: "HEAD" })).status, 404);
      assertEquals((await ask(served.origin, "/file.txt")).body, "public");
    });

    it("are a 403 where their mode forbids to read them", async () => {
      const file = `${directory}/unreadable.txt`;
      await Deno.writeTextFile(file, "unreadable", { mode: 0o000 });
      // Root reads it all the same.
      const status = await Deno.readTextFile(file).then(() => 200, () => 403);
      assertEquals((await ask(served.origin, "/unreadable.txt")).status, status);
    });

    it("are known by another tag and date once they have changed", async () => {
      const file = `${directory}/changing.txt`;
      const tags = new Set<string>();
      for (const [text, time] of [["one", 1], ["two", 2], ["three", 2]] as const) {
        await Deno.writeTextFile(file, text);
        await Deno.utime(file, time, time);
        const { headers, body } = await ask(served.origin, "/changing.txt");
        assertEquals(body, text);
        assertEquals(headers.get("last-modified"), new Date(time * 1000).toUTCString());
        const etag = headers.get("etag") ?? "";
        for (const earlier of tags) {
          const answer = await ask(served.origin, "/changing.txt", { headers: `if-none-match: ${earlier}\r\n` });
          assertEquals([answer.status, answer.body], [200, text]);
        }
        const answer = await ask(served.origin, "/changing.txt", { headers: `if-none-match: ${etag}\r\n` });
        assertEquals(answer.status, 304);
        tags.add(etag);
      }
      assertEquals(tags.size, 3);
      await Deno.remove(file);
      await assertRefused(404, "changing.txt");
    });

    it("may be as old or as new as can be", async () => {
      for (const time of [-(2 ** 31), -1, 0, 2 ** 31, 2 ** 33]) {
        await Deno.utime(`${directory}/dated.txt`, time, time);
        const { status, headers } = await ask(served.origin, "/dated.txt");
        assertEquals(status, 200, String(time));
        assertMatch(headers.get("last-modified") ?? "", / GMT$/);
      }
    });

    it("are themselves, and nothing from outside, while links take their place and leave it", async () => {
      let swapping = true;
      const swaps = (async () => {
        while (swapping) {
          await link("swapped.new", "../secret.txt");
          await Deno.rename(`${directory}/swapped.new`, `${directory}/swapped`);
          await Deno.writeTextFile(`${directory}/swapped.new`, "public");
          await Deno.rename(`${directory}/swapped.new`, `${directory}/swapped`);
        }
      })();
      const statuses = new Set<number>();
      try {
        for (let turn = 0; turn < 100; turn++) {
          const targets = Array.from({ length: 20 }, (_, index) => index % 2 === 0 ? "/swapped" : "/box/file.txt");
          for (const { status, body } of await Promise.all(targets.map((target) => ask(served.origin, target)))) {
            statuses.add(status);
            assert(
              status === 200 ? body === "public" : status === 403 || status === 404,
              `${status} ${body} ${served.printed()}`,
            );
          }
        }
      } finally {
        swapping = false;
        await swaps;
      }
      assert(statuses.has(200) && statuses.has(403), String([...statuses]));
      await assertClosed("swapped");
      await assertClosed("secret");
    });
  });
}

suite("a file that is being sent", () => {
  before(makePlace);
  before(() => serveDirectory([`--allow-read=${directory}`]));
  after(stop);
  after(removePlace);

  it("is never held in memory, however large it is", async () => {
    await makeFile("large", 512 * MEBIBYTE);
    await download("/file.txt");
    const before = await memoryPeak();
    assertEquals(await download("/large"), 512 * MEBIBYTE);
    assertEquals((await ask(served.origin, "/large", { method: "HEAD" })).body, "");
    const growth = await memoryPeak() - before;
    assert(growth < 64 * MEBIBYTE, `The server has grown by ${growth} bytes`);
  });

  it("is closed once it has been sent", async () => {
    await makeFile("sent", MEBIBYTE);
    await Promise.all(Array.from({ length: 50 }, () => download("/sent")));
    await assertClosed("sent");
  });

  it("is closed before the answer to a HEAD, a 304, a 416, or if it is small", async () => {
    await makeFile("closed", MEBIBYTE);
    const etag = await tagOf("/closed");
    const unread = `GET /file.txt HTTP/1.1\r\nHost: h\r\n\r\n`;
    const requests = [
      `HEAD /closed HTTP/1.1\r\nHost: h\r\n\r\n`,
      `GET /closed HTTP/1.1\r\nHost: h\r\nif-none-match: ${etag}\r\n\r\n`,
      `GET /closed HTTP/1.1\r\nHost: h\r\nrange: bytes=${MEBIBYTE}-\r\n\r\n`,
      unread,
    ];
    using clients = new DisposableStack();
    for (const [index, status] of [200, 304, 416, 200].entries()) {
      const client = clients.use(await open(requests[index] ?? ""));
      const head = new Uint8Array(12);
      await client.read(head);
      assertEquals(new TextDecoder().decode(head), `HTTP/1.1 ${status}`);
      assertEquals([await handlesOn("closed"), await handlesOn("file.txt")], [0, 0]);
    }
  });

  it("is sent in part from anywhere within it, and known by a tag that If-Range takes", async () => {
    const file = `${directory}/numbered`;
    const numbers = Array.from({ length: 100_000 }, (_, index) => String(index).padStart(9, "0") + "\n").join("");
    await Deno.writeTextFile(file, numbers);
    const etag = await tagOf("/numbered");
    assertMatch(etag, /^"/);
    for (const [start, end] of [[0, 1], [65_535, 65_537], [500_000, 999_999], [123_456, 876_543]] as const) {
      const headers = `range: bytes=${start}-${end - 1}\r\nif-range: ${etag}\r\n`;
      const answer = await ask(served.origin, "/numbered", { headers });
      assertEquals([answer.status, answer.body.length], [206, end - start]);
      assert(answer.body === numbers.slice(start, end));
      assertEquals(answer.headers.get("content-range"), `bytes ${start}-${end - 1}/1000000`);
    }
    await assertClosed("numbered");
  });

  it("is known by another tag once it has changed, at the same length and date", async () => {
    const date = new Date("2026-01-01T00:00:00Z");
    const write = async (letter: string, size: number) => {
      await Deno.writeTextFile(`${directory}/steady`, letter.repeat(size));
      await Deno.utime(`${directory}/steady`, date, date);
    };
    for (const size of [10, MEBIBYTE]) {
      await write("a", size);
      const { headers } = await ask(served.origin, "/steady", { method: "HEAD" });
      assertEquals(headers.get("last-modified"), date.toUTCString());
      const early = headers.get("etag");
      // At once: a tag that was given before must not outlive this change, even one in the same tick of the clock.
      await write("b", size);
      const later = await tagOf("/steady");
      await write("c", size);
      const latest = await tagOf("/steady");
      for (const tag of [early, later, latest]) {
        const { status, body } = await ask(served.origin, "/steady", { headers: `if-none-match: ${tag}\r\n` });
        assertEquals([status, body.slice(0, 5)], tag === latest ? [304, ""] : [200, "ccccc"]);
        const part = await ask(served.origin, "/steady", { headers: `range: bytes=0-3\r\nif-range: ${tag}\r\n` });
        assertEquals([part.status, part.body.length], tag === latest ? [206, 4] : [200, size]);
      }
    }
  });

  it("is closed when the client goes away midway", async () => {
    await makeFile("aborted", 256 * MEBIBYTE);
    {
      using clients = new DisposableStack();
      for (let count = 1; count <= 50; count++) {
        const client = clients.use(await open("GET /aborted HTTP/1.1\r\nHost: h\r\n\r\n"));
        assert(await client.read(new Uint8Array(1000)) !== null);
      }
      assert(await handlesOn("aborted") >= 50);
    }
    await assertClosed("aborted");
  });

  it("is closed when the client has gone away before the answer came", async () => {
    await makeFile("unwanted", 256 * MEBIBYTE);
    for (let turn = 0; turn < 200; turn++) (await open("GET /unwanted HTTP/1.1\r\nHost: h\r\n\r\n")).close();
    await assertClosed("unwanted");
    assertEquals(await download("/file.txt"), "public".length);
  });

  it("leaves the connection in order if it grows meanwhile, and ends it if it shrinks", async () => {
    const size = 64 * MEBIBYTE;
    for (const [name, change] of [["growing", MEBIBYTE], ["shrinking", -MEBIBYTE]] as const) {
      await makeFile(name, size);
      using client = await open(`GET /${name} HTTP/1.1\r\nHost: h\r\n\r\n`);
      const start = new Uint8Array(100);
      assert(await client.read(start) !== null);
      await Deno.truncate(`${directory}/${name}`, size + change);
      await client.write(new TextEncoder().encode("GET /file.txt HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"));
      const end = (await drain(client)).tail;
      assertEquals(end.endsWith("public"), change > 0, name);
      await assertClosed(name);
    }
  });
});

suite("a client that asks for much over HTTP/2 and reads nothing", () => {
  before(makePlace);
  beforeEach(() => serveDirectory([`--allow-read=${directory}`]));
  afterEach(stop);
  after(removePlace);

  it("gets 256 large files at once, and 503 for those beyond; others get small ones all the while", async () => {
    await makeFile("stalled", 16 * MEBIBYTE);
    {
      using clients = new Clients();
      const statuses = await clients.ask("/stalled", 4, 100);
      assertEquals([statuses.get("200"), statuses.get("503 after 5")], [256, 144]);
      assertEquals(await handlesOn("stalled"), 256);
      assertEquals(await download("/file.txt"), "public".length);
      assertEquals((await ask(served.origin, "/stalled", { method: "HEAD" })).status, 200);
    }
    await assertClosed("stalled");
    assertEquals(await download("/stalled"), 16 * MEBIBYTE);
  });

  it("gets 1,000 small files that it asks for at once", async () => {
    using clients = new Clients();
    assertEquals([...await clients.askAtOnce("/file.txt", 5, 200)], [["200", 1000]]);
  });

  it("gets no more small files than 128 MiB hold, none of which stays open, and others none until it hangs up", async () => {
    await makeFile("small", 64 * 1024 - 1);
    const held = 128 * MEBIBYTE / (64 * 1024 - 1);
    {
      using clients = new Clients();
      const statuses = await clients.ask("/small", 12, 200, 50);
      assertEquals(statuses.get("200"), Math.floor(held));
      assertEquals(statuses.get("503 after 5"), 12 * 200 - Math.floor(held));
      assertEquals(await handlesOn("small"), 0);
      assertEquals((await ask(served.origin, "/small")).status, 503);
      assertEquals((await ask(served.origin, "/small", { method: "HEAD" })).status, 200);
    }
    await until(async () => (await ask(served.origin, "/small")).status === 200);
    assertEquals(await download("/small"), 64 * 1024 - 1);
  });
});

describe("a file that is streamed to a client that reads no more", () => {
  it("is closed after a minute", async () => {
    const { setTimeout, clearTimeout } = globalThis;
    const timers = new Map<number, { readonly run: () => void; readonly milliseconds: number }>();
    let count = 0;
    const fakes = {
      setTimeout: (run: () => void, milliseconds: number) => (timers.set(++count, { run, milliseconds }), count),
      clearTimeout: (timer: number) => timers.delete(timer),
    };
    const open = new DisposableStack();
    const file = { read: (bytes: Uint8Array) => Promise.resolve(bytes.length) };
    Object.assign(globalThis, fakes);
    try {
      const reader = streamFile(file, 200_000, open).getReader();
      for (let turn = 0; turn < 3; turn++) {
        await reader.read();
        assertEquals([...timers.values()].map(({ milliseconds }) => milliseconds), [60_000]);
      }
      timers.get(count)?.run();
      await assertRejects(() => reader.read(), Error, "The client has not read for a minute");
      assertEquals([open.disposed, timers.size], [true, 0]);
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
    }
  });
});

suite("an error that is not the client's", () => {
  it("is neither a 404 nor a 403: it escapes as it is", async () => {
    const error = Object.assign(new Error("Input/output error"), { code: "EIO" });
    await whileDenoHas({ realPath: () => Promise.reject(error) }, async () => {
      const serveFile = createFileServer("/");
      const request = new Request("http://localhost/file.txt");
      const rejection = await assertRejects(() => serveFile("file.txt", request, Promise.resolve()));
      assertStrictEquals(rejection, error);
    });
  });
});

/** Puts other functions in the place of some of Deno's, for a while. */
async function whileDenoHas(
  replacements: Partial<Pick<typeof Deno, "realPath">>,
  use: () => Promise<void>,
): Promise<void> {
  const { realPath } = Deno;
  Object.assign(Deno, replacements);
  try {
    await use();
  } finally {
    Object.assign(Deno, { realPath });
  }
}

async function makePlace(): Promise<void> {
  place = await Deno.realPath(await Deno.makeTempDir());
  directory = `${place}/public`;
  await Deno.mkdir(`${directory}/nested`, { recursive: true });
  await Deno.writeTextFile(`${directory}/file.txt`, "public");
  await Deno.writeTextFile(`${directory}/dated.txt`, "public");
  await Deno.mkdir(`${place}/public-secret/deep`, { recursive: true });
  for (const name of ["secret.txt", "public-secret/file.txt", "public-secret/deep/file.txt"]) {
    await Deno.writeTextFile(`${place}/${name}`, "secret");
  }
}

async function removePlace(): Promise<void> {
  await Deno.remove(place, { recursive: true });
}

async function serveDirectory(permissions: readonly string[]): Promise<void> {
  served = await serve(FIXTURE, { permissions: [...permissions], env: { DIRECTORY: directory } });
}

async function stop(): Promise<void> {
  await served.stop();
}

async function link(name: string, target: string): Promise<void> {
  await Deno.symlink(target, `${directory}/${name}`);
}

/** Makes a file of zeros that takes no space on the disk. */
async function makeFile(name: string, size: number): Promise<void> {
  using file = await Deno.create(`${directory}/${name}`);
  await file.truncate(size);
}

const REFUSALS = { 403: "Forbidden", 404: "Not found" };

async function assertRefused(status: keyof typeof REFUSALS, name: string): Promise<void> {
  const { status: actual, body } = await ask(served.origin, `/${name}`);
  assertEquals([actual, body], [status, JSON.stringify({ error: REFUSALS[status] })], name);
  assertEquals((await ask(served.origin, `/${name}`, { method: "HEAD" })).status, status, name);
}

async function open(text: string): Promise<Deno.Conn> {
  const { hostname, port } = new URL(served.origin);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode(text));
  return connection;
}

/** Clients over HTTP/2 that take no byte of any body. */
class Clients implements Disposable {
  readonly #sessions: ClientHttp2Session[] = [];

  /** Asks for a file many times, one client after the other, each for some of them at once, and counts the statuses. */
  async ask(path: string, clients: number, each: number, atOnce = each): Promise<ReadonlyMap<string, number>> {
    const heads: string[] = [];
    for (let client = 0; client < clients; client++) {
      const session = this.#connect();
      for (let asked = 0; asked < each; asked += atOnce) {
        heads.push(...await Promise.all(Array.from({ length: atOnce }, () => readHead(session, path))));
      }
    }
    return count(heads);
  }

  /** Asks for a file many times, all clients at once, and counts the statuses. */
  async askAtOnce(path: string, clients: number, each: number): Promise<ReadonlyMap<string, number>> {
    const sessions = Array.from({ length: clients }, () => this.#connect());
    const requests = sessions.flatMap((session) => Array.from({ length: each }, () => readHead(session, path)));
    return count(await Promise.all(requests));
  }

  #connect(): ClientHttp2Session {
    const session = connect(served.origin, { settings: { initialWindowSize: 0 } });
    session.on("error", () => {});
    this.#sessions.push(session);
    return session;
  }

  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.destroy();
  }
}

function count(heads: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const head of heads) counts.set(head, (counts.get(head) ?? 0) + 1);
  return counts;
}

function readHead(session: ClientHttp2Session, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = session.request({ ":path": path });
    request.on("error", reject);
    request.on("response", (headers) => {
      const after = headers["retry-after"];
      resolve(`${headers[":status"]}${after === undefined ? "" : ` after ${after}`}`);
    });
  });
}

/** The tag of a file. A large one has none until it is two seconds old. */
async function tagOf(path: string): Promise<string> {
  let etag = "";
  await until(async () => {
    etag = (await ask(served.origin, path, { method: "HEAD" })).headers.get("etag") ?? "";
    return etag !== "";
  }, () => `${path} gets no tag`);
  return etag;
}

/** The length of a body, which is thrown away. */
async function download(path: string): Promise<number> {
  const response = await fetch(served.origin + path);
  let length = 0;
  for await (const chunk of response.body ?? []) length += chunk.length;
  return length;
}

/** Reads until the server hangs up, and keeps the end of what came. */
async function drain(connection: Deno.Conn): Promise<{ readonly tail: string }> {
  let tail = "";
  for await (const chunk of connection.readable) {
    tail = (tail + new TextDecoder("latin1").decode(chunk.subarray(-1000))).slice(-1000);
  }
  return { tail };
}

/** The most memory that the server has had so far, in bytes. */
async function memoryPeak(): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${served.pid}/status`);
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** How many files the server has open whose path contains this. */
async function handlesOn(name: string): Promise<number> {
  const handles = `/proc/${served.pid}/fd`;
  let count = 0;
  for await (const { name: handle } of Deno.readDir(handles)) {
    // It may be closed by now.
    const path = await Deno.readLink(`${handles}/${handle}`).catch(() => "");
    if (path.includes(name)) count++;
  }
  return count;
}

/** Asserts that the server closes all that it has open by this name, sooner or later. */
async function assertClosed(name: string): Promise<void> {
  await until(async () => await handlesOn(name) === 0, () => `Handles on ${name} are left open`);
}
