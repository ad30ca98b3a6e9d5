// npx -y deno@2.9.6 test --import-map=tests/import_map.json examples/recipes/fuzzing.ts
//
// Finds faults of an app by requests that are made of its declarations: valid ones, at the bounds and just outside, with
// texts and numbers at which programs fail. `actors` are users that try what the others have made. A fault is reported with
// the shortest requests that show it, as code to paste.

import { assertEquals } from "@std/assert"; // npm: npx jsr add @std/assert
import { describe, it } from "@std/testing/bdd"; // npm: "node:test"
import { fuzz } from "@fw/core/testing";
import fc from "fast-check";
import { createApp } from "./fuzzing/shelves.ts";

const USERS = new Map([["token-1", "ada"], ["token-2", "bob"]]);

describe("the shelves", () => {
  it("have no fault that generated requests find", async () => {
    const faults = await fuzz(
      ({ clock }) => createApp({ now: clock, findUser: (token) => USERS.get(token) }),
      {
        fc,
        runs: 30, // apps, each with about 40 requests: more find more
        actors: { ada: { authorization: "Bearer token-1" }, bob: { authorization: "Bearer token-2" } },
        shared: ["GET /shelves/:id/badge"], // everybody may see the badge of any shelf
      },
    );
    assertEquals(faults, []);
  });
});
