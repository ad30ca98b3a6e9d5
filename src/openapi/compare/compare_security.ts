import type { Operation, Report } from "./change.ts";
import { type Keywords, recordOf, toJson } from "./keywords.ts";

/**
 * Compares what credentials an operation demands: each way to call it must still suffice.
 *
 * @param before The document of the first operation.
 * @param after The document of the other.
 * @param x The first operation.
 * @param y The other.
 * @param add Adds a change.
 */
export function compareSecurity(before: Keywords, after: Keywords, x: Operation, y: Operation, add: Report): void {
  const [was, is] = [waysOf(x.value.security ?? before.security), waysOf(y.value.security ?? after.security)];
  const at = `${y.at}/security`;
  for (const way of was) {
    if (!is.some((other) => suffices(way, other))) {
      add(
        "breaking",
        at,
        `security: ${describe(way)} no longer suffices, ${is.map(describe).join(" or ")} is demanded`,
      );
    }
  }
  for (const way of is) {
    if (!was.some((other) => suffices(way, other))) add("safe", at, `security: ${describe(way)} suffices now`);
  }
  const [schemes, others] = [before, after].map((document) => recordOf(recordOf(document.components).securitySchemes));
  for (const name of new Set(was.flatMap((way) => [...way.keys()]))) {
    const [old, now] = [recordOf(schemes?.[name]), recordOf(others?.[name])];
    if (!is.some((way) => way.has(name)) || toJson(partsOf(old)) === toJson(partsOf(now))) continue;
    const isOther = ["type", "in", "name", "scheme"].some((key) => toJson(old[key]) !== toJson(now[key]));
    const place = `/components/securitySchemes/${name}`;
    add(isOther ? "breaking" : "risky", place, `security scheme ${toJson(name)} has changed`);
  }
}

/** The schemes of one way to call an operation, with their scopes. */
type Way = ReadonlyMap<string, readonly string[]>;

/** The ways to call an operation. Without any, it is public. */
function waysOf(security: unknown): readonly Way[] {
  const ways = (Array.isArray(security) ? security : []).map((requirement): Way => (
    new Map(
      Object.entries(recordOf(requirement)).map(([scheme, scopes]) => [
        scheme,
        (Array.isArray(scopes) ? scopes : []).map(String),
      ]),
    )
  ));
  return ways.length === 0 ? [new Map()] : ways;
}

/** Whether who has the credentials of `way` has those that `demanded` demands. */
function suffices(way: Way, demanded: Way): boolean {
  return [...demanded].every(([scheme, scopes]) =>
    scopes.every((scope) => way.get(scheme)?.includes(scope)) && way.has(scheme)
  );
}

function describe(way: Way): string {
  const names = Array.from(
    way,
    ([scheme, scopes]) => scopes.length === 0 ? scheme : `${scheme} (${scopes.join(", ")})`,
  );
  return names.length === 0 ? "no credentials" : names.join(" with ");
}

/** What matters of a scheme. */
function partsOf({ description: _, bearerFormat: _format, ...parts }: Keywords): Keywords {
  return parts;
}
