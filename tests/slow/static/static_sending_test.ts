import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, afterEach, before, beforeEach, describe, it } from "@std/testing/bdd";
import { createPlaces } from "../../../examples/static/places.ts";
import type { ResponseConnection } from "../../../examples/static/recipient.ts";
import { route, setup } from "../../../mod.ts";
import { serveFiles } from "../../../src/files/mod.ts";
import { pause, until } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";
import type { Served } from "../../examples/serve.ts";
import { sendTarget } from "../../examples/static_exchange.ts";
import { assertClosed, handlesOn, makePlace, serveDirectory } from "../../examples/static_place.ts";
import { UnreadClients } from "../../examples/unread_clients.ts";

const MEBIBYTE = 1024 * 1024;

const suite = granted("net", "read", "run", "write") ? describe : describe.skip;

/** Contains the served directory. */
let place = "";
let directory = "";
let served: Served;

suite("a file that is being sent", () => {
  before(prepare);
  before(start);
  after(stop);
  after(removePlace);

  it("a file that is being sent is never completely in memory, however large it is", async () => {
    await makeFile("large", 256 * MEBIBYTE);
    await download("/file.txt");
    const before = await memoryPeak();
    assertEquals(await download("/large"), 256 * MEBIBYTE);
    assertEquals((await sendTarget(served.origin, "/large", { method: "HEAD" })).body, "");
    const growth = await memoryPeak() - before;
    assert(growth < 128 * MEBIBYTE, `The server has grown by ${growth} bytes`);
  });

  it("a file that is being sent is closed after it has been sent", async () => {
    await makeFile("sent", MEBIBYTE);
    await Promise.all(Array.from({ length: 50 }, () => download("/sent")));
    await assertClosed(served, "sent");
  });

  it("a file that is being sent is closed before the response if that is to a HEAD, a 304 or a 416, or if the file is small", async () => {
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
      assertEquals([await handlesOn(served, "closed"), await handlesOn(served, "file.txt")], [0, 0]);
    }
  });

  it("a file that is being sent is sent in ranges from any position, with a tag that If-Range accepts", async () => {
    const file = `${directory}/numbered`;
    const numbers = Array.from({ length: 100_000 }, (_, index) => String(index).padStart(9, "0") + "\n").join("");
    await Deno.writeTextFile(file, numbers);
    const etag = await tagOf("/numbered");
    assertMatch(etag, /^"/);
    for (const [start, end] of [[0, 1], [65_535, 65_537], [500_000, 999_999], [123_456, 876_543]] as const) {
      const headers = `range: bytes=${start}-${end - 1}\r\nif-range: ${etag}\r\n`;
      const answer = await sendTarget(served.origin, "/numbered", { headers });
      assertEquals([answer.status, answer.body.length], [206, end - start]);
      assert(answer.body === numbers.slice(start, end));
      assertEquals(answer.headers.get("content-range"), `bytes ${start}-${end - 1}/1000000`);
    }
    await assertClosed(served, "numbered");
  });

  it("a file that is being sent has another tag after a change, even with the same length and date", async () => {
    const date = new Date("2026-01-01T00:00:00Z");
    const write = async (letter: string, size: number) => {
      await Deno.writeTextFile(`${directory}/steady`, letter.repeat(size));
      await Deno.utime(`${directory}/steady`, date, date);
    };
    for (const size of [10, MEBIBYTE]) {
      await write("a", size);
      const { headers } = await sendTarget(served.origin, "/steady", { method: "HEAD" });
      assertEquals(headers.get("last-modified"), date.toUTCString());
      const early = headers.get("etag");
      // Immediately: an earlier tag must not match after this change, even within the same tick of the clock.
      await write("b", size);
      const later = await tagOf("/steady");
      await write("c", size);
      const latest = await tagOf("/steady");
      for (const tag of [early, later, latest]) {
        const { status, body } = await sendTarget(served.origin, "/steady", { headers: `if-none-match: ${tag}\r\n` });
        assertEquals([status, body.slice(0, 5)], tag === latest ? [304, ""] : [200, "ccccc"]);
        const part = await sendTarget(served.origin, "/steady", {
          headers: `range: bytes=0-3\r\nif-range: ${tag}\r\n`,
        });
        assertEquals([part.status, part.body.length], tag === latest ? [206, 4] : [200, size]);
      }
    }
  });

  it("a file that is being sent is closed when the client disconnects during the download", async () => {
    await makeFile("aborted", 256 * MEBIBYTE);
    {
      using clients = new DisposableStack();
      for (let count = 1; count <= 50; count++) {
        const client = clients.use(await open("GET /aborted HTTP/1.1\r\nHost: h\r\n\r\n"));
        assert(await client.read(new Uint8Array(1000)) !== null);
      }
      assert(await handlesOn(served, "aborted") >= 50);
    }
    await assertClosed(served, "aborted");
  });

  it("a file that is being sent is closed when the client disconnects before the response", async () => {
    await makeFile("unwanted", 256 * MEBIBYTE);
    for (let turn = 0; turn < 200; turn++) (await open("GET /unwanted HTTP/1.1\r\nHost: h\r\n\r\n")).close();
    await assertClosed(served, "unwanted");
    assertEquals(await download("/file.txt"), "public".length);
  });

  it("a file that is being sent keeps the connection usable if it grows meanwhile, and closes it if it shrinks", async () => {
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
      await assertClosed(served, name);
    }
  });
});

