/** The service of the examples on Node.js and Bun, by its entry for them. */
import { assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { callPictures, TOLD_OF_PICTURES } from "../../examples/call_pictures.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { BUN, bundle, findProgram } from "./programs.ts";

const granted = (["env", "net", "read", "run", "write"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

for (const [runtime, spec, program] of [["Node.js", "node@24.0.0", "node"], ["Bun", BUN, "bun"]] as const) {
  (granted ? describe : describe.skip)(`examples/service/main_node.ts on ${runtime}`, () => {
    let directory = "";
    let served: ServerProcess;
    before(async () => {
      directory = await Deno.makeTempDir();
      const entry = await bundle("examples/service/main_node.ts", directory);
      served = await startServer(await findProgram(spec, program), [entry], { PORT: "0", DATA: `${directory}/data` });
    });
    after(async () => {
      await served.stop();
      assertEquals(await served.exitCode, 0);
      await Deno.remove(directory, { recursive: true });
    });

    it(`the service answers a typed client on ${runtime} as its endpoints declare`, async () => {
      assertEquals(await callPictures({ baseUrl: served.origin }), TOLD_OF_PICTURES);
    });

    it(`the service keeps the pictures on ${runtime} where no other user of the machine can read them`, async () => {
      assertEquals(((await Deno.stat(`${directory}/data`)).mode ?? 0) & 0o777, 0o700);
      assertMatch(served.printed(), /"method":"POST","route":"\/api\/pictures"/);
    });
  });
}
