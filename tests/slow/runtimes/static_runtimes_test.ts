/** `serveFiles` on Bun and Node.js: what it must not send, and what it must give back. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { BUN, bundle, findProgram, run } from "./programs.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { until } from "../../support/until.ts";
import { discard } from "../../examples/discard.ts";
import { granted } from "../../support/granted.ts";
import { sendTarget } from "../../examples/static_exchange.ts";
import { assertClosed, handlesOn, makePlace } from "../../examples/static_place.ts";

const LARGE = 16 * 1024 * 1024;

/** How many files one address may hold open: `FILES` of examples/static/places.ts. */
const PER_ADDRESS = 150;

for (const runtime of ["Bun", "Node.js"]) {
  (granted("env", "net", "read", "run", "write") ? describe : describe.skip)(`serveFiles() on ${runtime}`, () => {
    let place = "";
    let bundles = "";
    let served: ServerProcess;
    before(async () => {
      place = await makePlace();
      bundles = await Deno.makeTempDir();
      const directory = `${place}/public`;
      await Deno.symlink("../secret.txt", `${directory}/out.txt`);
      await Deno.symlink("../public-secret", `${directory}/outside`);
      await Deno.symlink("file.txt", `${directory}/inside.txt`);
      await Deno.symlink("loop", `${directory}/loop`);
      const numbers = Array.from({ length: LARGE / 8 }, (_, index) => String(index).padStart(7, "0") + "\n").join("");
      await Deno.writeTextFile(`${directory}/large`, numbers);
      const module = await bundle("tests/examples/serve_directory.ts", bundles);
      const launcher = await bundle("tests/slow/runtimes/serve_recipe.ts", bundles);
      const [program, args] = runtime === "Bun" ? [await findProgram(BUN, "bun"), ["run"]] : ["node", []];
      served = await startServer(program, [...args, launcher, module], { DIRECTORY: directory });
    });
    after(async () => {
      await served.stop("SIGKILL");
      await Deno.remove(place, { recursive: true });
      await Deno.remove(bundles, { recursive: true });
    });
    const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
      fetch(served.origin + path, { method, headers });

    it(`serveFiles() on ${runtime} sends the files of the directory, with type, ETag and 304`, async () => {
      // A file that is younger than two seconds has no ETag.
      await until(async () => (await discard(await get("/file.txt"))).headers.has("etag"));
      const response = await get("/file.txt");
      assertEquals([response.status, await response.text()], [200, "public"]);
      assertEquals(response.headers.get("content-type"), "text/plain; charset=UTF-8");
      assertEquals(await (await get("/inside.txt")).text(), "public");
      const known = await get("/file.txt", { "if-none-match": response.headers.get("etag") ?? "" });
      assertEquals([known.status, await known.text()], [304, ""]);
      const head = await get("/large", {}, "HEAD");
      assertEquals([head.status, head.headers.get("content-length"), await head.text()], [200, String(LARGE), ""]);
    });

    it(`examples/static.ts runs on ${runtime}`, async () => {
      // It serves the directory beside it.
      await Deno.mkdir(`${bundles}/public`);
      await Deno.writeTextFile(`${bundles}/public/index.html`, "<p>Hello");
      const module = await bundle("examples/static.ts", bundles);
      const launcher = await bundle("tests/slow/runtimes/serve_recipe.ts", bundles);
      const [program, args] = runtime === "Bun" ? [await findProgram(BUN, "bun"), ["run"]] : ["node", []];
      const example = await startServer(program, [...args, launcher, module]);
      try {
        await until(async () =>
          (await discard(await fetch(`${example.origin}/static/index.html`))).headers.has("etag")
        );
        const response = await fetch(`${example.origin}/static/index.html`);
        assertEquals([response.status, await response.text()], [200, "<p>Hello"]);
        assertMatch(response.headers.get("etag") ?? "", /^"[\w-]+"$/);
      } finally {
        await example.stop("SIGKILL");
      }
    });

    it(`serveFiles() on ${runtime} sends nothing from outside the directory`, async () => {
      for (
        const [target, status] of [
          ["/out.txt", 403],
          ["/outside/file.txt", 403],
          ["/loop", 404],
          ["/nested", 404],
          ["/nope", 404],
          ["/file.txt/x", 404],
          ["/file.txt/", 404],
          [`/${"x".repeat(300)}`, 404],
          ["/", 400],
          ["/%2e%2e%2fsecret.txt", 400],
          ["/..%2fsecret.txt", 400],
          ["/nested%2f..%2f..%2fsecret.txt", 400],
          ["/..%5csecret.txt", 400],
          ["/file.txt%00", 400],
          ["//etc/passwd", 400],
          ["/%2fetc%2fpasswd", 400],
        ] as const
      ) {
        const answer = await sendTarget(served.origin, target);
        assertEquals([target, answer.status, answer.body.includes("secret")], [target, status, false]);
      }
      for (const target of ["/../secret.txt", "/nested/../../secret.txt", "/%2e%2e/secret.txt"]) {
        const answer = await sendTarget(served.origin, target);
        assertEquals([target, answer.status >= 400, answer.body.includes("secret")], [target, true, false]);
      }
    });

    it(`serveFiles() on ${runtime} responds to more requests at once than it looks for files`, async () => {
      const answers = await Promise.all(Array.from({ length: 500 }, () => sendTarget(served.origin, "/file.txt")));
      assertEquals(new Set(answers.map(({ status, body }) => `${status} ${body}`)), new Set(["200 public"]));
    });

    it(`serveFiles() on ${runtime} does not wait for the writer of a pipe`, async () => {
      assert((await new Deno.Command("mkfifo", { args: [`${place}/public/pipe`] }).output()).success);
      // More than the threads that could wait.
      const answers = await Promise.all(Array.from({ length: 100 }, () => sendTarget(served.origin, "/pipe")));
      assertEquals(new Set(answers.map(({ status }) => status)), new Set([404]));
      assertEquals((await sendTarget(served.origin, "/file.txt")).body, "public");
    });

    it(`serveFiles() on ${runtime} never sends the target of a link that replaces a file`, async () => {
      const swapped = `${place}/public/swapped`;
      let swapping = true;
      const swaps = (async () => {
        while (swapping) {
          await Deno.symlink("../secret.txt", `${swapped}.new`);
          await Deno.rename(`${swapped}.new`, swapped);
          await Deno.writeTextFile(`${swapped}.new`, "public");
          await Deno.rename(`${swapped}.new`, swapped);
        }
      })();
      const statuses = new Set<number>();
      try {
        for (let turn = 0; turn < 100 || !(statuses.has(200) && statuses.has(403)); turn++) {
          assert(turn < 10_000, String([...statuses]));
          for (
            const { status, body } of await Promise.all(
              Array.from({ length: 10 }, () => sendTarget(served.origin, "/swapped")),
            )
          ) {
            statuses.add(status);
            assert(status === 200 ? body === "public" : status === 403 || status === 404, `${status} ${body}`);
          }
        }
      } finally {
        swapping = false;
        await swaps;
      }
      await assertClosed(served, "swapped");
      await assertClosed(served, "secret");
    });

    it(`serveFiles() on ${runtime} does not wait for the writer of a pipe that replaces a file`, async () => {
      const replaced = `${place}/public/replaced`;
      await new Deno.Command("mkfifo", { args: [`${place}/replacing`] }).output();
      await Deno.writeTextFile(replaced, "public");
      let replacing = true;
      const replacements = (async () => {
        while (replacing) {
          await Deno.link(`${place}/replacing`, `${replaced}.new`);
          await Deno.rename(`${replaced}.new`, replaced);
          await Deno.writeTextFile(`${replaced}.new`, "public");
          await Deno.rename(`${replaced}.new`, replaced);
        }
      })();
      try {
        for (let turn = 0; turn < 100; turn++) {
          await Promise.all(Array.from({ length: 10 }, async () => {
            // It would wait without an end.
            const response = await fetch(`${served.origin}/replaced`, { signal: AbortSignal.timeout(20_000) });
            const body = await response.text();
            assert(response.status === 200 ? body === "public" : response.status === 404, `${response.status} ${body}`);
          }));
        }
      } finally {
        replacing = false;
        await replacements;
        await Deno.remove(replaced);
      }
      await assertClosed(served, "replac");
    });

    it(`serveFiles() on ${runtime} sends ranges of large and small files, and 416 outside of them`, async () => {
      const whole = await (await get("/large")).text();
      assertEquals(whole.length, LARGE);
      for (const [start, end] of [[0, 1], [65_535, 65_537], [8_000_000, 9_000_000]] as const) {
        const part = await get("/large", { range: `bytes=${start}-${end - 1}` });
        assertEquals([part.status, part.headers.get("content-range")], [206, `bytes ${start}-${end - 1}/${LARGE}`]);
        assert(await part.text() === whole.slice(start, end), `${start} to ${end}`);
      }
      assertEquals(await (await get("/file.txt", { range: "bytes=-3" })).text(), "lic");
      assertEquals((await discard(await get("/file.txt", { range: "bytes=6-" }))).status, 416);
      assertEquals((await discard(await get("/large", { range: `bytes=${LARGE}-` }))).status, 416);
      await assertClosed(served, "large");
    });

    it(`serveFiles() on ${runtime} cuts the response off, and does not end it, if the file is truncated while it is being sent`, async () => {
      const name = `${place}/public/shrinking`;
      await Deno.copyFile(`${place}/public/large`, name);
      const response = await get("/shrinking");
      await Deno.truncate(name, 0);
      await assertRejects(() => response.bytes());
      await assertClosed(served, "shrinking");
    });

    it(`serveFiles() on ${runtime} closes a file when the client disconnects, before the response or during it`, async () => {
      for (let turn = 0; turn < 50; turn++) (await begin()).close();
      const clients = await Promise.all(Array.from({ length: 20 }, begin));
      await until(async () => await handlesOn(served, "large") === 20);
      for (const client of clients) client.close();
      await assertClosed(served, "large");
    });

    it(`serveFiles() on ${runtime} holds a bounded number of files open for clients that read nothing, and then responds with 503`, async () => {
      const clients: Deno.Conn[] = [];
      try {
        for (let count = 1; count <= PER_ADDRESS; count++) clients.push(await begin());
        await until(async () => await handlesOn(served, "large") === PER_ADDRESS);
        const refused = await discard(await get("/large"));
        assertEquals([refused.status, refused.headers.get("retry-after")], [503, "5"]);
        assertEquals(await (await get("/file.txt")).text(), "public");
      } finally {
        for (const client of clients) client.close();
      }
      await assertClosed(served, "large");
      assertEquals((await discard(await get("/large"))).status, 200);
    });

    /** Requests the large file, and reads nothing of it. */
    async function begin(): Promise<Deno.Conn> {
      const { hostname, port } = new URL(served.origin);
      const connection = await Deno.connect({ hostname, port: Number(port) });
      await connection.write(new TextEncoder().encode("GET /large HTTP/1.1\r\nHost: h\r\n\r\n"));
      return connection;
    }
  });
}

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("tests/files/", () => {
  for (const version of ["20.12.0", "20", "22", "24"]) {
    it(`tests/files/ passes on Node.js ${version}`, async () => {
      const bundles = await Deno.makeTempDir();
      const tests = await bundle("tests/files/serve_files_test.ts", bundles);
      const node = await findProgram(`node@${version}`, "node");
      // Fails if a test does.
      const output = await run(node, ["--test", "--test-reporter=tap", tests]);
      assertMatch(output, /^# pass [1-9]/m);
      await Deno.remove(bundles, { recursive: true });
    });
  }

  it("tests/files/ passes on Bun", async () => {
    const bundles = await Deno.makeTempDir();
    const tests = await bundle("tests/files/serve_files_test.ts", bundles);
    await run(await findProgram(BUN, "bun"), ["test", "--timeout=120000", tests]);
    await Deno.remove(bundles, { recursive: true });
  });
});
