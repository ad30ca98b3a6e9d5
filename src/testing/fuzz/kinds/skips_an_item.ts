import { leadsTo, SIZE } from "../names.ts";
import { itemsOf } from "../objects.ts";
import type { Exchange } from "../exchange.ts";
import type { Result } from "../run.ts";
import type { KindOfResponse } from "./kind.ts";

/** A list whose pages are not the list. */
export const skipsAnItem: KindOfResponse<"skips an item"> = {
  kind: "skips an item",
  meaning: "The page after a cursor does not begin with the item that a larger page shows next.",
  shownBy: "response",
  async judge(exchange) {
    const { operation: { method, places, parts }, prepared, isOk, result } = exchange;
    if (!isOk || method !== "GET" || prepared.isValid === false || places.size !== 1) return undefined;
    const [place = ""] = places;
    const sent = new URLSearchParams(prepared.query);
    const [size] = parts.filter(({ name }) => name === "query").flatMap(({ properties }) => Object.keys(properties))
      .filter((name) => SIZE.test(name));
    const cursor = cursorOf(result.json, place);
    const items = itemsOf(result.json);
    if (sent.has(place) || size === undefined || cursor === undefined || items.length === 0) return undefined;
    const larger = await pageOf(exchange, { [size]: String(items.length + 1) });
    const next = await pageOf(exchange, { [place]: cursor, [size]: String(items.length) });
    const [expected, found] = [itemsOf(larger.json)[items.length], itemsOf(next.json)[0]].map((item) =>
      JSON.stringify(item)
    );
    if (expected === undefined || next.status !== result.status || found === expected) return undefined;
    // A list that is another one each time says nothing.
    const again = await pageOf(exchange, {});
    const begins = itemsOf(larger.json).slice(0, items.length);
    if (again.text !== result.text || JSON.stringify(begins) !== JSON.stringify(items)) return undefined;
    return {
      what: `with ${size}=${items.length}, the page at ${place}=${cursor} begins with ${found ?? "nothing"}. ` +
        `With ${size}=${items.length + 1}, the next item is ${expected}`,
      key: "skips an item",
    };
  },
};

/** The response for another query. */
async function pageOf({ prepared, run }: Exchange, changes: { readonly [name: string]: string }): Promise<Result> {
  const query = new URLSearchParams(prepared.query);
  for (const [name, value] of Object.entries(changes)) query.set(name, value);
  return await run.probe({ ...prepared, query: `?${query}` });
}

/** The cursor of the next page. */
export function cursorOf(json: unknown, place: string): string | undefined {
  const [found] = Object.entries(Object(json)).filter(([key, value]) =>
    typeof value === "string" && !/^(?:prev|start)/i.test(key) && leadsTo(key, place)
  );
  return found === undefined ? undefined : String(found[1]);
}
