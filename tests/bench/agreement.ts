import type { Case, Exchange } from "./cases.ts";
import type { Contender, Fetch } from "./contender.ts";

/** Where requests go. */
const ORIGIN = "http://localhost:8000";

/** What makes a request: the arguments of `new Request`. */
export type RequestArguments = [url: string, init?: RequestInit];

/** The arguments that make the request of an exchange. */
export function argumentsFor({ method, path, headers, body }: Exchange): RequestArguments {
  if (method === "GET" && headers === undefined) return [ORIGIN + path];
  return [ORIGIN + path, { method, ...(headers && { headers: { ...headers } }), ...(body && { body }) }];
}

/**
 * Asks every contender for every answer of a case: status and bytes, and that what is JSON says so.
 *
 * @param contenders All of them; those that stay out of the case are not asked.
 * @param of The case.
 * @throws If one answers anything else.
 */
export async function assertAgreement(contenders: readonly Contender[], of: Case): Promise<void> {
  for (const contender of contenders) {
    const fetch = contender.fetchFor(of);
    for (const exchange of fetch === undefined ? [] : of.exchanges) {
      const received = await ask(fetch, exchange);
      const expected = expectedOf(exchange);
      if (received === expected) continue;
      throw new Error(
        `${contender.name} answers ${exchange.method} ${exchange.path} with ${received}, not with ${expected}`,
      );
    }
  }
}

async function ask(fetch: Fetch | undefined, exchange: Exchange): Promise<string> {
  const response = await fetch?.(new Request(...argumentsFor(exchange)));
  const json = response?.headers.get("content-type")?.startsWith("application/json") ? "as JSON" : "as it is";
  return `${response?.status}, ${json}: ${await response?.text()}`;
}

function expectedOf({ answer }: Exchange): string {
  if (answer === undefined) return "404, as it is: ";
  return typeof answer === "string" ? `200, as it is: ${answer}` : `200, as JSON: ${JSON.stringify(answer)}`;
}
