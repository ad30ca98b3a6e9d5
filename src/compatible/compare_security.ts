import { escapeToken } from "../core/schemas/json_pointer.ts";
import type { ComparedOperation, Documents, Report } from "./change.ts";
import { type Keywords, recordOf, targetOf, toJson } from "./keywords.ts";

/**
 * Compares what credentials an operation demands: each way to call it must still suffice.
 *
 * @param documents The documents.
 * @param x The first operation.
 * @param y The other.
 * @param add Adds a change.
 */
export function compareSecurity(documents: Documents, x: ComparedOperation, y: ComparedOperation, add: Report): void {
  const { before, after, resolveBefore, resolveAfter } = documents;
  const [inBefore, inAfter] = [schemesOf(before), schemesOf(after)];
  const was = waysOf(x.value.security ?? before.security, inBefore, inAfter, resolveBefore);
  const is = waysOf(y.value.security ?? after.security, inAfter, inBefore, resolveAfter);
  const at = `${y.at}/security`;
  for (const way of was) {
    if (!is.some((other) => suffices(way, other))) {
      const demanded = is.map(describe).join(" or ");
      add("breaking", at, `security: ${describe(way)} no longer suffices, ${demanded} is demanded`);
    }
  }
  for (const way of is) {
    if (!was.some((other) => suffices(way, other))) add("safe", at, `security: ${describe(way)} suffices now`);
  }
  const compared = new Set<string>();
  for (const scheme of was.flat()) {
    const now = is.flat().find(({ name }) => name === scheme.name) ?? is.flat().find((other) => isSame(scheme, other));
    if (now === undefined || compared.has(scheme.name)) continue;
    compared.add(scheme.name);
    compareSchemes(scheme, now, add);
  }
}

/** A scheme that a way to call an operation demands. */
interface Scheme {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly value: Keywords;
  /** What requests carry; `undefined` if the document does not say. */
  readonly carried: string | undefined;
  /** Whether the other document has a scheme of this name. */
  readonly isInBoth: boolean;
}

/** The schemes of one way to call an operation, all of which are demanded. */
type Way = readonly Scheme[];

/** The ways to call an operation. Without any, it is public. */
function waysOf(
  security: unknown,
  schemes: Keywords,
  others: Keywords,
  resolve: Documents["resolveBefore"],
): readonly Way[] {
  const ways = (Array.isArray(security) ? security : []).map((requirement): Way =>
    Object.entries(recordOf(requirement)).map(([name, scopes]) => {
      const value = targetOf(schemes[name], resolve);
      const names = (Array.isArray(scopes) ? scopes : []).map(String);
      return { name, scopes: names, value, carried: carriedBy(value), isInBoth: Object.hasOwn(others, name) };
    })
  );
  return ways.length === 0 ? [[]] : ways;
}

function schemesOf({ components }: Keywords): Keywords {
  return recordOf(recordOf(components).securitySchemes);
}

/** What requests carry. Each kind of token is written alike, and the names of headers and schemes have no case. */
function carriedBy({ type, in: where, name, scheme }: Keywords): string | undefined {
  if (type === "oauth2" || type === "openIdConnect") return "bearer";
  if (typeof scheme === "string") return scheme.toLowerCase();
  if (type !== "apiKey" || `${name}`.toLowerCase() === "authorization") return undefined;
  return toJson([where, where === "header" ? `${name}`.toLowerCase() : name]);
}

/** Whether two schemes are one, whose name may have changed. Those of users and of admins are both bearer tokens. */
function isSame(x: Scheme, y: Scheme): boolean {
  return x.name === y.name ||
    (x.carried !== undefined && x.carried === y.carried && !x.isInBoth && !y.isInBoth);
}

/** Whether who has the credentials of `way` has those that `demanded` demands. */
function suffices(way: Way, demanded: Way): boolean {
  return demanded.every((scheme) =>
    way.some((own) => isSame(own, scheme) && scheme.scopes.every((scope) => own.scopes.includes(scope)))
  );
}

function describe(way: Way): string {
  const names = way.map(({ name, scopes }) => scopes.length === 0 ? name : `${name} (${scopes.join(", ")})`);
  return names.length === 0 ? "a request without credentials" : names.join(" with ");
}

/** Compares how requests carry credentials, and where clients get them from. */
function compareSchemes(x: Scheme, y: Scheme, add: Report): void {
  const [was, is] = [x, y].map(({ value: { type, flows, openIdConnectUrl } }) => ({
    type,
    openIdConnectUrl,
    // What scopes mean is text for people.
    flows: Object.entries(recordOf(flows)).map(([name, flow]) => [
      name,
      { ...recordOf(flow), scopes: Object.keys(recordOf(recordOf(flow).scopes)).toSorted() },
    ]).toSorted(),
  }));
  const isOther = x.carried !== undefined && y.carried !== undefined && x.carried !== y.carried;
  if (!isOther && (was?.type === undefined || is?.type === undefined || toJson(was) === toJson(is))) return;
  const at = `/components/securitySchemes/${escapeToken(y.name)}`;
  add(isOther ? "breaking" : "risky", at, `security scheme ${toJson(y.name)} has changed`);
}
