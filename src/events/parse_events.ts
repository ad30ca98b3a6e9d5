import type { ReceivedStream } from "../core/responses/responses.ts";
import { readLines } from "./read_lines.ts";

/** An event as it is received. */
export interface ParsedEvent {
  /** The name. */
  readonly event: string;
  /** The data, as text. */
  readonly data: string;
}

/** What a client knows of a stream beside its events. */
export interface StreamState {
  /** The id of the last event that had one. */
  lastEventId: string;
  /** The milliseconds after which the server wants to be called again. */
  retry: number | undefined;
  /** The method of the request. */
  readonly "~method": string;
  /** Whether an event or a comment has arrived. */
  "~isAlive"?: boolean;
}

/**
 * Parses server-sent events, as the HTML standard does.
 *
 * @param received The response.
 * @param state Where the last id and `retry` are kept.
 * @param maxLength The most characters of an event.
 * @yields Each event that has data.
 * @throws If an event is too long, and what {@linkcode readLines} throws.
 */
export async function* parseEvents(
  received: ReceivedStream,
  state: StreamState,
  maxLength: number,
): AsyncGenerator<ParsedEvent> {
  let event = "";
  let data: string | undefined;
  // The id of an event that is cut off does not count: the event has to be sent again.
  let id = state.lastEventId;
  for await (const line of readLines(received, maxLength, /\r\n|\n|\r/)) {
    // A comment as well, which is how servers say that they live. A `retry` alone says when to call again.
    if (line !== "" && !line.startsWith("retry")) state["~isAlive"] = true;
    if (line === "") {
      state.lastEventId = id;
      if (data !== undefined) yield { event: event || "message", data };
      event = "";
      data = undefined;
      continue;
    }
    // Not `split(":")`: a line may have nothing but colons, and none of them counts but the first.
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") event = value;
    else if (field === "data") data = data === undefined ? value : `${data}\n${value}`;
    else if (field === "id" && !value.includes("\0")) id = value;
    else if (field === "retry" && /^\d+$/.test(value)) state.retry = Number(value);
    if (data !== undefined && data.length > maxLength) throw received.unexpected();
  }
}
