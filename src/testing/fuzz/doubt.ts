import type { Call } from "./plan/call.ts";
import type { Send, Shown } from "./shorten.ts";

/**
 * Says whether a refusal is a rule of the business, which depends on what is there, and not one of the input.
 *
 * @param shown The refusal, and the fewest calls that show it.
 * @param replay Sends calls to a new app.
 * @returns `true` if the request has succeeded where something else was there.
 */
export async function dependsOnState({ calls, finding }: Shown, replay: Send): Promise<boolean> {
  const last = calls.at(-1);
  // Refused since the same was done before: taken, or one thing too much.
  if (calls.slice(0, -1).some(({ operation }) => operation === finding.operation)) return true;
  if (calls.length < 2 || last === undefined) return false;
  for (let count = 0; count < TRIES; count++) {
    const others: Call[] = [];
    for (const call of calls) others.push(call === last ? call : { ...call, values: await valuesFor(call) });
    const { sent } = await replay(others, () => false);
    if (sent.slice(-1).some(({ status }) => status >= 200 && status < 400)) return true;
  }
  return false;
}

/** How often something else is there. */
const TRIES = 6;

/** Other values of a call. */
async function valuesFor({ operation: { parts }, values }: Call): Promise<Call["values"]> {
  const others: { [part: string]: unknown } = { ...values };
  for (const part of parts) if (part.name !== "params") others[part.name] = await part.next();
  return others;
}
