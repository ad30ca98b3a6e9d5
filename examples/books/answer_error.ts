import { Overloaded } from "../shared/queue.ts";
import { StoreUnavailable } from "./store_unavailable.ts";

/**
 * Responds with 503 if the store is unavailable or overloaded, otherwise with 500. Clients see no details: log the
 * error.
 */
export function answerError(error: unknown): Response {
  return error instanceof StoreUnavailable || error instanceof Overloaded
    ? replyUnavailable()
    : Response.json({ error: "Internal server error" }, { status: 500 });
}

export function replyUnavailable(): Response {
  return Response.json({ error: "Service unavailable" }, { status: 503, headers: { "retry-after": "1" } });
}
