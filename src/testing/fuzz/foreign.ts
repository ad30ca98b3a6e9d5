import { headersOf } from "./actors.ts";
import { isReaderOf } from "./needs.ts";
import type { Operation } from "./operations.ts";
import { kindsOf, type Known } from "./pool.ts";
import type { Prepared } from "./prepare.ts";
import type { Result, Run } from "./run.ts";

/** A thing of another actor that a request names. */
export interface Foreign {
  /** Its id. */
  readonly known: Known;
  /** The request by which its owner reads it, if the request may change it. */
  readonly reader: Prepared | undefined;
  /** What its owner has read before the request. */
  readonly before: Result | undefined;
}

/**
 * Finds a thing of another actor that a request names, and lets its owner read it before the request is sent.
 *
 * @param prepared The request.
 * @param operations All operations.
 * @param run The run.
 * @param isPublic Whether everybody may read things of a kind.
 * @returns The thing; `undefined` if the request names none.
 */
export async function findForeign(
  prepared: Prepared,
  operations: readonly Operation[],
  run: Run,
  isPublic: (kind: string | undefined) => boolean,
): Promise<Foreign | undefined> {
  // The last thing of a path is the one that is read or changed: one's own comment on another's post is one's own.
  const { used, usedInPath, actor } = prepared;
  const target = usedInPath.findLast(({ owner }) => owner !== undefined);
  const named = [...target === undefined ? [] : [target], ...used.slice(usedInPath.length)];
  const own = kindsOf(prepared.operation);
  // Who may read a thing may refer to it elsewhere, as to the doctor of a visit.
  const isReference = ({ kinds: [kind = ""] }: Known) => isPublic(kind) && !own.includes(kind);
  const known = named.find((one) => one.owner !== undefined && one.owner !== actor && !isReference(one));
  if (known === undefined) return undefined;
  const reader = prepared.operation.isSafe ? undefined : readByOwner(prepared, known, operations, run);
  return { known, reader, before: reader && await run.probe(reader) };
}

/** The request by which the owner of a thing reads it. */
function readByOwner(
  prepared: Prepared,
  { owner }: Known,
  operations: readonly Operation[],
  { actors }: Run,
): Prepared | undefined {
  const operation = operations.find((other) => isReaderOf(other, prepared.operation.segments));
  if (operation === undefined || owner === undefined) return undefined;
  return { ...prepared, operation, actor: owner, headers: headersOf(actors, owner), query: "", body: undefined };
}
