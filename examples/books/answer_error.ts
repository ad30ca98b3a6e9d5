import { Overloaded } from "../shared/queue.ts";
import { StoreUnavailable } from "./store_unavailable.ts";

/**
 * Answers a request that failed. The response says nothing about the cause, which is for the log.
 *
 * @param error What was thrown.
 * @returns A 503 if the store is unavailable or overloaded, otherwise a 500.
 */
export function answerError(error: unknown): Response {
  return error instanceof StoreUnavailable || error instanceof Overloaded
    ? unavailable()
    : Response.json({ error: "Internal server error" }, { status: 500 });
}

/** Tells clients and balancers to try again in a second. */
export function unavailable(): Response {
  return Response.json({ error: "Service unavailable" }, { status: 503, headers: { "retry-after": "1" } });
}
