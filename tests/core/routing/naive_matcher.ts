/**
 * A second matcher, written from the rules of the manual and not from the router: it looks at every route, and tries
 * every way to divide a path. It is slow and obvious.
 */

/** A route, as a test declares it. */
export interface NaiveRoute {
  readonly method: string;
  readonly path: string;
}

/** A route and its parameters. */
export interface NaiveMatch {
  readonly route: NaiveRoute;
  readonly params: Record<string, string>;
}

/** The kinds of segments of a pattern, the most specific one first. */
const KINDS = ["literal", ":name", ":name+", "*"];

function kindOf(segment: string): number {
  if (segment === "*") return KINDS.indexOf("*");
  if (!segment.startsWith(":")) return KINDS.indexOf("literal");
  return KINDS.indexOf(segment.endsWith("+") ? ":name+" : ":name");
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1);
}

/** A literal of a pattern, as it stands in a url that escapes nothing needlessly. */
function encoded(segment: string): string {
  return segment === "" ? "" : respelled(new URL(`http://h/${segment}`).pathname.slice(1), UNESCAPED);
}

/** The characters that a path may have as they are, but for `:` and `*`. */
const UNESCAPED = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()+,;=@"];

/** Writes the escapes of these characters as the characters. All other escapes stay, or have capital letters. */
function respelled(text: string, plain: readonly string[], others: "stay" | "capital" = "capital"): string {
  return text.replace(/%[0-9A-Fa-f]{2}/g, (escape) => {
    const character = String.fromCharCode(Number(`0x${escape.slice(1)}`));
    if (plain.includes(character)) return character;
    return others === "stay" ? escape : escape.toUpperCase();
  });
}

/**
 * The most specific route that matches, or none. None either, if the path without needless escapes has another one, or,
 * if the url is trusted, that one.
 */
export function findNaively(
  routes: readonly NaiveRoute[],
  method: string,
  pathname: string,
  trustUrl: boolean,
): NaiveMatch | undefined {
  const sent = bestOf(routes, method, pathname);
  const rest = sent?.raw.find(([name]) => name === "*")?.[1] ?? "";
  const beforeRest = pathname.slice(0, pathname.length - rest.length);
  // A value that cannot be decoded is given as it was sent, with small letters.
  const other = respelled(beforeRest, UNESCAPED, "stay") + respelled(rest, [...UNESCAPED, "/"], "stay");
  if (sent?.route === bestOf(routes, method, other)?.route) return sent && matchOf(sent, trustUrl);
  const hasDotSegment = segmentsOf(other).some((segment) => segment === "." || segment === "..");
  return trustUrl && !hasDotSegment ? findNaively(routes, method, other, trustUrl) : undefined;
}

/** A route that matches, with the values as they stand in the path. */
interface Way {
  readonly route: NaiveRoute;
  readonly raw: readonly (readonly [name: string, value: string])[];
}

function bestOf(routes: readonly NaiveRoute[], method: string, pathname: string): Way | undefined {
  const matches = routes.filter((route) => route.method === "ALL" || route.method === method)
    .flatMap((route) => waysToMatch(segmentsOf(route.path), segmentsOf(pathname)).map((raw) => ({ route, raw })));
  return matches.toSorted((one, other) =>
    compare(one.route.path, other.route.path) ||
    Number(one.route.method === "ALL") - Number(other.route.method === "ALL")
  )[0];
}

function matchOf({ route, raw }: Way, trustUrl: boolean): NaiveMatch | undefined {
  const params = raw.map(([name, value]) => [name, decoded(value)] as const);
  // A dot segment that appears when a value is decoded is beside a slash or a backslash.
  const isAmbiguous = raw.some(([, value]) =>
    value.replaceAll(/%2f|%5c|\\/gi, "/").replaceAll(/%2e/gi, ".").split("/").some((part) => /^\.\.?$/.test(part))
  );
  return isAmbiguous && !trustUrl ? undefined : { route, params: Object.fromEntries(params) };
}

/** All ways to divide the segments of a path among those of a pattern, as pairs of a name and a value. */
function waysToMatch(pattern: readonly string[], path: readonly string[]): [name: string, value: string][][] {
  const [first, ...rest] = pattern;
  const [segment, ...others] = path;
  if (first === undefined) return segment === undefined ? [[]] : [];
  if (segment === undefined) return [];
  switch (KINDS[kindOf(first)]) {
    case "literal":
      return encoded(first) === respelled(segment, []) ? waysToMatch(rest, others) : [];
    case "*":
      return [[["*", path.join("/")]]];
    case ":name":
      return segment === "" ? [] : waysToMatch(rest, others).map((way) => [[first.slice(1), segment], ...way]);
  }
  const name = first.slice(1, -1);
  return path.flatMap((_, index) => {
    const value = path.slice(0, index + 1);
    if (value.some((part) => part === "" || /%2f/i.test(part))) return [];
    const ways = waysToMatch(rest, path.slice(index + 1));
    return ways.map((way): [string, string][] => [[name, value.join("/")], ...way]);
  });
}

/** Less than 0 if the first pattern takes precedence; 0 if no rule decides, or if both never match one path. */
function compare(one: string, other: string): number {
  const [left, right] = [segmentsOf(one), segmentsOf(other)];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [a, b] = [left[index] as string, right[index] as string];
    if (kindOf(a) !== kindOf(b)) return kindOf(a) - kindOf(b);
    if (KINDS[kindOf(a)] === ":name+") return compareSuffixes(left.slice(index + 1), right.slice(index + 1));
  }
  return 0;
}

function compareSuffixes(one: readonly string[], other: readonly string[]): number {
  if (one.length !== other.length) return other.length - one.length;
  for (let index = one.length - 1; index >= 0; index--) {
    const difference = kindOf(one[index] as string) - kindOf(other[index] as string);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether two routes match the same requests: no rule orders them. */
export function collide(one: NaiveRoute, other: NaiveRoute): boolean {
  const shapeOf = ({ method, path }: NaiveRoute) =>
    [method, ...segmentsOf(path).map((segment) => kindOf(segment) === 0 ? encoded(segment) : KINDS[kindOf(segment)])]
      .join("/");
  return shapeOf(one) === shapeOf(other);
}

/** Decodes a value. What is malformed stays as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
