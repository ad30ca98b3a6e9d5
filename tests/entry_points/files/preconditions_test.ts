import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Precondition, preconditions, type Validators } from "../../../src/files/mod.ts";
import { assertLinear } from "../../support/count_work.ts";
import { request } from "../../support/request.ts";

const EARLIER = "Sun, 01 Mar 2026 09:59:59 GMT";
const SAME = "Sun, 01 Mar 2026 10:00:00 GMT";
const LATER = "Sun, 01 Mar 2026 10:00:01 GMT";

/** A version that changed within the second that `SAME` names. */
const CURRENT = { etag: '"v2"', lastModified: new Date("2026-03-01T10:00:00.700Z") };

const READS = ["GET", "HEAD", "QUERY"];
const WRITES = ["PUT", "PATCH", "DELETE", "POST"];

/** What comes of a request with these headers. */
function ask(
  method: string,
  headers: HeadersInit,
  current: Validators | undefined = CURRENT,
): Precondition | undefined {
  return preconditions(request("/", { method, headers }), current);
}

/** Asserts what comes of each value of a header. */
function assertEach(
  expected: Precondition | undefined,
  method: string,
  name: string,
  values: readonly string[],
  current: Validators | undefined = CURRENT,
): void {
  for (const value of values) {
    assertEquals([method, value, ask(method, { [name]: value }, current)], [method, value, expected]);
  }
}

describe("preconditions()", () => {
  it("preconditions() lets a request without conditions pass", () => {
    for (const method of [...READS, ...WRITES]) {
      for (const current of [CURRENT, {}, undefined]) assertEquals(ask(method, {}, current), undefined);
    }
  });

  it("preconditions() takes any object with a method and headers", () => {
    const headers = { get: (name: string) => name === "if-match" ? '"v1"' : null };
    assertEquals(preconditions({ method: "PUT", headers }, CURRENT), "failed");
  });

  it("preconditions() throws for a tag without quotes, which would never match", () => {
    for (const etag of ["v2", "", '"', '"v2', 'w/"v2"', "W/v2", '"v 2"', '"v"2"', "*", ' "v2"', '"v2"\n', '"\u0100"']) {
      assertThrows(
        () => ask("GET", {}, { etag }),
        TypeError,
        'Option etag of preconditions must be an entity tag in quotes, "…" or W/"…": received a string',
      );
    }
    for (const etag of ['""', 'W/""', '"a,b"', '"\'"', '"\xff"', 'W/"W/"']) ask("GET", {}, { etag });
  });

  it("preconditions() throws for a date that is none, and for an unknown option", () => {
    const expected = "Option lastModified of preconditions must be a valid Date: received an object";
    assertThrows(() => ask("GET", {}, { lastModified: new Date(NaN) }), TypeError, expected);
    // @ts-expect-error at `lastModified`: Type 'string' is not assignable to type 'Date'.
    assertThrows(() => ask("GET", {}, { lastModified: SAME }), TypeError, "must be a valid Date: received a string");
    // @ts-expect-error at `eTag`: Object literal may only specify known properties, but 'eTag' does not exist in type
    //   'Validators'. Did you mean to write 'etag'?
    assertThrows(() => ask("GET", {}, { eTag: '"v2"' }), TypeError, 'Option "eTag" of preconditions is unknown');
    // @ts-expect-error at `null`: Argument of type 'null' is not assignable to parameter of type 'Validators |
    //   undefined'.
    assertThrows(() => ask("GET", {}, null), TypeError, "Options of preconditions must be an object: received null");
  });

  it("preconditions() reads a list in linear time", () => {
    for (const part of [" ", "\t", ",", '"', "x", '"x",', "W/", "*"]) {
      assertLinear((length) => ask("GET", { "if-none-match": `"a${part.repeat(length)}x` }), 1000);
      assertLinear((length) => ask("PUT", { "if-match": `"a",${part.repeat(length)}"` }), 1000);
    }
  });

  it("preconditions() reads dates in linear time", () => {
    for (const part of [" ", "0", "x", "Sun, ", ":"]) {
      assertLinear((length) => ask("GET", { "if-modified-since": `Sun${part.repeat(length)}x` }), 1000);
    }
  });
});

