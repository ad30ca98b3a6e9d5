import type { Exchange } from "../exchange.ts";
import { SIZE } from "../names.ts";
import { cursorOf } from "./skips_an_item.ts";
import type { KindOfResponse } from "./kind.ts";

/** A list that does not know how long it is. */
export const countsWrongly: KindOfResponse<"counts wrongly"> = {
  kind: "counts wrongly",
  meaning:
    "A list is complete and has no filter, but a property such as `total` is not the number of its items. In most earlier lists, it was.",
  shownBy: "response",
  judge(exchange) {
    const { past: { totals }, isCounted, result: { json } } = exchange;
    const count = lengthOf(exchange);
    if (count === undefined) return undefined;
    for (const [name, value] of Object.entries(Object(json))) {
      if (!TOTAL.test(name) || typeof value !== "number" || !Number.isInteger(value)) continue;
      const { lengths, right, wrong } = totals.get(name) ?? { lengths: new Set<number>(), right: 0, wrong: 0 };
      const isRight = value === count;
      if (isCounted) {
        totals.set(name, {
          lengths: isRight && count > 0 ? new Set([...lengths, count]) : lengths,
          right: right + Number(isRight),
          wrong: wrong + Number(!isRight),
        });
      }
      // A sum is equal to the number of items by chance, and for few lists. A list of the newest never gets longer.
      const isWhole = count > value || [...lengths].some((length) => length > count);
      if (!isRight && isWhole && lengths.size > 2 && right > wrong) {
        return { what: `has ${name} ${value}, but a complete list of ${count} items`, key: `counts ${name}` };
      }
    }
    return undefined;
  },
};

/** Names of how many items there are. */
const TOTAL = /^(?:total|count|total_?(?:count|items|results|size)|num_?found|hits)$/i;

/** How many items a list has; `undefined` for a page of it, and for one with a filter. */
function lengthOf({ operation: { method, places, parts }, prepared, isOk, result: { json } }: Exchange) {
  if (!isOk || method !== "GET" || prepared.isValid === false || Array.isArray(json)) return undefined;
  const lists = Object.values(Object(json)).filter((value) => Array.isArray(value));
  const [items] = lists;
  if (items === undefined || lists.length > 1) return undefined;
  const sent = [...new URLSearchParams(prepared.query)];
  if (sent.some(([name]) => !SIZE.test(name))) return undefined;
  const names = parts.filter(({ name }) => name === "query").flatMap(({ properties }) => Object.keys(properties));
  const [place] = places;
  if (place !== undefined) return cursorOf(json, place) === undefined ? items.length : undefined;
  const isPaged = names.some((name) => SIZE.test(name) || PAGE.test(name));
  return !isPaged || sent.some(([, size]) => items.length < Number(size)) ? items.length : undefined;
}

/** Names of which page is wanted. */
const PAGE = /^(?:page|offset|skip|start)/i;
