import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fuzz } from "@fw/core/testing";
import fc from "fast-check";
import { createApp } from "../../../examples/recipes/fuzzing/shelves.ts";

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
});
