/** Whether `fuzz` sees that a list shows what a DELETE has removed. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { denyInvalid, reply, route, setup } from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz } from "../../../src/testing/mod.ts";

const open = route.with({ responses: { 400: {} }, guards: [denyInvalid(() => reply(400))] });
const note = z.object({ id: z.string(), text: z.string(), color: z.string() });
interface Note extends z.infer<typeof note> {
  isGone: boolean;
}

/** Notes that a DELETE hides, and another list of them. */
async function faultsOf(list: "/search" | "/latest" | "/bin", shows: (one: Note) => boolean, says = 404) {
  const faults = await fuzz(
    () => {
      const all: Note[] = [];
      const find = (id: string) => all.find((one) => one.id === id && !one.isGone);
      const shown = ({ id, text, color }: Note) => ({ id, text, color });
      const query = z.object(list === "/search" ? { q: z.string().min(1).max(20) } : { q: z.string().optional() });
      return setup({
        validator: standardSchema,
        handlers: [
          open.post("/notes", {
            request: { body: z.object({ text: z.string().min(1).max(20), color: z.enum(["red", "blue"]) }) },
            responses: { 201: { schema: note } },
            resolve: ({ input }) => {
              const made = { id: `note-${all.length}`, ...input.body, isGone: false };
              all.push(made);
              return reply(201, shown(made));
            },
          }),
          open.get("/notes", {
            responses: { 200: { schema: z.array(note) } },
            resolve: () => reply(200, all.filter(({ isGone }) => !isGone).map(shown)),
          }),
          open.get("/notes/:noteId", {
            responses: { 200: { schema: note }, 404: {}, 410: {} },
            resolve: ({ raw }) => {
              const found = find(raw.params.noteId);
              return found === undefined ? reply(says as 404) : reply(200, shown(found));
            },
          }),
          open.delete("/notes/:noteId", {
            responses: { 204: {}, 404: {} },
            resolve: ({ raw }) => {
              const found = find(raw.params.noteId);
              if (found === undefined) return reply(404);
              found.isGone = true;
              return reply(204);
            },
          }),
          open.get(list, {
            request: { query },
            responses: { 200: { schema: z.object({ items: z.array(note) }) } },
            resolve: ({ input }) => {
              const { q = "" } = input.query as { readonly q?: string };
              return reply(200, { items: all.filter((one) => shows(one) && one.text.includes(q)).map(shown) });
            },
          }),
        ],
      });
    },
    { fc, runs: 20 },
  );
  return faults.map(({ kind, fault }) => `${kind}: ${fault}`);
}

describe("a list beside the collection", () => {
  it("must not show what a DELETE has removed: a search, and one that needs no text", async () => {
    for (const list of ["/search", "/latest"] as const) {
      assertEquals(await faultsOf(list, ({ isGone }) => !isGone), []);
      const [fault, ...others] = await faultsOf(list, () => true);
      assertMatch(
        String(fault),
        /^is there after DELETE: DELETE \/notes\/:noteId: the resource is a 404 afterwards, but GET \/(?:search\?q=.+|latest) still lists it$/,
      );
      assertEquals(others, []);
    }
  });

  it("may have nothing but what was removed, and what is only marked as gone", async () => {
    assertEquals(await faultsOf("/bin", ({ isGone }) => isGone), []);
    assertEquals(await faultsOf("/latest", () => true, 410), []);
  });
});
