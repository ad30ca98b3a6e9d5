import type { Exchange } from "./exchange.ts";
import type { Saves } from "./past.ts";
import { isOfSame } from "./pool.ts";
import { keyOfShown } from "./shown.ts";
import { sentBy } from "./similar.ts";

/**
 * Notes what the response to a request has of the properties that the request has sent.
 *
 * @param saves What is known of the endpoint.
 * @param exchange The request and its response.
 */
export function noteSaves(saves: Map<string, Saves>, exchange: Exchange): void {
  const { operation: { method, isSafe }, prepared, isOk, result } = exchange;
  const shown = Object(result.json);
  if (!isOk || isSafe || prepared.isValid === false || Array.isArray(shown)) return;
  const body = sentBy(prepared);
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(shown, name) || CONVERTS.test(name)) continue;
    const [sent, answer] = [textFor(value), textFor(shown[name])];
    const before = method === "POST" ? undefined : valueBefore(exchange, name);
    if (method !== "POST" && (before === undefined || sent === before)) continue;
    const known = saves.get(name) ??
      { ignored: 0, sent: new Set(), answers: new Set(), hasChanged: false, first: undefined };
    saves.set(name, known);
    if (method === "POST") known.answers.add(answer);
    const isElsewhere = isShownElsewhere(name, value, body, shown);
    if (isElsewhere || isOther(value, shown[name]) || before !== undefined && answer !== before) {
      known.hasChanged = true;
    }
    if (sent === answer) continue;
    known.ignored++;
    known.sent.add(sent);
    known.first ??= { sent: String(JSON.stringify(value)), request: prepared, result };
  }
}

/** Names of what another property is converted from: the response has it in the unit of the app. */
const CONVERTS = /currency|unit/i;

/** A JSON object. */
type Body = { readonly [name: string]: unknown };

/** Whether a text is shown under another name: an address that waits to be confirmed. */
function isShownElsewhere(name: string, value: unknown, body: Body, shown: Body): boolean {
  return typeof value === "string" && value.length > 3 &&
    Object.keys(shown).some((other) => other !== name && shown[other] === value && body[other] !== value);
}

/** Whether a response has something else under a name: the number of tags in place of them. */
function isOther(sent: unknown, shown: unknown): boolean {
  return shown !== null && sent !== null && typeof sent !== typeof shown;
}

/** What a property was before, as JSON, as far as an earlier response has it. */
function valueBefore({ prepared, shown, run }: Exchange, name: string): string | undefined {
  const last = prepared.usedInPath.at(-1);
  const objects = run.pool.all.filter((one) => last !== undefined && isOfSame(one, last)).map(({ object }) => object);
  const read = shown.get(keyOfShown(prepared))?.json;
  const found = [...objects, read].findLast((object) => Object.hasOwn(Object(object), name));
  return found === undefined ? undefined : textFor(Object(found)[name]);
}

/** A value as JSON; a date as its time, since it may be written in several ways. */
function textFor(value: unknown): string {
  const time = typeof value === "string" && /^\d{4}-\d\d-\d\d[T ]/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? String(JSON.stringify(value)) : String(time);
}
