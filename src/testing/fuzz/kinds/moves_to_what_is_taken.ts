import { headersOf } from "../actors.ts";
import type { Exchange } from "../exchange.ts";
import { makerOfSame } from "../maker_of_same.ts";
import { ID } from "../names.ts";
import { isReaderOf } from "../needs.ts";
import type { Known } from "../pool.ts";
import type { Prepared } from "../prepare.ts";
import { isSuccess } from "../run.ts";
import { sentBy, similar } from "../similar.ts";
import type { KindOfResponse } from "./kind.ts";

/** A change without the check that a POST makes: two visits at the same time. */
export const movesToWhatIsTaken: KindOfResponse<"moves to what is taken"> = {
  kind: "moves to what is taken",
  meaning:
    "A request gives a resource the value that another one has, such as a time. A POST with the same value gets 409, and a POST with another value succeeds.",
  shownBy: "response",
  async judge(exchange) {
    const { prepared, isOk, result, run } = exchange;
    const change = isOk ? changeOf(exchange) : undefined;
    if (change === undefined) return undefined;
    const { made, thing, shared, readerOf } = change;
    const sent = sentBy(prepared);
    for (const name of shared.filter((name) => Object.hasOwn(sent, name))) {
      const value = sent[name];
      const other = anotherWith(exchange, thing, name, value);
      if (other === undefined) continue;
      const taken = Object(other.object)[name];
      // What is taken in one room is free in another: the new one is in the room of the changed one.
      const current = Object((await run.probe(readerOf(thing))).json);
      const alike = Object.keys(sentBy(made)).filter((key) => Object.hasOwn(current, key));
      const refused = similar(made, { ...Object.fromEntries(alike.map((key) => [key, current[key]])), [name]: taken });
      if ((await run.probe(refused)).status !== 409) continue;
      const before = await run.probe(readerOf(other));
      const moved = await run.probe(similar(prepared, { [name]: taken }, result));
      const [changed, unchanged] = [await run.probe(readerOf(thing)), await run.probe(readerOf(other))];
      // Who gives way has changed. What only waits for the value does not have it.
      const haveBoth = [changed, unchanged].every(({ json }) => Object(json)[name] === taken);
      if (!isSuccess(moved.status) || !haveBoth || unchanged.text !== before.text) continue;
      const free = similar(refused, { [name]: value });
      if (!isSuccess((await run.probe(free)).status)) continue;
      // A third one that has given way would leave the value free.
      await run.probe(similar(prepared, { [name]: value }, moved));
      if ((await run.probe(similar(free, { [name]: taken }))).status !== 409) continue;
      return {
        what: `accepts ${name} ${JSON.stringify(taken)}, which another resource has. ` +
          `${made.operation.name} with this value gets 409`,
        key: `takes ${name}`,
      };
    }
    return undefined;
  },
};

/** A change of one's own thing. */
interface Change {
  readonly thing: Known;
  /** A request that has made such a thing. */
  readonly made: Prepared;
  /** The properties that both requests may send. */
  readonly shared: readonly string[];
  /** The request by which its owner reads a thing. */
  readonly readerOf: (known: Known) => Prepared;
}

function changeOf({ operation, actor, prepared, operations, run }: Exchange): Change | undefined {
  const same = makerOfSame(operation, operations);
  const thing = prepared.usedInPath.at(-1);
  if (same === undefined || thing?.owner === undefined || thing.owner !== actor) return undefined;
  const { maker, collection, shared } = same;
  const reads = operations.find((other) => isReaderOf(other, [...collection, ":"]));
  const made = run.sent.findLast((sent) =>
    sent.prepared.operation === maker && sent.prepared.actor === actor && isSuccess(sent.status)
  )?.prepared;
  if (reads === undefined || made === undefined) return undefined;
  const path = prepared.path.split("/").slice(0, collection.length + 1).join("/");
  const readerOf = ({ value, owner }: Known): Prepared => ({
    ...prepared,
    operation: reads,
    actor: owner,
    headers: headersOf(run.actors, owner),
    path: `${path}/${encodeURIComponent(value)}`,
    query: "",
    body: undefined,
  });
  return { thing, made, shared, readerOf };
}

/** Another thing of the same kind, which has another value. */
function anotherWith({ run: { pool } }: Exchange, thing: Known, name: string, value: unknown): Known | undefined {
  return pool.all.findLast(({ key, kinds, value: id, owner, object }) =>
    ID.test(key) && kinds[0] === thing.kinds[0] && String(id) !== String(thing.value) && owner !== undefined &&
    ![undefined, value].includes(Object(object)[name])
  );
}
