import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { type Context, type Route, route, setup } from "../../../mod.ts";
import { isAmbiguous } from "./ambiguous_url.ts";
import { collide, findNaively, type NaiveRoute } from "./naive_matcher.ts";

/**
 * Compares the router with the naive matcher, on random sets of patterns and paths.
 *
 * @param numRuns How many sets.
 * @returns How many requests matched a pattern with `:name+`, how many matched with an escape in the path, and how many
 * sets `setup` rejected.
 */
export function compareMatchers(
  numRuns: number,
): { readonly matched: number; readonly escaped: number; readonly rejected: number } {
  let matched = 0;
  let escaped = 0;
  let rejected = 0;
  fc.assert(
    fc.property(sets, fc.boolean(), ({ routes, requests }, trustUrl) => {
      let found: { readonly route: NaiveRoute; readonly params: object } | undefined;
      const handlers = routes.map((declared): Route => {
        const resolve = ({ raw }: Context) => {
          found = { route: declared, params: raw.params };
          return response;
        };
        return declared.method === "ALL"
          ? route.all(declared.path, { resolve })
          : route.on(declared.method, declared.path, { resolve });
      });
      if (routes.some((one, index) => routes.slice(index + 1).some((other) => collide(one, other)))) {
        rejected++;
        assertThrows(() => setup({ handlers }), TypeError, "match the same requests");
        return;
      }
      const { fetch } = setup({ handlers, trustUrl });
      // The first request makes the origin known.
      for (const { method, path } of [{ method: "GET", path: "/" }, ...requests]) {
        found = undefined;
        const url = `http://h${path}`;
        fetch({ method, url, headers } as Request);
        const expected = isAmbiguous(url, true)
          ? undefined
          : findNaively(routes, method, new URL(url).pathname, trustUrl);
        assertEquals(found, expected, `${method} ${path}`);
        if (expected?.route.path.match(/:\w+\+/)) matched++;
        if (expected && path.includes("%")) escaped++;
      }
    }),
    { numRuns },
  );
  return { matched, escaped, rejected };
}

const headers = new Headers();
const response = new Response();

// Few words, so that paths often match. One needs encoding, one is in the syntax of patterns, two share a beginning.
const word = fc.constantFrom("a", "b", "ab", "é", "c++", "%3C", "a%20b");
const kind = fc.oneof({ weight: 3, arbitrary: word }, { weight: 2, arbitrary: fc.constant(":") });
const method = fc.constantFrom("GET", "GET", "POST", "ALL");

const pattern = fc.record({
  before: fc.array(kind, { maxLength: 2 }),
  many: fc.constantFrom(true, true, true, false),
  after: fc.array(kind, { maxLength: 3 }),
  end: fc.constantFrom("", "", "", "/", "*"),
}).map(({ before, many, after, end }) => {
  const segments = [...before, ...many ? ["+"] : [], ...after, ...end === "/" ? [""] : []];
  if (end === "*" && !many) segments.push("*");
  const named = segments.map((segment, index) =>
    segment === ":" ? `:p${index}` : segment === "+" ? `:p${index}+` : segment
  );
  return `/${named.join("/")}`;
});

/** A segment of a request. */
const segment = fc.oneof(
  { weight: 4, arbitrary: word },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "%2F", "a%2fb", "a%20b", "%zz", "%C3%A9", "%5C..", "a%252Fb", ":", ".a"),
  },
  // Other spellings of the words, and what only looks like one.
  {
    weight: 2,
    // deno-fmt-ignore
    arbitrary: fc.constantFrom(
      "%61", "%62", "%61%62", "a%62", "%61b", "%41", "A", "%c3%a9", "%C3%a9", "c%2B%2B", "%3c", "a%200", "a%2Fb", "b%2Fa",
      "%2Fa", "a%2F", "a%2F%62", "%61%2Fb", "b%2F%61%2Fa", "%2E", "a%2E", "%2e%2e%2fa", "%2f..", "a%2f..%2fb", "%5c",
      "%%361", "%%36%31", "%6", "%4", "%zz%61", "%7E", "%40",
    ),
  },
);

const sets = fc.array(fc.record({ method, path: pattern }), { minLength: 1, maxLength: 8 }).chain((routes) => {
  const any = fc.array(segment, { minLength: 1, maxLength: 7 }).map((segments) => `/${segments.join("/")}`);
  /** A path that one of the patterns nearly matches. */
  const near = fc.record({
    base: fc.constantFrom(...routes),
    values: fc.array(segment, { minLength: 8, maxLength: 8 }),
  })
    .map(({ base, values }) => {
      const next = () => values.pop() ?? "a";
      return base.path.split("/").map((part) => {
        if (part === "*" || part.endsWith("+") && part !== "c++") {
          return Array.from({ length: 1 + values.length % 3 }, next).join("/");
        }
        return part.startsWith(":") ? next() : part;
      }).join("/");
    });
  const request = fc.record({ method: fc.constantFrom("GET", "POST"), path: fc.oneof(any, near, near) });
  return fc.record({ routes: fc.constant(routes), requests: fc.array(request, { minLength: 1, maxLength: 6 }) });
});
