import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readFileSync } from "node:fs";
import { readVariable } from "../../../examples/shared/read_variable.ts";
import { type PathFacts, scan, SLASH } from "../../../src/core/routing/plain_path.ts";
import { assertMaySkip } from "../../support/assert_may_skip.ts";

/** The file `urltestdata.json` of the web platform tests, if given. Debian's librust-url-dev contains it. */
const URL_CASES = readVariable("URL_TEST_DATA");
if (URL_CASES === undefined) assertMaySkip("The file that URL_TEST_DATA names");

/** The rule, as `src/core/routing/plain_path.ts` states it. */
const PLAIN = /^(?:\/(?![.%])[A-Za-z0-9%._!$&'()*+,:;=@~-]*)+$/;

const createFacts = (isNormalized = false): PathFacts => (
  { isNormalized, lastEscape: -1, end: 0, spans: [] }
);
const isPlain = (path: string) => scan(path, 0, -1, createFacts()) === path.length;
const pathnameOf = (path: string) => new URL(`http://h${path}`).pathname;

describe("a plain path", () => {
  it("has only the characters of the rule, and no segment that begins with a dot or an escape", () => {
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code);
      for (const path of [`/a${character}`, `/${character}`, `/a${character}a`, `/a/${character}/a`]) {
        if (character !== "?") assertEquals(isPlain(path), PLAIN.test(path), JSON.stringify(path));
      }
    }
  });

  it("is kept by a parser as it is", () => {
    const pieces = [..."/.%2eEa-~!$&'()*+,:;=@_", "..", "%2e", "%zz", "//", "a.b"];
    for (const first of pieces) {
      for (const second of pieces) {
        for (const third of pieces) {
          const path = `/${first}${second}${third}`;
          assertEquals(isPlain(path), PLAIN.test(path), path);
          if (isPlain(path)) assertEquals(pathnameOf(path), path);
        }
      }
    }
  });

  (URL_CASES === undefined ? it.skip : it)(
    "is the pathname that the URL standard expects, in all of its own cases",
    () => {
      type Case = {
        readonly input: string;

        readonly failure?: true;
        readonly pathname: string;
      };
      const entries: readonly (string | Case)[] = JSON.parse(readFileSync(URL_CASES ?? "", "utf8"));
      const cases = entries.filter((entry) => typeof entry === "object");
      let plain = 0;
      for (const { input, failure, pathname } of cases) {
        const path = !failure && /^https?:\/\/[^/\\?#@]+(\/[^?#]*)(?:[?#]|$)/.exec(input)?.[1];
        if (!path || !isPlain(path)) continue;
        plain++;
        assertEquals(pathname, path, input);
      }
      assert(plain > 40, `${plain} plain paths`);
      // What the standard says about any url, asked about a path.
      for (const { input } of cases) {
        for (const path of [`/${input}`, `/a/${input}/b`, `/${input}.`, `/a%${input}`]) {
          if (/[?#]/.test(path)) continue;
          assertEquals(isPlain(path), PLAIN.test(path), path);
          if (isPlain(path)) assertEquals(pathnameOf(path), path);
        }
      }
    },
  );

  it("ends before a query, and a part of it at the character that is asked for", () => {
    assertEquals(scan("/a/b?c", 0, -1, createFacts()), 4);
    assertEquals(scan("/a/b?c", 1, SLASH, createFacts()), 2);
    assertEquals(scan("/a/b", 3, SLASH, createFacts()), 4);
    const facts = createFacts();
    assertEquals(scan("/a#b", 0, -1, facts), -1);
    assertEquals(facts.end, -1);
  });

  it("need not be plain after a parser has normalized it, but its escapes are noted", () => {
    const facts = createFacts(true);
    assertEquals(scan("/.a|b", 0, -1, facts), 5);
    assertEquals(facts.lastEscape, -1);
    assertEquals(scan("/%2ea", 0, -1, facts), 5);
    assertEquals(facts.lastEscape, 1);
  });
});
