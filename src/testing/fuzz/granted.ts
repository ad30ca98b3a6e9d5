import { isSuccess, type Run, type Sent } from "./run.ts";
import type { Send, Shown } from "./shorten.ts";

/**
 * Says whether an actor was let in to what another one has made: by a request that names this actor, as a share does, or
 * by one that this actor has sent, as to join.
 *
 * @param shown What the actor reads or changes, and the fewest calls that show it.
 * @param replay Sends calls to a new app.
 * @returns `true` if nothing is shown without that request.
 */
export async function isGranted({ finding, calls, sent, run }: Shown, replay: Send): Promise<boolean> {
  const guest = calls.at(-1)?.actor;
  if (finding.kind !== "crosses owners" || guest === undefined) return false;
  for (const [index, one] of sent.slice(0, -1).entries()) {
    if (!mayGrant(one, guest, run)) continue;
    let remains = false;
    await replay(calls.filter((_, other) => other !== index), ({ key }) => remains ||= key === finding.key);
    if (!remains) return true;
  }
  return false;
}

/** Whether a request names an actor, or whether this actor has sent it and it makes nothing of its own. */
function mayGrant({ prepared, status }: Sent, guest: string, { pool }: Run): boolean {
  const { operation, actor, path, body } = prepared;
  const isChange = !operation.isSafe && operation.method !== "DELETE" && isSuccess(status);
  const names = path.split("/").includes(encodeURIComponent(guest)) || body?.includes(JSON.stringify(guest)) === true;
  const makes = pool.all.some(({ owner, maker }) => owner !== undefined && maker === operation);
  return isChange && (names || actor === guest && !makes);
}