describe("RFC 9110, 13.2.2: the order of preconditions", () => {
  const HEADERS = ["if-match", "if-unmodified-since", "if-none-match", "if-modified-since"] as const;
  /** A value that lets the request pass, one that does not, and none. */
  const VALUES: Readonly<Record<(typeof HEADERS)[number], readonly [string, string, undefined]>> = {
    "if-match": ['"v2"', '"v1"', undefined],
    "if-unmodified-since": [SAME, EARLIER, undefined],
    "if-none-match": ['"v1"', '"v2"', undefined],
    "if-modified-since": [EARLIER, SAME, undefined],
  };

  /** The five steps, by what each header says: whether its condition is true. */
  function inOrder(
    isRead: boolean,
    [match, unmodified, noneMatch, modified]: readonly (boolean | undefined)[],
  ): Precondition | undefined {
    if (match === false) return "failed"; // 1
    if (match === undefined && unmodified === false) return "failed"; // 2
    if (noneMatch === false) return isRead ? "not-modified" : "failed"; // 3
    if (isRead && noneMatch === undefined && modified === false) return "not-modified"; // 4
    return undefined; // 5 and 6
  }

  it("all combinations of the four headers are evaluated in this order, for reads and writes", () => {
    let count = 0;
    for (let index = 0; index < 3 ** HEADERS.length; index++) {
      const choices = HEADERS.map((_, place) => Math.floor(index / 3 ** place) % 3);
      const headers = HEADERS.flatMap((name, place) => {
        const value = VALUES[name][choices[place] ?? 2];
        return value === undefined ? [] : [[name, value] as [string, string]];
      });
      const outcomes = choices.map((choice) => [true, false, undefined][choice]);
      for (const method of [...READS, ...WRITES]) {
        const expected = inOrder(READS.includes(method), outcomes);
        assertEquals([method, headers, ask(method, headers)], [method, headers, expected]);
        count++;
      }
    }
    assertEquals(count, 81 * (READS.length + WRITES.length));
  });
});

describe("RFC 9110, 13.2.1: when preconditions are evaluated", () => {
  it("a method that selects no representation ignores all conditions", () => {
    // A `Request` cannot have the methods CONNECT and TRACE.
    for (const method of ["CONNECT", "OPTIONS", "TRACE"]) {
      for (const name of ["if-match", "if-none-match", "if-unmodified-since", "if-modified-since"]) {
        const headers = new Headers({ [name]: name.endsWith("since") ? EARLIER : '"v1"' });
        assertEquals(preconditions({ method, headers }, CURRENT), undefined);
        headers.set(name, name.endsWith("since") ? LATER : "*");
        assertEquals(preconditions({ method, headers }, CURRENT), undefined);
      }
    }
  });
});

describe("RFC 9110, 13.1.1: If-Match", () => {
  it("If-Match with * is true if there is a current version", () => {
    for (const method of ["GET", ...WRITES]) {
      for (const current of [CURRENT, {}, { etag: 'W/"v2"' }]) {
        assertEach(undefined, method, "if-match", ["*", " * ", "\t*"], current);
      }
      assertEquals(preconditions(request("/", { method, headers: { "if-match": "*" } }), undefined), "failed");
    }
  });

  it("If-Match with a list is true if one of its tags is the current one", () => {
    const lists = ['"v2"', '"v1", "v2"', '"v2","v3"', '"v1" ,\t"v2" , "v3"', ',, "v2",', '"a,b", "v2"', 'W/"v2", "v2"'];
    for (const method of [...READS, ...WRITES]) assertEach(undefined, method, "if-match", lists);
    const headers = new Headers([["if-match", '"v1"'], ["if-match", '"v2"']]);
    assertEquals(ask("PUT", headers), undefined);
  });

  it("If-Match is false otherwise, and the method MUST NOT be performed: also if there is no tag or no version", () => {
    const lists = [
      '"v1"',
      '"v1", "v3"',
      "",
      ",",
      "v2",
      '"v2',
      'v2"',
      '"v2"x',
      'x"v2"',
      '"v1" "v2"',
      '"*"',
      "**",
      '"V2"',
    ];
    for (const method of [...READS, ...WRITES]) {
      assertEach("failed", method, "if-match", lists);
      assertEach("failed", method, "if-match", ['"v2"', ...lists], { lastModified: CURRENT.lastModified });
      for (const list of ['"v2"', "*", ...lists]) {
        assertEquals(preconditions(request("/", { method, headers: { "if-match": list } }), undefined), "failed");
      }
    }
  });

  it("If-Match MUST use the strong comparison: a weak tag on either side never matches", () => {
    assertEach("failed", "PUT", "if-match", ['W/"v2"', 'W/"v1", W/"v2"', 'w/"v2"', 'W/ "v2"']);
    assertEach("failed", "PUT", "if-match", ['W/"v2"', '"v2"'], { etag: 'W/"v2"' });
  });

  it("a tag may contain any character but quotes, spaces and controls: commas and W/ are part of it", () => {
    for (const etag of ['"a,b"', '"W/"', '",W/"', '""', '"\xe9"', '"*"', '"\'"']) {
      assertEach(undefined, "PUT", "if-match", [etag, `"x", ${etag}, "y"`], { etag });
      assertEach("failed", "PUT", "if-match", ['"a"', '"b"', "a", "b", '"abc"'], { etag });
    }
  });
});

