import { headersOf } from "../actors.ts";
import type { Exchange } from "../exchange.ts";
import { ID } from "../names.ts";
import { decode, matches } from "../keep_values.ts";
import type { Operation } from "../operations.ts";
import { placeOf } from "../reader.ts";
import type { KindOfResponse } from "./kind.ts";

/** A `location` that is wrong. */
export const leadsNowhere: KindOfResponse<"leads nowhere"> = {
  kind: "leads nowhere",
  meaning:
    "The `Location` of a 201 leads to a GET endpoint that responds with 404 to every user. A GET with the id of the response finds the resource.",
  shownBy: "response",
  async judge(exchange) {
    const { operation, prepared, result: { status, headers }, past } = exchange;
    const location = headers.get("location");
    if (status !== 201 || location === null || operation.method !== "POST" || prepared.signed.length > 0) {
      return undefined;
    }
    // The first responses are enough: each location is asked for.
    if (Number(past.counts.get(201)) > MOST) return undefined;
    const path = placeOf(prepared, exchange.result);
    const reader = readerAt(path, exchange);
    if (reader === undefined) return undefined;
    if (!await isNotFound(exchange, reader, path)) return undefined;
    // What is not published yet is at its path, too.
    const others = placesOf(exchange).filter((place) => place !== path);
    for (const place of others) {
      const readerThere = readerAt(place, exchange);
      if (readerThere === undefined || await isNotFound(exchange, readerThere, place)) continue;
      return { what: `responds with location: ${location}, which is a 404`, details: [`The resource is at ${place}.`] };
    }
    return undefined;
  },
};

/** Whether a path is a 404 for everybody: who makes a thing for others may not be let in to it. */
async function isNotFound({ prepared, run }: Exchange, operation: Operation, path: string): Promise<boolean> {
  for (const actor of new Set([prepared.actor, ...run.actors.keys()])) {
    const read = { ...prepared, operation, actor, path, query: "", body: undefined };
    const { status } = await run.probe({ ...read, headers: headersOf(run.actors, actor) });
    if (status !== 404) return false;
  }
  return true;
}

/** Where the thing that a response shows would be by its ids. */
function placesOf({ prepared: { path }, result: { json } }: Exchange): readonly string[] {
  return Object.entries(Object(json)).filter(([key, value]) =>
    ID.test(key) && ["number", "string"].includes(typeof value)
  )
    .map(([, value]) => `${path}/${encodeURIComponent(String(value))}`);
}

/**
 * The GET endpoint that a path leads to. One that lacks the beginning of such an endpoint leads to none of the app: then
 * it is that endpoint, too.
 */
function readerAt(path: string, { operations }: Exchange): Operation | undefined {
  const parts = path.split("/").slice(1);
  if (parts.some((part) => decode(part) === undefined)) return undefined;
  const at = (segments: readonly string[]) => matches(segments, parts);
  const here = operations.filter(({ segments }) => at(segments));
  if (here.length > 0) return here.find(({ method }) => method === "GET");
  return operations.find(({ method, segments }) =>
    method === "GET" && segments.length > parts.length && !segments[0]?.startsWith(":") &&
    at(segments.slice(segments.length - parts.length)) && parts.length > 1
  );
}

/** How many responses of an endpoint are looked at. */
const MOST = 60;
