import { EVENT_STREAM, isStreamType, mediaTypeOf } from "../core/responses/media_type.ts";
import { describeBody } from "../core/values/copy_response.ts";
import type { Outcome } from "./record_request.ts";

/**
 * Whether a body arrives over time, by its media type. No other body is followed: runtimes send texts and bytes faster
 * than a stream of them, and with `content-length`.
 *
 * @param response The response.
 * @returns Whether to follow it.
 */
export function isStreamed(response: Response): response is StreamedResponse {
  return isStreamType(String(response.headers.get("content-type"))) && response.body !== null;
}

/** A response with a body. */
export interface StreamedResponse extends Response {
  /** The body. */
  readonly body: NonNullable<Response["body"]>;
}

/**
 * Copies a response so that the end of its body is seen: it is complete, it breaks off, or the client leaves. It is not
 * an error if the client leaves a stream of events: such a stream may never end.
 *
 * @param response The response.
 * @param read Calls a function in the context of the request, so that what makes the body has it.
 * @param end Called once, when the body has ended.
 * @returns The copy.
 */
export function followBody(
  response: StreamedResponse,
  read: <Result>(run: () => Result) => Result,
  end: (outcome: Outcome) => void,
): Response {
  const { status } = response;
  const isEvents = mediaTypeOf(String(response.headers.get("content-type"))) === EVENT_STREAM;
  const reader = response.body.getReader();
  let hasEnded = false;
  /** Only the first call counts: a stream that is left while it waits also ends. */
  const endOnce = (failure?: Outcome["failure"]) => {
    if (!hasEnded) end({ status, failure });
    hasEnded = true;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await read(() => reader.read());
        if (!done) return controller.enqueue(value);
        controller.close();
        endOnce();
      } catch (error) {
        controller.error(error);
        endOnce({ error });
      }
    },
    async cancel(reason) {
      endOnce(isEvents ? undefined : { error: new DOMException("The client has left", "AbortError") });
      await read(() => reader.cancel(reason));
    },
  }, { highWaterMark: 0 });
  const copy = new Response(body, response);
  describeBody(response, copy.headers);
  return copy;
}
