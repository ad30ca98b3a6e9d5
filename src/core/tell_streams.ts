import type { UntypedHandler } from "./head.ts";
import { findResponse } from "./responses/media_type.ts";
import type { RouteResponses } from "./responses/responses.ts";
import { isResponse } from "./values/assert.ts";
import { andThen } from "./values/maybe_promise.ts";

/**
 * Tells each response of a handler how its stream is declared. `replyEvents` does not know the route, and so not which
 * data is text.
 *
 * @param resolve The handler.
 * @param responses What the route declares.
 * @returns A handler that returns the same responses; the handler itself if no stream wants to be told.
 */
export function tellStreams(resolve: UntypedHandler, responses: RouteResponses): UntypedHandler {
  if (!Object.values(responses).flat().some((declared) => declared["~stream"]?.sent !== undefined)) return resolve;
  return (c, ...extra) =>
    andThen(resolve(c, ...extra), (response) => {
      if (isResponse(response)) findResponse(responses, response)?.["~stream"]?.sent?.(response);
      return response;
    });
}
