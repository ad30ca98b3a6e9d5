import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { endpoint } from "@fw/core";
import type { Compatible } from "@fw/core/client";
import { compatible } from "@fw/core/compatible";
import { z } from "zod";
import { api, describeApi } from "../../../examples/recipes/compatible.ts";
import * as released from "../../../examples/recipes/compatible/released.ts";

describe("examples/recipes/compatible.ts", () => {
  it("the recipe compatible would find a text that may be shorter only, by type and by document", () => {
    const body = z.object({ text: z.string().min(1).max(10), by: z.string() });
    const { responses } = api.addNote;
    const changed = { ...api, addNote: endpoint.post("/notes", { request: { body }, responses: { ...responses } }) };
    // @ts-expect-error at `satisfies`: addNote: body.by is required
    true satisfies Compatible<typeof released, typeof changed>;
    const changes = compatible(describeApi({ ...released }), describeApi(changed));
    assertEquals(changes.filter(({ level }) => level === "breaking").map(({ operation }) => operation), [
      "POST /notes",
      "POST /notes",
    ]);
  });
});
