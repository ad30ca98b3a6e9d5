import { isOfSame, type Known, type Pool } from "./pool.ts";
import type { Prepared } from "./prepare.ts";
import type { Result } from "./run.ts";

/** What has been deleted in a run, by path. */
export type Deleted = ReadonlyMap<string, DeletedThing>;

/** A thing that has been deleted. */
export interface DeletedThing {
  /** Its id. */
  readonly known: Known | undefined;
  /** Who has deleted it. */
  readonly actor: string | undefined;
}

/**
 * Notes what a successful request has deleted, or made again.
 *
 * @param deleted What has been deleted before.
 * @param prepared The request.
 * @param result The response.
 * @param pool The values of earlier responses.
 */
export function noteDeleted(
  deleted: Map<string, DeletedThing>,
  prepared: Prepared,
  { status, text }: Result,
  pool: Pool,
): void {
  const { operation: { method, segments }, actor, path, used } = prepared;
  for (const [other, { known }] of deleted) {
    if (path.startsWith(other) || known !== undefined && text.includes(String(known.value))) deleted.delete(other);
  }
  const isItem = segments.at(-1)?.startsWith(":") === true;
  const [known] = used.slice(-1);
  if (method === "DELETE" && isItem && status !== 202 && (known?.owner === undefined || known.owner === actor)) {
    deleted.set(path, { known: known && inObject(known, pool), actor });
  }
}

/** The same id as an object has it: the path of a `location` says nothing else of the thing. */
function inObject(known: Known, { all }: Pool): Known {
  if (known.object !== undefined) return known;
  return all.findLast((one) => one.object !== undefined && isOfSame(one, known)) ?? known;
}
