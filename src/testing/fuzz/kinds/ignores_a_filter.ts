import { itemsOf } from "../objects.ts";
import type { Exchange } from "../exchange.ts";
import type { KindOfResponse } from "./kind.ts";

/** A list that has what was not asked for. */
export const ignoresAFilter: KindOfResponse<"ignores a filter"> = {
  kind: "ignores a filter",
  meaning:
    "A filter in the query of a list has no effect: the list also has items whose property of the same name has another value.",
  shownBy: "response",
  async judge(exchange) {
    const { operation: { method, parts }, prepared, isOk, result } = exchange;
    if (!isOk || method !== "GET" || prepared.isValid === false) return undefined;
    const items = itemsOf(result.json);
    const [query] = parts.filter(({ name }) => name === "query");
    const sent = new URLSearchParams(prepared.query);
    for (const [name, schema] of Object.entries(query?.properties ?? {})) {
      const values = valuesOf(schema);
      const [asked, ...more] = sent.getAll(name);
      if (more.length > 0 || asked !== undefined && !values.includes(asked)) continue;
      // Of items with one value, all may pass a filter that lets more pass, such as a level of a log.
      const listed = [...new Set(items.map((item) => item[name]))].filter((value) => values.includes(value));
      const fewest = (asked === undefined ? 3 : 2) - Number(IS_ONE.test(name));
      if (listed.length < fewest || listed.join() === asked) continue;
      const ignored = await ignoredValue(exchange, name, asked, values, listed);
      if (ignored === undefined) continue;
      const other = listed.find((value) => value !== ignored);
      return {
        what: `lists an item with ${name} ${String(other)} for ?${name}=${String(ignored)}`,
        key: `ignores ${name}`,
      };
    }
    return undefined;
  },
};

/**
 * The value of a parameter for which the list is the one without the parameter, or the one for any value. If it is so
 * for one value only, the lists for the others have nothing else.
 */
async function ignoredValue(
  { prepared, result, run }: Exchange,
  name: string,
  asked: string | undefined,
  values: readonly unknown[],
  listed: readonly unknown[],
): Promise<unknown> {
  const listFor = async (value: unknown) => {
    const query = new URLSearchParams(prepared.query);
    query.delete(name);
    if (value !== undefined) query.set(name, String(value));
    return await run.probe({ ...prepared, query: query.size === 0 ? "" : `?${query}` });
  };
  const same: unknown[] = [];
  let exact = 0;
  for (const value of values) {
    const { text, json } = await listFor(value);
    const items = itemsOf(json);
    if (text === result.text) same.push(value);
    else if (items.some((item) => item[name] !== value)) return undefined;
    else if (items.length > 0) exact++;
  }
  if (same.length === values.length) return asked ?? same[0];
  // What a level lets pass is exact for the last level only. What no item has, such as `all`, may let all pass.
  const [ignored, ...others] = same.filter((value) => listed.includes(value));
  if (others.length > 0 || exact + Number(IS_ONE.test(name)) < 2) return undefined;
  if (asked === undefined) return ignored;
  return asked === ignored && (await listFor(undefined)).text === result.text ? ignored : undefined;
}

/** Names of what is one value or another, without more or less. */
const IS_ONE = /status|state|type|kind|category/i;

/** The texts that a schema lists; none if there are fewer than two, or many. */
function valuesOf(schema: unknown): readonly unknown[] {
  const { enum: values } = Object(schema);
  return Array.isArray(values) && values.length > 1 && values.length < 9 ? values : [];
}
