import type { Exchange } from "../exchange.ts";
import { mutateId } from "../mutate.ts";
import { stemOf } from "../names.ts";
import { isLike, objectsIn } from "../objects.ts";
import type { Known } from "../pool.ts";
import { prepare } from "../prepare.ts";
import { isSuccess } from "../run.ts";
import type { KindOfResponse } from "./kind.ts";

/** A handler that finds a thing by its id alone. */
export const crossesOwners: KindOfResponse<"crosses owners"> = {
  kind: "crosses owners",
  meaning:
    "With `actors`, one user reads or changes data that another user has created, and `shared` lists neither the endpoint nor the user.",
  shownBy: "response",
  async judge(exchange) {
    if (!exchange.isOk || !exchange.isOwn) return undefined;
    return await byReference(exchange) ?? await byContents(exchange);
  },
};

/** Another's thing by its id in the request: the response is not that for an id of nothing, or the thing has changed. */
async function byReference(exchange: Exchange): Promise<{ readonly what: string } | undefined> {
  const { operation, call, prepared, result, run, foreign } = exchange;
  if (foreign === undefined) return undefined;
  const { known, reader, before } = foreign;
  const swap = { from: known.value, to: mutateId(known.value) };
  const control = await run.probe(await prepare(call, run.pool, run.actors, swap));
  // What comes over a socket depends on what came over others before.
  const isSame = control.status === result.status && (result.status === 101 ||
    control.text.replaceAll(String(swap.to), "") === result.text.replaceAll(String(swap.from), ""));
  // A response that is another one each time, such as a list that grows, says nothing of the id.
  const isStable = async () => {
    const again = await run.probe(prepared);
    return again.status !== result.status || again.text === result.text;
  };
  if (!isSame && (control.status !== result.status || operation.isSafe || await isStable())) {
    if (!operation.isSafe) return says(exchange, "changes", known);
    return await isOpen(exchange) ? undefined : says(exchange, "reads", known);
  }
  if (reader === undefined || before === undefined) return undefined;
  const after = await run.probe(reader);
  return after.status !== before.status || after.text !== before.text ? says(exchange, "changes", known) : undefined;
}

/** Another's thing in the response, if not everybody may read it. */
async function byContents(exchange: Exchange): Promise<{ readonly what: string } | undefined> {
  const { operation, actor, result, run, isPublic } = exchange;
  for (const object of objectsIn(result.json)) {
    // What is new is one's own, whatever it is equal to.
    if (object === result.json && result.status === 201) continue;
    const alike = run.pool.all.filter(({ key, value, kinds, owner, object: made }) =>
      owner !== undefined && object[key] === value && made !== undefined && isLike(made, object) &&
      !refersTo(kinds[0], key, object)
    );
    if (alike.some(({ owner, kinds }) => owner === actor || isPublic(kinds[0]))) continue;
    // What the same operation makes has an id of its own, even if that was the id of a thing that is gone.
    const leaked = alike.find(({ maker }) => maker !== operation);
    if (leaked !== undefined && !await isOpen(exchange)) return says(exchange, "reads", leaked);
  }
  return undefined;
}

/** Whether an object refers to a thing of this kind, as a visit does by `doctorId`: then it is none. */
function refersTo(kind: string | undefined, key: string, object: object): boolean {
  return Object.keys(object).some((name) => name !== key && stemOf(name) === kind);
}

function says({ actor }: Exchange, verb: string, { owner, maker }: Known): { readonly what: string } {
  return { what: `${actor} ${verb} what ${owner} has made by ${maker.name}` };
}

/** Whether anybody may send the request: the documentation demands no credentials, and it passes without. */
async function isOpen({ operation, prepared, run }: Exchange): Promise<boolean> {
  if (operation.security === "some" || !operation.isSafe) return false;
  const { status } = await run.probe({ ...prepared, actor: undefined, headers: new Headers() });
  return isSuccess(status);
}
