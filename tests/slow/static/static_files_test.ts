import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { pause, until } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";
import type { Served } from "../../examples/serve.ts";
import { sendTarget } from "../../examples/static_exchange.ts";
import { assertClosed, makePlace, serveDirectory } from "../../examples/static_place.ts";

const suite = granted("net", "read", "run", "write") ? describe : describe.skip;

/** Contains the served directory, and beside it files that must not be served. */
let place = "";
let directory = "";
let served: Served;

// The results must be the same with permission to read everything as with permission to read only that directory.
for (const everything of [false, true]) {
  const start = async () => {
    served = await serveDirectory(directory, everything ? ["--allow-read"] : [`--allow-read=${directory}`]);
  };

  suite(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"}`, () => {
    before(prepare);
    before(start);
    after(stop);
    after(removePlace);

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} are sent if links lead to them inside the directory`, async () => {
      await link("same.txt", "file.txt");
      await link("absolute.txt", `${directory}/file.txt`);
      await link("around.txt", "../public/file.txt");
      await link("chain.txt", "around.txt");
      await link("nested/up.txt", "../file.txt");
      await link("alias", "nested");
      await link("self", ".");
      for (const name of ["file", "same", "absolute", "around", "chain", "nested/up", "alias/up", "self/self/file"]) {
        const { status, headers, body } = await sendTarget(served.origin, `/${name}.txt`);
        assertEquals([status, body], [200, "public"], name);
        assertEquals(headers.get("content-type"), "text/plain; charset=UTF-8");
      }
    });

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} have the type of the requested name, even if it is a link to a file of another type`, async () => {
      await link("page.html", "file.txt");
      await link("plain", "file.txt");
      assertEquals(
        (await sendTarget(served.origin, "/page.html")).headers.get("content-type"),
        "text/html; charset=UTF-8",
      );
      assertEquals((await sendTarget(served.origin, "/plain")).headers.get("content-type"), "application/octet-stream");
    });

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} may have any name that is not forbidden`, async () => {
      for (
        const name of ["a:b", "con", "%zz", "%2e%2e%2f", "a\nb", " ", "-", "?", "#", "*", "~", "📚", "."]
      ) {
        if (name !== ".") await Deno.writeTextFile(`${directory}/${name}`, "strange");
        const { status, body } = await sendTarget(served.origin, `/${encodeURIComponent(name)}`);
        // A dot segment matches no route.
        assertEquals([status, body], name === "." ? [404, ""] : [200, "strange"], name);
      }
      await Deno.writeTextFile(`${directory}/.hidden`, "hidden");
      await assertRefused(404, ".hidden");
    });

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} are found while deployments replace them by renaming`, async () => {
      await Deno.writeTextFile(`${directory}/deployed.txt`, "deployed");
      let deploying = true;
      // How many more there may be during this request: the server tries ten times to open the file that it has found.
      let left = 0;
      const deployment = (async () => {
        for (; deploying; await pause(2)) {
          if (left-- <= 0) continue;
          await Deno.writeTextFile(`${directory}/deployed.new`, "deployed");
          await Deno.rename(`${directory}/deployed.new`, `${directory}/deployed.txt`);
        }
      })();
      const statuses = new Set<number>();
      for (let turn = 0; turn < 500; turn++) {
        left = 8;
        const response = await fetch(`${served.origin}/deployed.txt`);
        statuses.add(response.status);
        await response.body?.cancel();
      }
      deploying = false;
      await deployment;
      assertEquals([...statuses], [200]);
    });

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} cause a 403 if the real path leaves the directory`, async () => {
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

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} are found if links lead out and back in again`, async () => {
      await link("out", "..");
      assertEquals((await sendTarget(served.origin, "/out/public/file.txt")).body, "public");
    });

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} cause a 404 if links dangle or form a loop`, async () => {
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

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} cause a 404 if they are directories or sockets, or links to them`, async () => {
      using _socket = Deno.listen({ transport: "unix", path: `${directory}/socket` });
      await link("to-socket", "socket");
      await link("to-directory", "nested");
      for (const name of ["nested", "nested/", "nested/.", "to-directory", "to-directory/", "socket", "to-socket"]) {
        await assertRefused(404, name.replace("/.", "%2F."));
      }
    });

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} cause a 404 if they are pipes, without waiting for a writer`, async () => {
      assert((await new Deno.Command("mkfifo", { args: [`${directory}/pipe`] }).output()).success);
      await link("to-pipe", "pipe");
      // More than the number of threads that could wait.
      const targets = Array.from({ length: 600 }, (_, index) => index % 2 === 0 ? "/pipe" : "/to-pipe");
      const answers = await Promise.all(targets.map((target) => sendTarget(served.origin, target)));
      assertEquals(new Set(answers.map(({ status }) => status)), new Set([404]));
      assertEquals((await sendTarget(served.origin, "/pipe", { method: "HEAD" })).status, 404);
      assertEquals((await sendTarget(served.origin, "/file.txt")).body, "public");
    });

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} cause a 403 if their mode forbids reading`, async () => {
      const file = `${directory}/unreadable.txt`;
      await Deno.writeTextFile(file, "unreadable", { mode: 0o000 });
      // Root can read it anyway.
      const status = await Deno.readTextFile(file).then(() => 200, () => 403);
      assertEquals((await sendTarget(served.origin, "/unreadable.txt")).status, status);
    });

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} have another tag and date after a change`, async () => {
      const file = `${directory}/changing.txt`;
      const tags = new Set<string>();
      for (const [text, time] of [["one", 1], ["two", 2], ["three", 2]] as const) {
        await Deno.writeTextFile(file, text);
        await Deno.utime(file, time, time);
        // Deno reads when a file changed in whole seconds: if its date was set, it has no tag for two of them.
        await until(async () => (await sendTarget(served.origin, "/changing.txt")).headers.has("etag"));
        const { headers, body } = await sendTarget(served.origin, "/changing.txt");
        assertEquals(body, text);
        assertEquals(headers.get("last-modified"), new Date(time * 1000).toUTCString());
        const etag = headers.get("etag") ?? "";
        for (const earlier of tags) {
          const answer = await sendTarget(served.origin, "/changing.txt", { headers: `if-none-match: ${earlier}\r\n` });
          assertEquals([answer.status, answer.body], [200, text]);
        }
        const answer = await sendTarget(served.origin, "/changing.txt", { headers: `if-none-match: ${etag}\r\n` });
        assertEquals(answer.status, 304);
        tags.add(etag);
      }
      assertEquals(tags.size, 3);
      await Deno.remove(file);
      await assertRefused(404, "changing.txt");
    });

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} may have any date`, async () => {
      for (const time of [-(2 ** 31), -1, 0, 2 ** 31, 2 ** 33]) {
        await Deno.utime(`${directory}/dated.txt`, time, time);
        const { status, headers } = await sendTarget(served.origin, "/dated.txt");
        assertEquals(status, 200, String(time));
        assertMatch(headers.get("last-modified") ?? "", / GMT$/);
      }
    });

    it(`the files of a directory, with permission to read ${everything ? "everything" : "nothing else"} never leak the target of a link that replaces them`, async () => {
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
        const both = () => statuses.has(200) && statuses.has(403);
        for (let turn = 0; turn < 100 || (turn < 1000 && !both()); turn++) {
          const targets = Array.from({ length: 20 }, (_, index) => index % 2 === 0 ? "/swapped" : "/box/file.txt");
          for (
            const { status, body } of await Promise.all(targets.map((target) => sendTarget(served.origin, target)))
          ) {
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
      await assertClosed(served, "swapped");
      await assertClosed(served, "secret");
    });
  });
}

async function prepare(): Promise<void> {
  place = await makePlace();
  directory = `${place}/public`;
}

async function removePlace(): Promise<void> {
  await Deno.remove(place, { recursive: true });
}

async function stop(): Promise<void> {
  await served.stop();
}

async function link(name: string, target: string): Promise<void> {
  await Deno.symlink(target, `${directory}/${name}`);
}

const REFUSALS = { 403: "Forbidden", 404: "Not found" };

async function assertRefused(status: keyof typeof REFUSALS, name: string): Promise<void> {
  const { status: actual, body } = await sendTarget(served.origin, `/${name}`);
  assertEquals([actual, body], [status, JSON.stringify({ error: REFUSALS[status] })], name);
  assertEquals((await sendTarget(served.origin, `/${name}`, { method: "HEAD" })).status, status, name);
}
