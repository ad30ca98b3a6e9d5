/** Text that PostgreSQL cannot have: `fuzz` finds an app that passes it on. */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { denyInvalid, reply, route, setup } from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz } from "../../../src/testing/mod.ts";
import { createSchema, DATABASE_URL, type Schema } from "../../examples/postgres_schema.ts";

(DATABASE_URL === undefined ? describe.skip : describe)("fuzz() of an app on PostgreSQL", () => {
  let schema: Schema;
  before(async () => {
    schema = await createSchema();
    await schema.sql`CREATE TABLE notes (id serial PRIMARY KEY, title text NOT NULL, text text NOT NULL)`;
  });
  after(() => schema.drop());

  /** Notes whose texts are of a schema. */
  const createNotes = (text: z.ZodType<string, string>) => () =>
    setup({
      validator: standardSchema,
      handlers: [
        route.post("/notes", {
          request: { body: z.object({ title: text, text: text }) },
          responses: { 201: { schema: z.object({ id: z.int() }) }, 400: {} },
          guards: [denyInvalid(() => reply(400))],
          resolve: async ({ input: { body } }) => {
            const [row] = await schema.sql`
              INSERT INTO notes (title, text) VALUES (${body.title}, ${body.text}) RETURNING id
            `;
            return reply(201, { id: Number(row?.id) });
          },
        }),
      ],
    });

  it("finds NUL within 12 runs, with each of three seeds", async () => {
    for (const seed of [1, 2, 3]) {
      const faults = await fuzz(createNotes(z.string().max(200)), { fc, runs: 12, seed });
      const [fault = "", ...others] = faults.map(({ fault }) => fault);
      assertEquals(others, []);
      assert(fault.startsWith("POST /notes: throws") && fault.includes("0x00"), fault);
    }
  });

  it("finds nothing if the schema rejects NUL", async () => {
    const text = z.string().max(200).refine((text) => !text.includes("\0"), "has NUL");
    assertEquals((await fuzz(createNotes(text), { fc, runs: 12 })).map(({ fault }) => fault), []);
  });
});
