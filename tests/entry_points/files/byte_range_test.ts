import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { byteRange, type RangedRepresentation } from "../../../src/files/mod.ts";
import { assertLinear } from "../../support/count_work.ts";
import { request } from "../../support/request.ts";

const DATE = "Sun, 01 Mar 2026 10:00:00 GMT";
const CURRENT = { size: 100, etag: '"v2"', lastModified: new Date("2026-03-01T10:00:00.700Z") };
const FIRST = { start: 0, end: 10 };

/** What comes of a request for a range. */
function ask(range: string, representation: RangedRepresentation = CURRENT, more: Record<string, string> = {}) {
  return byteRange(request("/", { headers: { range, ...more } }), representation);
}

describe("byteRange()", () => {
  it("byteRange() is undefined without Range", () => {
    assertEquals(byteRange(request("/"), CURRENT), undefined);
    assertEquals(byteRange(request("/", { headers: { "if-range": '"v2"' } }), CURRENT), undefined);
  });

  it("RFC 9110, 14.1.2: byteRange() counts from 0, and both positions are inclusive in the header", () => {
    for (
      const [range, start, end] of [
        ["bytes=0-0", 0, 1],
        ["bytes=0-9", 0, 10],
        ["bytes=5-", 5, 100],
        ["bytes=99-", 99, 100],
        ["bytes=0-99", 0, 100],
        ["bytes=0-", 0, 100],
        ["BYTES=5-9", 5, 10],
        ["bytes=007-0009", 7, 10],
      ] as const
    ) assertEquals([range, ask(range)], [range, { start, end }]);
  });

  it("RFC 9110, 14.1.2: byteRange() ends with the representation, if the last position is behind it", () => {
    for (const last of ["100", "101", "99999999999999999999", "9".repeat(1000)]) {
      assertEquals(ask(`bytes=5-${last}`), { start: 5, end: 100 });
    }
  });

  it("RFC 9110, 14.1.2: byteRange() takes a suffix, and the whole if that is longer", () => {
    for (const [length, start] of [["1", 99], ["7", 93], ["100", 0], ["101", 0], ["9".repeat(1000), 0]] as const) {
      assertEquals(ask(`bytes=-${length}`), { start, end: 100 });
    }
  });

  it("RFC 9110, 14.1.2: byteRange() is unsatisfiable behind the end, for an empty suffix, and backwards", () => {
    for (const range of ["100-", "100-200", "5-2", "-0", "-000", `${"9".repeat(400)}-`]) {
      assertEquals([range, ask(`bytes=${range}`)], [range, "unsatisfiable"]);
    }
  });

  it("byteRange() has positions beyond 2^32", () => {
    const size = 10 * 2 ** 30;
    assertEquals(ask("bytes=8589934592-8589934601", { size }), { start: 2 ** 33, end: 2 ** 33 + 10 });
    assertEquals(ask("bytes=-3", { size }), { start: size - 3, end: size });
    assertEquals(ask(`bytes=${size}-`, { size }), "unsatisfiable");
  });

  it("RFC 9110, 14.2: a server MUST ignore Range for any other method than GET", () => {
    for (const method of ["HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "QUERY"]) {
      const asked = request("/", { method, headers: { range: "bytes=0-9" } });
      assertEquals([method, byteRange(asked, CURRENT)], [method, undefined]);
    }
  });

  it("RFC 9110, 14.2: a server MUST ignore Range in a unit that it does not know", () => {
    for (const range of ["lines=0-9", "xbytes=0-9", "bytesx=0-9", "0-9", "=0-9", ""]) {
      assertEquals(ask(range), undefined);
    }
  });

  it("RFC 9110, 14.2: byteRange() ignores several ranges and malformed ones, as a server may", () => {
    for (
      const range of ["0-0,2-3", "0-9,5-14,0-9", "0-9,", "", "-", "a-b", "0-9x", "+1-9", "1.5-9", "0x1-9", "0--9"]
        .concat("1-2-3", "0 - 9", "--5", "1e1-20", "\u0661-")
    ) {
      const headers = new Headers();
      // Not all runtimes accept other characters than those of Latin-1.
      headers.set("range", `bytes=${encodeURI(range)}`);
      assertEquals([range, byteRange({ method: "GET", headers }, CURRENT)], [range, undefined]);
      assertEquals(
        byteRange({ method: "GET", headers: { get: (name) => name === "range" ? `bytes=${range}` : null } }, CURRENT),
        undefined,
      );
    }
    const twice = new Headers([["range", "bytes=0-9"], ["range", "bytes=2-3"]]);
    assertEquals(byteRange(request("/", { headers: twice }), CURRENT), undefined);
  });

  it("RFC 9110, 14.2: byteRange() ignores every range of an empty representation, as a server may", () => {
    for (const range of ["bytes=0-", "bytes=-5", "bytes=5-9"]) assertEquals(ask(range, { size: 0 }), undefined);
  });

  it("byteRange() reads a header in linear time", () => {
    for (const part of ["0", "-", "=", "bytes=", "0-0,"]) {
      assertLinear((length) => ask(`bytes=${part.repeat(length)}`), 1000);
    }
  });

  it("byteRange() throws for a size that is not a whole number from 0, and for wrong validators", () => {
    for (const size of [-1, 1.5, NaN, Infinity, 2 ** 53]) {
      assertThrows(
        () => ask("bytes=0-9", { size }),
        TypeError,
        "Option size of byteRange must be a whole number from 0",
      );
    }
    assertThrows(() => ask("bytes=0-9", { size: 1, etag: "v2" }), TypeError, "Option etag of byteRange must be");
    // @ts-expect-error at `length`: Object literal may only specify known properties, and 'length' does not exist in
    //   type 'RangedRepresentation'.
    assertThrows(() => ask("bytes=0-9", { size: 1, length: 1 }), TypeError, 'Option "length" of byteRange is unknown');
  });
});

describe("RFC 9110, 13.1.5: If-Range", () => {
  const askIf = (condition: string, representation: RangedRepresentation = CURRENT, range = "bytes=0-9") =>
    ask(range, representation, { "if-range": condition });

  it("If-Range with the current tag leaves the range as it is", () => {
    assertEquals(askIf('"v2"'), FIRST);
    assertEquals(askIf('"v2"', CURRENT, "bytes=100-"), "unsatisfiable");
  });

  it("If-Range with another tag, or with what is no tag, MUST cause Range to be ignored", () => {
    for (const condition of ['"v1"', "*", '"v2", "v1"', '"v1", "v2"', "v2", "", '"V2"', '"v2"x']) {
      for (const range of ["bytes=0-9", "bytes=100-"]) {
        assertEquals([condition, askIf(condition, CURRENT, range)], [condition, undefined]);
      }
    }
    assertEquals(askIf('"v2"', { size: 100 }), undefined);
  });

  it("If-Range MUST compare tags strongly: a weak tag on either side is false", () => {
    assertEquals(askIf('W/"v2"'), undefined);
    for (const condition of ['W/"v2"', '"v2"']) {
      assertEquals(askIf(condition, { size: 100, etag: 'W/"v2"' }), undefined);
    }
  });

  it("If-Range with a date must be exactly the date of the last change, in any format", () => {
    for (const date of [DATE, "Sunday, 01-Mar-26 10:00:00 GMT", "Sun Mar  1 10:00:00 2026"]) {
      assertEquals(askIf(date), FIRST);
      assertEquals(askIf(date, { size: 100, lastModified: CURRENT.lastModified }), FIRST);
    }
    for (const date of [DATE.replace(":00 ", ":01 "), DATE.replace("10:00:00", "09:59:59"), "2026-03-01", `${DATE}x`]) {
      assertEquals([date, askIf(date)], [date, undefined]);
    }
    assertEquals(askIf(DATE, { size: 100, etag: '"v2"' }), undefined);
  });

  it("RFC 9110, 8.8.2.2: a date that is not a second old is weak, and MUST NOT match", () => {
    const realNow = Date.now;
    const changed = Date.parse(DATE);
    try {
      for (const [passed, expected] of [[0, undefined], [999, undefined], [1000, FIRST], [-5000, undefined]] as const) {
        Date.now = () => changed + passed;
        assertEquals([passed, askIf(DATE)], [passed, expected]);
      }
    } finally {
      Date.now = realNow;
    }
  });
});