describe("RFC 9110, 13.1.2: If-None-Match", () => {
  it("If-None-Match with * is false if there is a current version, and true if there is none", () => {
    for (const current of [CURRENT, {}, { etag: 'W/"v2"' }]) {
      for (const method of READS) assertEach("not-modified", method, "if-none-match", ["*", "\t* "], current);
      for (const method of WRITES) assertEach("failed", method, "if-none-match", ["*", "\t* "], current);
    }
    for (const method of ["GET", ...WRITES]) {
      assertEquals(preconditions(request("/", { method, headers: { "if-none-match": "*" } }), undefined), undefined);
    }
  });

  it("If-None-Match MUST use the weak comparison", () => {
    for (const etag of ['"v2"', 'W/"v2"']) {
      const lists = ['"v2"', 'W/"v2"', '"v1", W/"v2"', '"v1" ,\t"v2"', ',,"v2",', '"a,b","v2"'];
      assertEach("not-modified", "GET", "if-none-match", lists, { etag });
    }
  });

  it("if If-None-Match is false, the method MUST NOT be performed: 304 for GET, HEAD and QUERY, 412 for all others", () => {
    for (const method of READS) assertEach("not-modified", method, "if-none-match", ['"v2"']);
    for (const method of WRITES) assertEach("failed", method, "if-none-match", ['"v2"', 'W/"v2"']);
  });

  it("If-None-Match is true if no tag is the current one, or if the current version has no tag", () => {
    const lists = ['"v1"', 'W/"v1"', "", ",", "v2", '"v2', '"v2"x', '"v1" "v2"', 'w/"v2"', 'W/ "v2"', '"W/v2"', '"*"'];
    for (const method of [...READS, ...WRITES]) {
      assertEach(undefined, method, "if-none-match", lists);
      assertEach(undefined, method, "if-none-match", ['"v2"', ...lists], {});
    }
  });

  it("W/ within a tag is part of it: it is not removed from the comparison", () => {
    assertEach(undefined, "GET", "if-none-match", ['"v"', 'W/"v"', '"vW/', '"vw/"'], { etag: '"vW/"' });
    assertEach(undefined, "GET", "if-none-match", ['"vW/"', '"W/v"'], { etag: '"v"' });
    assertEach("not-modified", "GET", "if-none-match", ['"vW/"', 'W/"vW/"'], { etag: '"vW/"' });
    assertEach("not-modified", "GET", "if-none-match", ['"W/"'], { etag: 'W/"W/"' });
  });
});

describe("RFC 9110, 13.1.3: If-Modified-Since", () => {
  it("a recipient MUST ignore If-Modified-Since if there is If-None-Match", () => {
    assertEquals(ask("GET", { "if-none-match": '"v1"', "if-modified-since": LATER }), undefined);
    assertEquals(ask("GET", { "if-none-match": '"v2"', "if-modified-since": EARLIER }), "not-modified");
    assertEquals(ask("GET", { "if-none-match": "", "if-modified-since": LATER }), undefined);
  });

  it("a recipient MUST ignore If-Modified-Since that is no date, or has several", () => {
    const values = [
      "",
      "yesterday",
      "2027-03-01",
      "2027-03-01T10:00:00Z",
      "1772359200",
      `${LATER}, ${LATER}`,
      `${LATER};`,
    ];
    for (const method of ["GET", "HEAD"]) {
      assertEach(undefined, method, "if-modified-since", [
        ...values,
        LATER.toLowerCase(),
        LATER.replace("GMT", "UTC"),
        LATER.replace("GMT", "+0000"),
        LATER.replace("01 Mar", "1 Mar"),
        LATER.replace("01 Mar", "31 Feb"),
        LATER.replace("10:00", "25:00"),
        LATER.replace("Sun", "Foo"),
        LATER.replace("Sun, ", ""),
        LATER.replace("Mar", "March"),
        LATER.slice(0, -4),
        "Invalid Date",
      ]);
    }
  });

  it("a recipient MUST ignore If-Modified-Since if the method is neither GET nor HEAD", () => {
    for (const method of WRITES) assertEach(undefined, method, "if-modified-since", [EARLIER, SAME, LATER]);
  });

  it("a recipient MUST ignore If-Modified-Since if there is no modification date", () => {
    assertEach(undefined, "GET", "if-modified-since", [EARLIER, SAME, LATER], { etag: '"v2"' });
    for (const value of [EARLIER, LATER]) {
      assertEquals(preconditions(request("/", { headers: { "if-modified-since": value } }), undefined), undefined);
    }
  });

  it("If-Modified-Since is false if the version is as old or older, to the second", () => {
    for (const method of ["GET", "HEAD"]) {
      assertEach("not-modified", method, "if-modified-since", [SAME, LATER]);
      assertEach(undefined, method, "if-modified-since", [EARLIER]);
    }
  });

  it("a date from before 1970 or after now is compared like any other", () => {
    const old = { lastModified: new Date("1969-12-31T23:59:59.500Z") };
    assertEach("not-modified", "GET", "if-modified-since", ["Wed, 31 Dec 1969 23:59:59 GMT"], old);
    assertEach(undefined, "GET", "if-modified-since", ["Wed, 31 Dec 1969 23:59:58 GMT"], old);
    const future = { lastModified: new Date("2100-01-01T00:00:00Z") };
    assertEach("not-modified", "GET", "if-modified-since", ["Fri, 01 Jan 2100 00:00:00 GMT"], future);
    assertEach(undefined, "GET", "if-modified-since", ["Thu, 31 Dec 2099 23:59:59 GMT"], future);
  });
});

