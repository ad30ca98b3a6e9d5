/** Several schemas for one part of a request: those of its scopes, and that of its route or endpoint. */

import { hasProperties } from "../values/assert.ts";

/** Schemas of one part. All of them are run on it. */
export interface JoinedSchemas {
  /** The schemas, those of the outermost scope first. */
  readonly "~joined": readonly unknown[];
}

/**
 * Joins the schema of a scope with that of a route, an endpoint or an inner scope.
 *
 * @param outer The schema of the scope, which may itself be joined.
 * @param own The other schema.
 * @returns Both, as one value in the place of a schema.
 */
export function joinSchemas(outer: unknown, own: unknown): JoinedSchemas {
  return { "~joined": [...schemasIn(outer), ...schemasIn(own)] };
}

/**
 * Lists the schemas of a part.
 *
 * @param schema What a route has for the part: a schema, or several that are joined.
 * @returns The schemas, those of the outermost scope first.
 */
export function schemasIn(schema: unknown): readonly unknown[] {
  const joined = hasProperties(schema) && Object.hasOwn(schema, "~joined") ? schema["~joined"] : undefined;
  return Array.isArray(joined) ? joined : [schema];
}