suite("createPlaces() of examples/static/", () => {
  before(prepare);
  after(removePlace);
  const asked = new Request("http://localhost/large");

  /** Serves the directory in places. */
  function createServe() {
    const inPlace = createPlaces();
    const app = setup({
      trustUrl: true,
      handlers: [route.get("/*", { resolve: serveFiles({ directory, contentType: () => undefined }) })],
    });
    return async (request: Request, connection?: ResponseConnection) =>
      inPlace<Response>(await app.fetch(request), request, connection);
  }

  it("createPlaces() takes a made-up connection, or none", async () => {
    const serve = createServe();
    const connections = [undefined, {}, { remoteAddr: { hostname: "192.0.2.1", port: 1 } }];
    for (const connection of [...connections, { completed: Promise.resolve() }, { requestIP: () => null }]) {
      const response = await serve(new Request("http://localhost/file.txt"), connection);
      assertEquals([response.status, await response.text()], [200, "public"]);
      const refused = await serve(new Request("http://localhost/..%2fsecret.txt"), connection);
      assertEquals(refused.status, 400);
    }
  });

  it("createPlaces() gives places back without a connection: at the end, when cancelled and when the client is gone", async () => {
    await makeFile("large", MEBIBYTE);
    const serve = createServe();
    const begin = (signal?: AbortSignal) => serve(new Request(asked, signal && { signal }));
    // More than the 150 places of one address.
    for (let turn = 0; turn < 160; turn++) assertEquals((await (await begin()).bytes()).length, MEBIBYTE);
    for (let turn = 0; turn < 160; turn++) await (await begin()).body?.cancel();
    for (let turn = 0; turn < 160; turn++) {
      const client = new AbortController();
      const { status } = await begin(client.signal);
      assertEquals([turn, status], [turn, 200]);
      client.abort();
      await until(async () => {
        const next = await begin();
        await next.body?.cancel();
        return next.status === 200;
      });
    }
    const open = await Promise.all(Array.from({ length: 150 }, () => begin()));
    assertEquals([new Set(open.map(({ status }) => status)), (await begin()).status], [new Set([200]), 503]);
    for (const { body } of open) await body?.cancel();
  });
});

