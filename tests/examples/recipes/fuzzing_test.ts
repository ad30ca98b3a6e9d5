import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fuzz } from "@fw/core/testing";
import fc from "fast-check";
import { createApp } from "../../../examples/recipes/fuzzing/shelves.ts";
import { run } from "../../slow/runtimes/programs.ts";
import { granted } from "../../support/granted.ts";
import { LOCKED } from "../../support/flags.ts";

describe("examples/recipes/fuzzing.ts", () => {
  it("the recipe fuzzing would find a badge that nobody shares, and a token that is everybody's", async () => {
    const actors = { ada: { authorization: "Bearer ada" }, bob: { authorization: "Bearer bob" } };
    const look = async (findUser: (token: string) => string | undefined, shared: readonly string[]) => {
      const faults = await fuzz(({ clock }) => createApp({ now: clock, findUser }), { fc, runs: 10, actors, shared });
      return [...new Set(faults.map(({ kind, endpoint }) => `${endpoint} ${kind}`))].toSorted();
    };
    const known = (token: string) => token || undefined;
    assertEquals(await look(known, ["GET /shelves/:id/badge"]), []);
    assertEquals(await look(known, []), ["GET /shelves/:id/badge crosses owners"]);
    assertEquals(await look((token) => token || "ada", ["GET /shelves/:id/badge"]), [
      "DELETE /shelves/:id needs no credentials",
      "GET /shelves/:id needs no credentials",
      "GET /shelves/:id/badge needs no credentials",
      "POST /shelves needs no credentials",
    ]);
  });

  (granted("read", "run") ? it : it.skip)("the recipe fuzzing passes by the command on its first line", async () => {
    const [first = ""] = (await Deno.readTextFile("examples/recipes/fuzzing.ts")).split("\n", 1);
    const [, args = ""] = /^\/\/ npx -y deno@\S+ (test .*)$/.exec(first) ?? [];
    await run(Deno.execPath(), [...args.split(" "), "--no-check", ...LOCKED]);
  });
});
