import type { SignRequest, UserHeaders } from "../actors.ts";
import type { Prepared } from "../prepare.ts";
import { ORIGIN } from "../requests.ts";
import { isSuccess } from "../run.ts";
import type { KindOfResponse } from "./kind.ts";

/** A signature whose time is not looked at: whoever has seen a request can send it again for ever. */
export const acceptsAnOldSignature: KindOfResponse<"accepts an old signature"> = {
  kind: "accepts an old signature",
  meaning:
    "An actor signs a request together with the time, and the app accepts a request that was signed two days ago.",
  shownBy: "response",
  async judge({ actor, prepared, isOk, run }) {
    const sign = isOk ? run.actors.get(actor)?.sign : undefined;
    if (sign === undefined) return undefined;
    const unsigned = withoutSignature(prepared);
    const signNow = () => signed(unsigned, sign);
    const [now, old] = [await signNow(), await run.earlier(AGE, signNow)];
    if (!hasTime(now, old)) return undefined;
    const { status } = await run.probe(old);
    // Who needs no signature is let in with any.
    if (!isSuccess(status) || isSuccess((await run.probe(unsigned)).status)) return undefined;
    return { what: `responds with ${status} to a request of ${actor} that was signed two days ago` };
  },
};

/** Two days, in milliseconds: a sender may try again for a day. A literal, since bundlers keep a product. */
const AGE = 172_800_000;

function withoutSignature(prepared: Prepared): Prepared {
  const headers = new Headers(prepared.headers);
  for (const name of prepared.signed) headers.delete(name);
  return { ...prepared, headers };
}

async function signed(prepared: Prepared, sign: SignRequest): Promise<Prepared> {
  const { operation: { method }, path, query, headers, body } = prepared;
  const own: UserHeaders = await sign(
    new Request(ORIGIN + path + query, { method, headers, ...body !== undefined && { body } }),
  );
  return { ...prepared, headers: new Headers([...headers, ...new Headers(own)]) };
}

/** Whether the signatures have their times, by the clock of the app: in seconds or milliseconds. */
function hasTime(now: Prepared, old: Prepared): boolean {
  return now.signed.some((name) => {
    const [times, earlier] = [timesIn(now, name), timesIn(old, name)];
    return times.some((time, index) => [AGE, AGE / 1000].includes(time - Number(earlier[index])));
  });
}

function timesIn({ headers }: Prepared, name: string): readonly number[] {
  return Array.from(String(headers.get(name)).matchAll(/\d{10,13}/g), ([digits]) => Number(digits));
}
