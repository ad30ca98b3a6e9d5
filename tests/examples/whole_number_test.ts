import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { wholeNumber } from "../../examples/shared/whole_number.ts";

describe("wholeNumber()", () => {
  it("wholeNumber() reads decimal digits", () => {
    for (const [value, number] of [["0", 0], ["007", 7], ["100", 100], ["9007199254740991", 2 ** 53 - 1]] as const) {
      assertEquals(wholeNumber(0).parse(value), number);
    }
  });

  it("wholeNumber() accepts nothing else that JavaScript reads as a number, and says what it accepts", () => {
    const near = ["0x10", "0b11", "1e1", "+1", "-0", "1.0", "1.", "1n", "1_0", " 1", "1\n", "\u0663", "5,6"];
    for (const value of ["", " ", "abc", ...near, "NaN", "Infinity", "1e400", "null", "\0", ["1"], null]) {
      const { error } = wholeNumber(0).safeParse(value);
      assertEquals(error?.issues.map(({ message }) => message), [
        "Must be a whole number from 0 to 9007199254740991, in decimal digits",
      ], JSON.stringify(value));
    }
  });

  it("wholeNumber() has bounds", () => {
    const schema = wholeNumber(1, 100);
    for (const value of ["1", "100"]) assertEquals(schema.parse(value), Number(value));
    for (const value of ["0", "101", "9007199254740992", "9".repeat(400)]) {
      assertEquals(schema.safeParse(value).error?.issues.map(({ message }) => message), [
        "Must be a whole number from 1 to 100, in decimal digits",
      ]);
    }
  });

  it("wholeNumber() is missing in the query, where it has a default", () => {
    assertEquals(wholeNumber(0).prefault(20).parse(undefined), 20);
  });
});
