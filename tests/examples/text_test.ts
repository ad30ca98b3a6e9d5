import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { z } from "zod";
import { characters, text, trimmed } from "../../examples/shared/text.ts";

describe("text of examples/shared/text.ts", () => {
  const outputOf = (schema: z.ZodString, value: unknown) => schema.safeParse(value).data;

  it("text may be of any script, but has no NUL and no half of a surrogate pair", () => {
    for (const value of ["", " Ōe Kenzaburō ", "نجيب محفوظ", "😀"]) assertEquals(outputOf(text, value), value);
    for (const value of ["\0", "a\0b", "\ud800", "a\udc00b", 1, null, ["a"]]) {
      assertEquals(outputOf(text, value), undefined);
    }
  });

  it("text has a length that is counted in characters, not in those of JavaScript", () => {
    const schema = characters(text, 2, 3);
    for (const value of ["xx", "😀😀", "😀😀😀", "  "]) assertEquals(outputOf(schema, value), value);
    for (const value of ["", "x", "😀", "xxxx", "😀😀😀😀", "x\0", "\ud800\ud800"]) {
      assertEquals(outputOf(schema, value), undefined);
    }
  });

  it("text is trimmed before its characters are counted, of which there must be one", () => {
    const schema = trimmed(3);
    for (const value of ["x", "xxx", "é😀é"]) assertEquals(outputOf(schema, ` \u00a0${value}\n`), value);
    for (const value of ["", "   ", "\u00a0\n", "xxxx", "x\0"]) assertEquals(outputOf(schema, value), undefined);
  });
});
