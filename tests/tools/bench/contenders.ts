import type { Apps, Fetch } from "./application.ts";
import { type Case, type Exchange, ORIGIN } from "./cases.ts";
import { elysia } from "./contenders/elysia.ts";
import { h3 } from "./contenders/h3.ts";
import { hono } from "./contenders/hono.ts";
import { ittyRouter } from "./contenders/itty_router.ts";
import { checked, ours } from "./contenders/ours.ts";

/** Somebody who answers the cases. */
export interface Contender {
  readonly name: string;
  fetchFor(of: Case): Fetch;
}

/** All contenders: the bare handler, this framework, and its peers. */
export const CONTENDERS: readonly Contender[] = [
  { name: "bare", fetchFor: ({ bare }) => bare },
  framework("ours", ours),
  framework("Hono", hono),
  framework("Elysia", elysia),
  framework("h3", h3),
  framework("itty-router", ittyRouter),
];

/** This framework as it is by default. It is compared with itself only: no other one checks urls. */
export const CHECKED: Contender = framework("ours, urls checked", checked);

function framework(name: string, apps: Apps): Contender {
  return { name, fetchFor: ({ app }) => apps[app] };
}

/**
 * Makes a request. Without a body it is a plain object, which can be sent again: runtimes make the url and the headers of their
 * own requests when they are first read, at a cost that is not the framework's. These objects share their headers.
 */
export function createRequest({ path, init }: Exchange): Request {
  const request = new Request(ORIGIN + path, init);
  if (init.body !== undefined) return request;
  // A flat string, as servers give it. On Deno, the url of `new Request` is a rope, which is slower to read.
  const url: string = JSON.parse(JSON.stringify(request.url));
  return { method: request.method, url, headers: init.headers === undefined ? HEADERS : AUTHORIZED } as Request;
}

const HOST = { host: new URL(ORIGIN).host };
const HEADERS = new Headers(HOST);
const AUTHORIZED = new Headers({ ...HOST, authorization: "Bearer ada" });

/**
 * Sends a contender all requests of a case, and checks status, text and whether JSON is declared as JSON.
 *
 * @throws If an answer is not the expected one.
 */
export async function assertAgreement({ name, fetchFor }: Contender, of: Case): Promise<void> {
  const fetch = fetchFor(of);
  for (const exchange of of.exchanges) {
    const { path, init, answer } = exchange;
    const response = await fetch(createRequest(exchange));
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const received = `${response.status}${isJson ? " JSON" : ""} ${await response.text()}`;
    const expected = `${answer === undefined ? 404 : 200}${init.body === undefined ? "" : " JSON"} ${answer ?? ""}`;
    if (received !== expected) {
      throw new Error(`${name} answers ${init.method ?? "GET"} ${path} with "${received}": expected "${expected}"`);
    }
  }
}
