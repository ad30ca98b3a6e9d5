// npx -y deno@2.9.6 test --import-map=tests/import_map.json examples/recipes/compatible.ts
//
// A change that breaks clients fails a test. The document of the last release is kept in the repository, here in
// compatible/. Write it anew when you accept a change, and read what it changes: books/write_openapi.ts does that.
//
// A team that publishes its endpoints as a package compares their types, too: what breaks code that calls them is an error
// of the compiler. Here, the old package stands in compatible/released.ts.

import { assertEquals } from "@std/assert"; // npm: npx jsr add @std/assert
import { describe, it } from "@std/testing/bdd"; // npm: "node:test"
import { endpoint } from "@fw/core";
import type { Compatible } from "@fw/core/client";
import { openapi } from "@fw/core/openapi";
import { compatible } from "@fw/core/compatible";
import { z } from "zod";
import * as released from "./compatible/released.ts";

const note = z.object({ id: z.string(), text: z.string(), tags: z.array(z.string()) }); // `tags` is new

export const api = {
  listNotes: endpoint.get("/notes", {
    request: { query: z.object({ text: z.string().optional(), tag: z.string().optional() }) }, // and so is `tag`
    responses: { 200: { schema: z.array(note) } },
  }),
  addNote: endpoint.post("/notes", {
    request: { body: z.object({ text: z.string().min(1).max(1000) }) },
    responses: { 201: { schema: note }, 400: {} },
  }),
};

/** The document of today. The endpoints of a release are described likewise. */
export const describeApi = (endpoints: Readonly<Record<string, unknown>>) =>
  openapi({ info: { title: "Notes", version: "1.0.0" }, endpoints });

// What a call takes and returns, by type: a message such as "addNote: body.text does not take a string" would stand here.
true satisfies Compatible<typeof released, typeof api>;

describe("the notes API", () => {
  it("breaks no client of the last release", () => {
    const changes = compatible(describeApi({ ...released }), describeApi(api));
    assertEquals(changes.filter(({ level }) => level === "breaking"), []);
  });
});
