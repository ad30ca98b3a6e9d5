import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readQuery } from "../../../src/core/input/query.ts";
import { contextOf } from "../../support/context_of.ts";
import { assertLinear } from "../../support/count_work.ts";
import { request } from "../../support/request.ts";

const queryOf = async (search: string) => ({ ...(await contextOf("/", request(`/${search}`))).raw.query });

describe("raw.query", () => {
  it("has decoded strings, and an array in order for a repeated key", async () => {
    assertEquals(await queryOf("?a=1&b=&c&a=2&d=x%20y+z&a=3"), { a: ["1", "2", "3"], b: "", c: "", d: "x y z" });
    assertEquals(await queryOf(""), {});
    assertEquals(await queryOf("?"), {});
    assertEquals(await queryOf("?&&=&=1"), { "": ["", "1"] });
    assertEquals(await queryOf("??a=1"), { "?a": "1" });
    assertEquals(await queryOf("?a==b=c&d?e=/f"), { a: "=b=c", "d?e": "/f" });
  });

  it("keeps the spelling of keys", async () => {
    assertEquals(await queryOf("?per-page=1&per_page=2&Per.Page=3&a[]=4&%C3%BC=5"), {
      "per-page": "1",
      "per_page": "2",
      "Per.Page": "3",
      "a[]": "4",
      "ü": "5",
    });
  });

  it("reads malformed escapes as URLSearchParams does", async () => {
    assertEquals(await queryOf("?a=%zz&%=%C3%28&b=%2B"), { a: "%zz", "%": "\ufffd(", b: "+" });
    assertEquals(await queryOf("?a=%zz&b=%C3%BC%f0%9F%98%80%7F%00"), { a: "%zz", b: "ü\u{1F600}\x7f\0" });
    assertEquals(await queryOf("?%EF%BB%BFa=%"), { "\ufeffa": "%" });
    assertEquals(await queryOf("?%u0041=%u00e9%25u0041&%%41%%4=%%66f&%"), {
      "%u0041": "%u00e9%u0041",
      "%A%%4": "%ff",
      "%": "",
    });
    assertEquals(await queryOf("?a=%25%75%30&%c3%bc=%25%ff%25u0041%2B+"), { a: "%u0", "ü": "%\ufffd%u0041+ " });
    // Where an escape ends, where the query ends within one, and characters beside the hexadecimal digits.
    assertEquals(await queryOf("?a=%fF%Ff%8&b=%g0%8g%80%:0%@0&c=%c3%a"), {
      a: "\ufffd\ufffd%8",
      b: "%g0%8g\ufffd%:0%@0",
      c: "\ufffd%a",
    });
    assertEquals(await queryOf("?c=%zz%c"), { c: "%zz%c" });
  });

  it("decodes nothing for malformed escapes, which would take ten times as long as a proper query", () => {
    const { decodeURIComponent } = globalThis;
    let calls = 0;
    globalThis.decodeURIComponent = (text) => (calls++, decodeURIComponent(text));
    try {
      for (const piece of ["%=%&", "%=%+&", "%e4=%a&", "%zz=%&"]) {
        calls = 0;
        readQuery(piece.repeat(1000));
        assert(calls <= (piece.includes("+") ? 1001 : 1), `${calls} calls for ${piece}`);
      }
    } finally {
      globalThis.decodeURIComponent = decodeURIComponent;
    }
  });

  it("keeps a question mark at the beginning of the first key, with and without a malformed escape", async () => {
    assertEquals(await queryOf("??a=1"), { "?a": "1" });
    assertEquals(await queryOf("??a=%"), { "?a": "%" });
  });

  it("takes work that is linear in the length of the query", () => {
    for (const piece of ["a&", "a=&", "&", "a=%&", "=+"]) {
      assertLinear((length) => readQuery(piece.repeat(length / piece.length)), 10_000);
    }
  });

  it("GHSA-crvj-82cr-hjcx: does not include the fragment", async () => {
    const { raw } = await contextOf("/", request("/?a=1#b=2?c=3"), { trustUrl: true });
    assertEquals({ ...raw.query }, { a: "1" });
  });

  it("has no prototype, so any key is a key like any other", async () => {
    const { raw } = await contextOf("/", request("/?__proto__=1&constructor=2&toString=3&__proto__=4"));
    assertStrictEquals(Object.getPrototypeOf(raw.query), null);
    assertEquals(Object.entries(raw.query), [["__proto__", ["1", "4"]], ["constructor", "2"], ["toString", "3"]]);
    assertStrictEquals(Object.getPrototypeOf((await contextOf("/", request("/"))).raw.query), null);
    assertEquals("polluted" in {}, false);
  });
});
