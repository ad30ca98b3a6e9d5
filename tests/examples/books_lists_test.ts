import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { serve, type Served } from "./serve.ts";

(granted("net", "read", "run") ? describe : describe.skip)("the limit of examples/books.ts and books_offset.ts", () => {
  let served: readonly Served[] = [];
  before(async () => {
    served = await Promise.all(["examples/books.ts", "examples/books_offset.ts"].map((file) => serve(file)));
  });
  after(async () => {
    await Promise.all(served.map((server) => server.stop()));
  });

  /** Returns the limit that both lists use for a limit, or 400. Asserts that they agree. */
  async function readLimit(limit: string): Promise<number> {
    const answers = await Promise.all(served.map(async ({ origin }) => {
      const response = await fetch(`${origin}/books?limit=${limit}`);
      const { pagination } = await response.json();
      return response.status === 200 ? pagination.limit : response.status;
    }));
    assertEquals(new Set(answers).size, 1, `limit=${limit}: ${answers}`);
    return answers[0];
  }

  it("the limit of examples/books.ts and books_offset.ts is converted to a number, and capped at 100 after validation", async () => {
    const limits = { "1": 1, "20": 20, "007": 7, "%35": 5, "100": 100 };
    for (const [limit, used] of Object.entries(limits)) assertEquals(await readLimit(limit), used);
    for (const limit of ["101", "1000", "9007199254740991"]) assertEquals(await readLimit(limit), 100);
  });

  it("the limit of examples/books.ts and books_offset.ts causes a 400 if it is not a whole number of at least 1", async () => {
    const limits = ["0", "-1", "-0", "", "%20", "1.5", "abc", "1,2", "5&limit=6", "NaN", "Infinity", "1e400", "1e16"];
    // JavaScript converts these to numbers. The document says integer.
    const converted = [
      "0x10",
      "0b11",
      "1e3",
      "1e1",
      "%2B5",
      "+5",
      "%205",
      "5%20",
      "5%0A",
      "%C2%A05",
      "5.0",
      "5.",
      "5n",
      "1_0",
    ];
    for (const limit of [...limits, ...converted, "null", "true", "%00", "%D9%A3", "9007199254740992"]) {
      assertEquals(await readLimit(limit), 400);
    }
  });

  it("the limit of examples/books.ts and books_offset.ts gets a message that its reader understands", async () => {
    for (const { origin } of served) {
      for (const limit of ["x", "", "0", "1.5", "5&limit=6", "9007199254740992"]) {
        const { issues } = await (await fetch(`${origin}/books?limit=${limit}`)).json();
        assertEquals(issues.map(({ message }: { message: string }) => message), [
          "Must be a whole number from 1 to 9007199254740991, in decimal digits",
        ]);
      }
    }
  });

  it("the limit of examples/books.ts and books_offset.ts is 20 by default", async () => {
    for (const { origin } of served) {
      const { data, pagination } = await (await fetch(`${origin}/books`)).json();
      assert(data.length === 20 && pagination.limit === 20);
    }
  });
});
