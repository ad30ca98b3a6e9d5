/** What COMPATIBLE.md says of the rules of oasdiff. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { verdicts } from "../support/oasdiff_pairs.ts";
import { rules, tables } from "../support/oasdiff_rules.ts";
import { ROOT } from "../support/server_process.ts";

/** Errors and warnings of oasdiff that break no client. COMPATIBLE.md says why. */
const HARMLESS = [
  "request-body-all-of-removed",
  "request-property-all-of-removed",
  "request-parameter-became-not-nullable",
  "request-parameter-property-became-not-nullable",
];

/** Where oasdiff only informs, and clients break. COMPATIBLE.md says why. */
const STRICTER = [
  "response-body-all-of-removed",
  "response-property-all-of-removed",
  "response-body-any-of-added",
  "response-property-any-of-added",
  "api-security-added",
  "api-security-scope-added",
  "api-global-security-added",
  "api-global-security-scope-added",
  "response-success-status-added",
];

/** Pairs that oasdiff calls compatible, and why `compatible` does not. COMPATIBLE.md says the same. */
const BREAKING_HERE: Readonly<Record<string, string>> = {
  TestAPIGlobalSecurityyAdded: "credentials are demanded",
  TestAPISecurityAdded: "credentials are demanded",
  TestAPISecurityScopeAdded: "credentials are demanded",
  TestBreaking_ReqBodyNewRequiredPropertyNew: "a key is required that has no schema",
  TestRequestPropertyMarkedOptional: "a key is required that has no schema",
};

/** Pairs that oasdiff calls errors, and why nothing breaks. COMPATIBLE.md says the same. */
const HARMLESS_HERE: Readonly<Record<string, string>> = {
  TestBreaking_RequeatMinItemsGreater: "minItems of a string that has a list of values",
  TestBreaking_MaxSmaller: "maximum of a string that has a list of values",
  TestBreaking_AddPattern: "a read-only property of a request",
};

describe("compatible() and the rules of oasdiff", () => {
  const all = rules();

  it("answers each of the 509, of which 243 are errors and warnings", () => {
    assertEquals([all.length, new Set(all.map(({ id }) => id)).size], [509, 509]);
    assertEquals(all.filter(({ isFault }) => isFault).length, 243);
  });

  it("finds what oasdiff calls an error or a warning breaking or risky, with four exceptions", () => {
    const missed = all.filter(({ isFault, level, reason }) => isFault && !reason && !/breaking|risky/.test(level));
    assertEquals(missed.map(({ id }) => id), HARMLESS);
  });

  it("calls nothing breaking of which oasdiff informs, with the exceptions that COMPATIBLE.md names", () => {
    const stricter = all.filter(({ isFault, level }) => !isFault && level === "breaking");
    assertEquals(stricter.map(({ id }) => id), STRICTER);
  });
});

(granted("read") ? describe : describe.skip)("compatible() and the tests of oasdiff", () => {
  it("calls none of 165 pairs breaking that oasdiff calls compatible, but those that break clients", () => {
    const pairs = verdicts().filter(({ isFault }) => !isFault);
    assertEquals(pairs.length, 165);
    const breaking = pairs.filter(({ level }) => level === "breaking").map(({ test }) => test);
    assertEquals(breaking.toSorted(), Object.keys(BREAKING_HERE).toSorted());
  });

  it("calls each of 170 pairs breaking or risky that oasdiff calls an error, but those that exclude nothing", () => {
    const pairs = verdicts().filter(({ isFault }) => isFault);
    assertEquals(pairs.length, 170);
    const missed = pairs.filter(({ level }) => level === "none" || level === "safe").map(({ test }) => test);
    assertEquals(missed.toSorted(), Object.keys(HARMLESS_HERE).toSorted());
  });
});

(granted("read") ? describe : describe.skip)("COMPATIBLE.md", () => {
  it("says of each rule what compatible() makes of it: run tests/support/oasdiff_rules.ts to write it", () => {
    const text = Deno.readTextFileSync(new URL(".github/COMPATIBLE.md", ROOT));
    const [written = ""] = /(?<=\n## Rule by rule\n)[^]*?(?=\n## )/.exec(text) ?? [];
    assertEquals(wordsOf(written), wordsOf(tables()));
  });
});

/** The words of a text, whose lines and columns `deno fmt` has arranged. */
function wordsOf(text: string): readonly string[] {
  return text.replaceAll(/-{3,}/g, "---").split(/\s+/).filter((word) => word !== "");
}
