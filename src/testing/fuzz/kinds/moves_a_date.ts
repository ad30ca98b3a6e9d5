import type { Exchange } from "../exchange.ts";
import { objectsIn } from "../objects.ts";
import type { Prepared } from "../prepare.ts";
import { placeOf, readerOf } from "../reader.ts";
import { isSuccess, type Result } from "../run.ts";
import { sentBy, similar } from "../similar.ts";
import type { KindOfResponse } from "./kind.ts";

/** A date that is read or written in another time zone. */
export const movesADate: KindOfResponse<"moves a date"> = {
  kind: "moves a date",
  meaning:
    "A POST, PUT or PATCH sends a date, and the response or the next GET has an earlier or later date under the same name. All dates move by the same time.",
  shownBy: "response",
  async judge(exchange) {
    const { operation: { isSafe, method }, prepared, isOk, result, run } = exchange;
    if (!isOk || isSafe || method === "DELETE" || prepared.isValid === false) {
      return undefined;
    }
    for (const name of Object.keys(sentBy(prepared))) {
      const moved = await moveOf(exchange, prepared, result, name);
      if (moved === undefined || moved.by === 0) continue;
      // What is rounded or bounded stays where it is. What makes way for another date does not do so years later.
      const again = similar(prepared, { [name]: moved.to }, result);
      const { by, result: next } = await moveOfProbe(exchange, again, name);
      const later = similar(again, { [name]: yearsLater(moved.from, run.sent.length) }, next);
      if (by !== moved.by || (await moveOfProbe(exchange, later, name)).by !== by) continue;
      return { what: `responds with ${name} ${moved.to}, but the request sent ${moved.from}`, key: `moves ${name}` };
    }
    return undefined;
  },
};

/** How a date has moved. */
interface Move {
  readonly from: string;
  readonly to: string;
  /** Milliseconds. */
  readonly by: number;
}

/** Sends another date. */
async function moveOfProbe(exchange: Exchange, prepared: Prepared, name: string) {
  const result = await exchange.run.probe(prepared);
  const moved = isSuccess(result.status) ? await moveOf(exchange, prepared, result, name) : undefined;
  return { by: moved?.by, result };
}

/** How a date has moved in the response; if it has not, in what a GET reads. `undefined` if it is in neither. */
async function moveOf(
  { operations, run }: Exchange,
  prepared: Prepared,
  result: Result,
  name: string,
): Promise<Move | undefined> {
  const sent = sentBy(prepared)[name];
  if (timeOf(sent) === undefined) return undefined;
  const shown = moveTo(sent, result.json, name);
  if (shown !== undefined && shown.by !== 0) return shown;
  const reader = readerOf(prepared, placeOf(prepared, result), operations);
  const read = reader && await run.probe(reader);
  return moveTo(sent, read?.json, name) ?? shown;
}

function moveTo(sent: unknown, json: unknown, name: string): Move | undefined {
  const from = timeOf(sent);
  const shown = objectsIn(json, DEPTH).find((object) => Object.hasOwn(object, name))?.[name];
  const to = timeOf(shown);
  if (from === undefined || to === undefined || from.isDay !== to.isDay) return undefined;
  return { from: String(sent), to: String(shown), by: to.time - from.time };
}

/** A thing, or an object around it. */
const DEPTH = 3;

/** The time of a text that says it in whole: a day, or an instant with its time zone. */
function timeOf(text: unknown): { readonly time: number; readonly isDay: boolean } | undefined {
  const isWhole = typeof text === "string" && WHOLE.test(text);
  const time = isWhole ? Date.parse(text) : NaN;
  return isWhole && !Number.isNaN(time) ? { time, isDay: text.length < 11 } : undefined;
}

const WHOLE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/;

/** Another number of years for each request: what a probe has taken is free for the next one. */
function yearsLater(text: string, count: number): string {
  return text.replace(/^\d{4}/, (year) => String(Number(year) + count).padStart(4, "0"));
}
