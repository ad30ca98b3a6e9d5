/** The class of `@std/http/server-sent-event-stream` that the examples use, for networks that reach npm but not JSR. */
import * as std from "npm:deno-std@1.4.0/http/server_sent_event_stream.js";

/** The fields of a message. */
export interface ServerSentEventMessage {
  readonly data?: string;
  readonly event?: string;
  readonly id?: string | number;
}
export const ServerSentEventStream: new () => TransformStream<ServerSentEventMessage, Uint8Array> =
  std.ServerSentEventStream;