describe("RFC 9110, 13.1.4: If-Unmodified-Since", () => {
  it("a recipient MUST ignore If-Unmodified-Since if there is If-Match", () => {
    assertEquals(ask("PUT", { "if-match": '"v2"', "if-unmodified-since": EARLIER }), undefined);
    assertEquals(ask("PUT", { "if-match": '"v1"', "if-unmodified-since": LATER }), "failed");
  });

  it("a recipient MUST ignore If-Unmodified-Since that is no date, or has several", () => {
    assertEach(undefined, "PUT", "if-unmodified-since", ["", "yesterday", "2020-01-01", `${EARLIER}, ${EARLIER}`, "0"]);
  });

  it("a recipient MUST ignore If-Unmodified-Since if there is no modification date", () => {
    assertEach(undefined, "PUT", "if-unmodified-since", [EARLIER, LATER], { etag: '"v2"' });
    for (const value of [EARLIER, LATER]) {
      const headers = { "if-unmodified-since": value };
      assertEquals(preconditions(request("/", { method: "PUT", headers }), undefined), undefined);
    }
  });

  it("If-Unmodified-Since is false if the version is later, to the second: the method MUST NOT be performed", () => {
    for (const method of [...READS, ...WRITES]) {
      assertEach("failed", method, "if-unmodified-since", [EARLIER]);
      assertEach(undefined, method, "if-unmodified-since", [SAME, LATER]);
    }
  });
});

describe("RFC 9110, 5.6.7: dates", () => {
  it("a recipient MUST accept all three formats", () => {
    const current = { lastModified: new Date("1994-11-06T08:49:37Z") };
    const formats = [
      "Sun, 06 Nov 1994 08:49:37 GMT",
      "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
      "Sun Nov 06 08:49:37 1994",
    ];
    assertEach("not-modified", "GET", "if-modified-since", formats, current);
    assertEach(undefined, "GET", "if-modified-since", formats.map((date) => date.replace(":37", ":36")), current);
    assertEach(undefined, "PUT", "if-unmodified-since", formats, current);
    assertEach("failed", "PUT", "if-unmodified-since", formats.map((date) => date.replace(":37", ":36")), current);
    const wednesday = { lastModified: new Date("2026-09-30T23:59:59Z") };
    const others = ["Wednesday, 30-Sep-26 23:59:59 GMT", "Wed Sep 30 23:59:59 2026"];
    assertEach("not-modified", "GET", "if-modified-since", others, wednesday);
  });

  it("a year of two digits more than 50 years ahead MUST be the most recent one in the past", () => {
    const now = new Date().getUTCFullYear();
    for (
      const [ahead, year] of [[0, now], [1, now + 1], [50, now + 50], [51, now + 51 - 100], [99, now - 1]] as const
    ) {
      const digits = String((now + ahead) % 100).padStart(2, "0");
      // Around the turn of a century, a year may be before it.
      const expected = year > now && Math.floor(year / 100) > Math.floor(now / 100) ? year - 100 : year;
      const current = { lastModified: new Date(Date.UTC(expected, 5, 15)) };
      assertEach("not-modified", "GET", "if-modified-since", [`Monday, 15-Jun-${digits} 00:00:00 GMT`], current);
      assertEach(undefined, "GET", "if-modified-since", [`Monday, 14-Jun-${digits} 00:00:00 GMT`], current);
    }
  });
});