suite("a client that sends many requests over HTTP/2 and reads nothing", () => {
  before(prepare);
  beforeEach(start);
  afterEach(stop);
  after(removePlace);

  it("a client that sends many requests over HTTP/2 and reads nothing gets 32 large files at once and 503 for more, while its other connections and other addresses get files", async () => {
    await makeFile("stalled", 16 * MEBIBYTE);
    {
      using clients = new UnreadClients(served.origin);
      const statuses = await clients.ask("/stalled", 3, 100);
      assertEquals([statuses.get("200"), statuses.get("503 after 5")], [3 * 32, 300 - 3 * 32]);
      // The file of a request that is refused is closed after its response has begun.
      await until(async () => await handlesOn(served, "stalled") === 3 * 32);
      assertEquals(await download("/stalled"), 16 * MEBIBYTE);
      assertEquals(await download("/file.txt"), "public".length);
      assertEquals((await sendTarget(served.origin, "/stalled", { method: "HEAD" })).status, 200);
      using others = new UnreadClients(served.origin, "127.0.0.2");
      assertEquals([...await others.ask("/stalled", 1, 32)], [["200", 32]]);
    }
    await assertClosed(served, "stalled");
  });

  it("a client that sends many requests over HTTP/2 and reads nothing gets 150 large files at once over any number of connections, and so leaves some to other addresses", async () => {
    await makeFile("shared", 16 * MEBIBYTE);
    using clients = new UnreadClients(served.origin);
    assertEquals((await clients.ask("/shared", 8, 32)).get("200"), 150);
    using others = new UnreadClients(served.origin, "127.0.0.2");
    assertEquals((await others.ask("/shared", 8, 32)).get("200"), 150);
    using third = new UnreadClients(served.origin, "127.0.0.3");
    assertEquals((await third.ask("/shared", 8, 32)).get("200"), 100);
    await until(async () => await handlesOn(served, "shared") === 400);
  });

  it("a client that sends many requests over HTTP/2 and reads nothing gets 1,000 small files at once", async () => {
    using clients = new UnreadClients(served.origin);
    assertEquals([...await clients.askAtOnce("/file.txt", 5, 200)], [["200", 1000]]);
  });

  it("a client that sends many requests over HTTP/2 and reads nothing gets at most 40 MiB of small files, none of them open, and other addresses get theirs", async () => {
    const size = 64 * 1024 - 1;
    await makeFile("small", size);
    const held = Math.floor(40 * MEBIBYTE / size);
    {
      using clients = new UnreadClients(served.origin);
      const statuses = await clients.ask("/small", 6, 200, { atOnce: 50 });
      assertEquals([statuses.get("200"), statuses.get("503 after 5")], [held, 6 * 200 - held]);
      assertEquals(await handlesOn(served, "small"), 0);
      assertEquals((await sendTarget(served.origin, "/small")).status, 503);
      assertEquals((await sendTarget(served.origin, "/small", { method: "HEAD" })).status, 200);
      using others = new UnreadClients(served.origin, "127.0.0.2");
      assertEquals([...await others.ask("/small", 1, 100)], [["200", 100]]);
    }
    await until(async () => (await sendTarget(served.origin, "/small")).status === 200);
    assertEquals(await download("/small"), size);
  });
});

suite("a server of files", () => {
  before(prepare);
  before(start);
  after(removePlace);

  it("a server of files exits on SIGTERM, without waiting for clients that have disconnected", async () => {
    await makeFile("left", 64 * MEBIBYTE);
    await Promise.all(Array.from({ length: 100 }, async () => {
      using client = await open("GET /left HTTP/1.1\r\nHost: h\r\n\r\n");
      await client.read(new Uint8Array(1000));
    }));
    await assertClosed(served, "left");
    let exited = false;
    served.exitCode.then(() => exited = true);
    Deno.kill(served.pid, "SIGTERM");
    // Half the minute of a timer that nobody clears.
    for (let turn = 0; turn < 1500 && !exited; turn++) await pause(20);
    assert(exited);
  });
});

async function prepare(): Promise<void> {
  place = await makePlace();
  directory = `${place}/public`;
}

async function start(): Promise<void> {
  served = await serveDirectory(directory, [`--allow-read=${directory}`]);
}

async function removePlace(): Promise<void> {
  await Deno.remove(place, { recursive: true });
}

async function stop(): Promise<void> {
  await served.stop();
}

/** Creates a sparse file of zeros. */
async function makeFile(name: string, size: number): Promise<void> {
  using file = await Deno.create(`${directory}/${name}`);
  await file.truncate(size);
}

async function open(text: string): Promise<Deno.Conn> {
  const { hostname, port } = new URL(served.origin);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode(text));
  return connection;
}

/** Returns the tag of a file. A large file has none until it is two seconds old. */
async function tagOf(path: string): Promise<string> {
  let etag = "";
  await until(async () => {
    etag = (await sendTarget(served.origin, path, { method: "HEAD" })).headers.get("etag") ?? "";
    return etag !== "";
  }, () => `${path} gets no tag`);
  return etag;
}

/** Reads a body, and returns only its length. */
async function download(path: string): Promise<number> {
  const response = await fetch(served.origin + path);
  let length = 0;
  for await (const chunk of response.body ?? []) length += chunk.length;
  return length;
}

/** Reads until the server closes the connection, and returns the end of the data. */
async function drain(connection: Deno.Conn): Promise<{ readonly tail: string }> {
  let tail = "";
  for await (const chunk of connection.readable) {
    tail = (tail + new TextDecoder("latin1").decode(chunk.subarray(-1000))).slice(-1000);
  }
  return { tail };
}

/** Returns the maximum memory of the server so far, in bytes. */
async function memoryPeak(): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${served.pid}/status`);
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
