import type { Exchange } from "../exchange.ts";
import { ID, stemOf } from "../names.ts";
import { objectsIn } from "../objects.ts";
import type { Part } from "../part.ts";
import { isSuccess } from "../run.ts";
import { sentBy, similar } from "../similar.ts";
import { allowsOthers } from "../undeclared_properties.ts";
import type { KindOfResponse } from "./kind.ts";

/** A body that is stored as it is: whoever sends `role` has that role. */
export const setsAnUndeclaredProperty: KindOfResponse<"sets an undeclared property"> = {
  kind: "sets an undeclared property",
  meaning:
    "A request sets a property that only the response declares, such as `role`. If the schema of the request allows other properties, this is a fault only if the user may do more afterwards.",
  shownBy: "response",
  async judge(exchange) {
    const { operation: { undeclared, parts }, prepared, isOk, result } = exchange;
    const body = parts.find(({ name }) => name === "body");
    if (!isOk || body === undefined) return undefined;
    const sent = sentBy(prepared);
    for (const [name, [one, other]] of undeclared) {
      if (sent[name] !== one || shownIn(result.json, name) !== one) continue;
      const set = (value: unknown) => isSet(exchange, body, name, value);
      if (!await isFollowed(set, one, other)) continue;
      if (allowsOthers(body.json) && !await givesRights(exchange, () => set(one), () => set(other))) continue;
      return {
        what: `sets ${name} to ${JSON.stringify(one)} or ${JSON.stringify(other)}, which its request does not declare`,
        key: `sets ${name}`,
      };
    }
    return undefined;
  },
};

/** Whether each value is set. What changes by itself, or by chance, does not follow so many. */
async function isFollowed(
  set: (value: unknown) => Promise<boolean>,
  one: unknown,
  other: unknown,
): Promise<boolean> {
  for (const bit of SEQUENCE) if (!await set(bit === "1" ? one : other)) return false;
  return true;
}

const SEQUENCE = "0010110111010001";

function shownIn(json: unknown, name: string): unknown {
  return objectsIn(json, DEPTH).find((object) => Object.hasOwn(object, name))?.[name];
}

/** A thing, or an object around it. */
const DEPTH = 3;

/** Whether the response has the value that a similar request sends. */
async function isSet({ prepared, result, run }: Exchange, body: Part, name: string, value: unknown): Promise<boolean> {
  const { method } = prepared.operation;
  // The names of things may have to differ.
  const fresh = Object.entries(Object(method === "POST" ? await body.next() : {}))
    .filter(([key]) => stemOf(key) === "" && !ID.test(key));
  const changed = similar(prepared, { ...Object.fromEntries(fresh), [name]: value }, result);
  const { status, json } = await run.probe(changed);
  return isSuccess(status) && shownIn(json, name) === value;
}

/** Whether a request that is refused with 403 passes with one value, and not with the other one. */
async function givesRights(
  { actor, pasts, run }: Exchange,
  ...sets: readonly (() => Promise<unknown>)[]
): Promise<boolean> {
  const refused = [...pasts.values()].flatMap(({ statuses }) => statuses.get(403)?.request ?? [])
    .filter((request) => request.actor === actor);
  const passes = new Map<unknown, boolean>();
  for (const set of sets) {
    await set();
    for (const request of refused) {
      const { status } = await run.probe(request);
      const isPassing = status !== 401 && status !== 403;
      if ((passes.get(request) ?? isPassing) !== isPassing) return true;
      passes.set(request, isPassing);
    }
  }
  return false;
}
