/** The folder of the service, copied into projects of Node.js and Bun, as its README says. */
import { assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { callPictures, TOLD_OF_PICTURES } from "../../examples/call_pictures.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { BUN, findProgram, run } from "./programs.ts";
import { granted } from "../../support/granted.ts";

/** The first version of Node.js that runs TypeScript. */
const NODE = "node@22.18.0";

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("the folder examples/service", () => {
  let project = "";
  before(async () => {
    project = await Deno.makeTempDir();
    await run("cp", ["-r", "examples/service/.", project]);
    await run(Deno.execPath(), ["pack", "--quiet", "--allow-dirty", `--output=${project}/core.tgz`]);
    const manifest = JSON.parse(await Deno.readTextFile(`${project}/package.json`));
    // The package of this checkout in place of the published one.
    manifest.dependencies["@fw/core"] = "file:./core.tgz";
    await Deno.writeTextFile(`${project}/package.json`, JSON.stringify(manifest));
    await run("npm", ["install", "--no-audit", "--no-fund"], project);
    assertEquals(manifest.scripts.start, "node main_node.ts");
  });
  after(() => Deno.remove(project, { recursive: true }));

  for (const [runtime, spec, name] of [["Node.js", NODE, "node"], ["Bun", BUN, "bun"]] as const) {
    describe(`on ${runtime}`, () => {
      let served: ServerProcess;
      let data = "";
      before(async () => {
        data = await Deno.makeTempDir();
        const env = { PORT: "0", DATA: `${data}/data`, DATABASE_URL: "" };
        served = await startServer(await findProgram(spec, name), [`${project}/main_node.ts`], env);
      });
      after(async () => {
        await served.stop();
        assertEquals(await served.exitCode, 0);
        await Deno.remove(data, { recursive: true });
      });

      it(`the service responds to a typed client on ${runtime} as its endpoints declare`, async () => {
        assertEquals(await callPictures({ baseUrl: served.origin }), TOLD_OF_PICTURES);
      });

      it(`the service keeps the pictures on ${runtime} where no other user of the machine can read them`, async () => {
        assertEquals(((await Deno.stat(`${data}/data`)).mode ?? 0) & 0o777, 0o700);
        assertMatch(served.printed(), /"method":"POST","route":"\/api\/pictures"/);
      });

      it(`the service has a place for each download on ${runtime}, since those before have given theirs back`, async () => {
        const origin = "http://localhost:8000";
        const body = new URLSearchParams({ name: "Ada", email: "ada@example.com", password: "correct horse" });
        const init = { method: "POST", headers: { origin }, redirect: "manual" } as const;
        const signedUp = await fetch(`${served.origin}/sign-up`, { ...init, body });
        const cookie = signedUp.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
        const form = new FormData();
        form.set("title", "Dot");
        form.set("file", new Blob([PNG]));
        const added = await fetch(`${served.origin}/api/pictures`, {
          ...init,
          headers: { origin, cookie },
          body: form,
        });
        const { id } = await added.json();
        for (let count = 0; count < 200; count++) {
          const shown = await fetch(`${served.origin}/api/pictures/${id}/file`, { headers: { cookie } });
          assertEquals([count, shown.status, (await shown.bytes()).length], [count, 200, PNG.length]);
        }
      });
    });
  }
});

/** One transparent pixel. */
const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);
