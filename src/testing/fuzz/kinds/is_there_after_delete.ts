import { mutateText } from "../mutate.ts";
import { isChanged, objectsIn } from "../objects.ts";
import { isSuccess } from "../run.ts";
import type { Exchange } from "../exchange.ts";
import type { KindOfResponse } from "./kind.ts";

/** A thing that a DELETE has left. */
export const isThereAfterDelete: KindOfResponse<"is there after DELETE"> = {
  kind: "is there after DELETE",
  meaning: "After a DELETE, the path of the resource or its list still shows the resource unchanged.",
  shownBy: "response",
  async judge(exchange) {
    if (!exchange.isOk || exchange.operation.method !== "GET") return undefined;
    return await isFound(exchange) || isListed(exchange) ? { what: "is still there after its DELETE" } : undefined;
  },
};

/** Whether the thing has been found by its own path. */
async function isFound({ actor, prepared, result, run, deleted }: Exchange): Promise<boolean> {
  const own = deleted.get(prepared.path);
  if (own === undefined || own.actor !== actor || isChanged(own.known?.object, result.json)) return false;
  // What responds to any id, such as settings with defaults, says nothing about this one.
  const other = await run.probe({ ...prepared, path: prepared.path.replace(/[^/]+$/, mutateText) });
  return !isSuccess(other.status);
}

/** Whether the thing is in the list that its path is below. */
function isListed({ actor, prepared: { path }, result: { json }, deleted }: Exchange): boolean {
  if (deleted.get(path)?.actor === actor) return false;
  return [...deleted].some(([other, { known, actor: remover }]) => {
    if (known === undefined || remover !== actor || other.replace(/\/[^/]+$/, "") !== path) return false;
    const found = objectsIn(json).find((object) => object[known.key] === known.value);
    return found !== undefined && !isChanged(known.object, found);
  });
}
