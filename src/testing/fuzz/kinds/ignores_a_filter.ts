import { itemsOf } from "../objects.ts";
import type { Exchange } from "../exchange.ts";
import type { KindOfResponse } from "./kind.ts";

/** A list that has what was not asked for. */
export const ignoresAFilter: KindOfResponse<"ignores a filter"> = {
  kind: "ignores a filter",
  meaning:
    "A filter in the query of a list changes nothing: the list also has items with another value under the name of the filter.",
  shownBy: "response",
  async judge(exchange) {
    const { operation: { method, parts }, prepared, isOk, result } = exchange;
    if (!isOk || method !== "GET" || prepared.isValid === false) return undefined;
    const items = itemsOf(result.json);
    const [query] = parts.filter(({ name }) => name === "query");
    const sent = new URLSearchParams(prepared.query);
    for (const [name, schema] of Object.entries(query?.properties ?? {})) {
      const values = valuesOf(schema);
      const asked = sent.getAll(name);
      // Of items with one value, all may pass a filter that lets more pass, such as a level of a log.
      const listed = [...new Set(items.map((item) => item[name]))].filter((value) => values.includes(value));
      const other = listed.find((value) => value !== asked[0]);
      if (asked.length !== 1 || !values.includes(asked[0]) || other === undefined) continue;
      if (listed.length < 2 && !IS_ONE.test(name)) continue;
      if (await isSameForAll(exchange, name, values)) {
        return { what: `lists ${name} ${String(other)} for ${name}=${asked[0]}`, key: `ignores ${name}` };
      }
    }
    return undefined;
  },
};

/** Whether the response does not depend on the value of a parameter. */
async function isSameForAll({ prepared, result, run }: Exchange, name: string, values: readonly unknown[]) {
  for (const value of values) {
    const query = new URLSearchParams(prepared.query);
    query.set(name, String(value));
    const { text } = await run.probe({ ...prepared, query: `?${query}` });
    if (text !== result.text) return false;
  }
  return true;
}

/** Names of what is one value or another, without more or less. */
const IS_ONE = /status|state|type|kind|category/i;

/** The texts that a schema lists; none if there are fewer than two, or many. */
function valuesOf(schema: unknown): readonly unknown[] {
  const { enum: values } = Object(schema);
  return Array.isArray(values) && values.length > 1 && values.length < 9 ? values : [];
}
