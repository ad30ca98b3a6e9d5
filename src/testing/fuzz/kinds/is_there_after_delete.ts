import { mutateText } from "../mutate.ts";
import type { Exchange } from "../exchange.ts";
import { ID, isParameter, SEARCH } from "../names.ts";
import { isSamePath } from "../needs.ts";
import { isChanged, isLike, itemsOf, objectsIn } from "../objects.ts";
import { isOfSame, kindsOf } from "../pool.ts";
import type { Prepared } from "../prepare.ts";
import { readerOf } from "../reader.ts";
import { isSuccess } from "../run.ts";
import type { Found, KindOfResponse } from "./kind.ts";

/** A thing that a DELETE has left. */
export const isThereAfterDelete: KindOfResponse<"is there after DELETE"> = {
  kind: "is there after DELETE",
  meaning: "After a DELETE, the path of the resource or a list still shows the resource unchanged.",
  shownBy: "response",
  async judge(exchange) {
    const { isOk, operation: { method } } = exchange;
    if (isOk && method === "DELETE") return await isInOtherList(exchange);
    if (!isOk || method !== "GET") return undefined;
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

/** Whether another list, such as a search, still shows the thing that is gone, beside one that is there. */
async function isInOtherList(exchange: Exchange): Promise<Found | undefined> {
  const { prepared, operations, result: { status }, run } = exchange;
  const known = prepared.usedInPath.at(-1);
  const isOwn = known !== undefined && (known.owner === undefined || known.owner === exchange.actor);
  // An order that has the id of a product is another thing.
  const [kind] = kindsOf(exchange.operation);
  const thing = run.pool.all.findLast((one) =>
    isOwn && one.object !== undefined && ID.test(one.key) && one.kinds[0] === kind && isOfSame(one, known)
  );
  const reader = readerOf(prepared, prepared.path, operations);
  if (thing === undefined || reader === undefined || status === 202 || prepared.signed.length > 0) return undefined;
  const { key, value, object } = thing;
  for (const list of listsOf(exchange, { ...object })) {
    const items = itemsOf((await run.probe(list)).json);
    const found = items.find((item) => item[key] === value);
    if (found === undefined || !isLike({ ...object }, found) || isChanged(object, found)) continue;
    if ((await run.probe(reader)).status !== 404) return undefined;
    // A list of what is gone, such as a bin, has nothing else.
    for (const other of items.filter((item) => item !== found).slice(0, MOST_OTHERS)) {
      const path = reader.path.replace(/[^/]+$/, encodeURIComponent(String(other[key])));
      if (isSuccess((await run.probe({ ...reader, path })).status)) {
        return {
          what: `the resource is a 404 afterwards, but GET ${list.path}${list.query} still lists it`,
          key: `remains in ${list.path}`,
        };
      }
    }
  }
  return undefined;
}

/** The requests for other lists of things like this one. A search asks for a text of it. */
function listsOf(
  { operation: { segments }, prepared, operations }: Exchange,
  thing: { readonly [name: string]: unknown },
): readonly Prepared[] {
  const [text] = Object.entries(thing).filter(([name, value]) => typeof value === "string" && value && !ID.test(name))
    .map(([, value]) => String(value));
  const headers = new Headers(prepared.headers);
  for (const name of ["content-type", "if-match", "idempotency-key"]) headers.delete(name);
  return operations.flatMap((operation) => {
    const isOther = operation.method === "GET" && !operation.segments.some(isParameter) &&
      !isSamePath(operation.segments, segments.slice(0, -1)) &&
      Object.keys(thing).every((name) => operation.gives.includes(name));
    const [query] = operation.parts.filter(({ name }) => name === "query");
    const needed = Object.keys(query?.properties ?? {}).filter((name) => query?.optional.has(name) === false);
    if (!isOther || needed.some((name) => !SEARCH.test(name) || text === undefined)) return [];
    const sent = new URLSearchParams(needed.map((name) => [name, String(text)]));
    const path = `/${operation.segments.join("/")}`;
    return [{ ...prepared, operation, headers, path, query: sent.size === 0 ? "" : `?${sent}`, body: undefined }];
  });
}

/** How many of the other things of a list are asked for. */
const MOST_OTHERS = 5;
