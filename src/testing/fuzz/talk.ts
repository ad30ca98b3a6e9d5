import type { Validator } from "../../core/input/validator.ts";
import { validateSent } from "../../core/responses/validate_sent.ts";
import { findExtraKey } from "../find_extra_key.ts";
import { standardValidator } from "../standard_validator.ts";
import type { FuzzSocketEvents, FuzzSockets } from "./app.ts";
import { SOCKET_BOUNDS } from "../../core/responses/declared_socket.ts";
import { switchingProtocols } from "../../core/responses/switching_protocols.ts";

/** The line of one request: it becomes a socket if the app accepts the handshake. */
export interface Line {
  /** The sockets, which the app gets. */
  readonly sockets: FuzzSockets;
  /** What happens to the socket, if the handshake was accepted. */
  readonly events: () => FuzzSocketEvents | undefined;
  /** Whether the app has used the sockets. */
  readonly isUsed: () => boolean;
}

/** What came over a socket. */
export interface Talk {
  /** The texts that the server has sent, without heartbeats. */
  readonly received: readonly string[];
  /** The code with which the server has closed; `undefined` if the client has. */
  readonly code: number | undefined;
}

/**
 * Creates the line of a request.
 *
 * @param errors Receives what handlers of the socket throw.
 * @returns The line.
 */
export function createLine(errors: unknown[]): Line {
  let accepted: FuzzSocketEvents | undefined;
  let isUsed = false;
  const onError = (error: unknown) => void errors.push(error);
  return {
    sockets: {
      get policy() {
        isUsed = true;
        return { ...SOCKET_BOUNDS, validator: VALIDATOR, onError, signal: undefined };
      },
      tellsUnsent: true,
      upgrade(_request, events) {
        accepted = events;
        return switchingProtocols();
      },
    },
    events: () => accepted,
    isUsed: () => isUsed,
  };
}

/** Standard Schemas validate themselves. What others accept, only the app knows. */
const VALIDATOR: Validator = {
  validate: (schema, input, part, route) =>
    standardValidator.accepts?.(schema, part) === true
      ? standardValidator.validate(schema, input, part, route)
      : { ok: true, value: input },
};

/**
 * Opens a socket, sends messages, and closes it when the server has nothing more to say.
 *
 * @param events What the server does at each event.
 * @param messages What the client sends.
 * @param isWindowed Whether the client acknowledges what it has read.
 * @returns What came back.
 */
export async function talk(
  events: FuzzSocketEvents,
  messages: readonly (string | Uint8Array)[],
  isWindowed: boolean,
): Promise<Talk> {
  const received: string[] = [];
  let code: number | undefined;
  let isOpen = true;
  const end = (by: number, reason: string) => {
    isOpen = false;
    code = by;
    // As on a network: the client agrees later.
    queueMicrotask(() => events.close(by, reason));
  };
  events.open({
    send(text) {
      if (isOpen && text !== "{}") received.push(text);
    },
    close: end,
    terminate: () => end(1006, ""),
    // Who sends without an end waits for a client that does not read on.
    unsent: () => received.length > MOST_RECEIVED ? Infinity : 0,
  });
  let acknowledged = 0;
  const acknowledge = () => {
    if (!isWindowed || !isOpen || received.length === acknowledged) return;
    acknowledged = received.length;
    events.message(`{"ack":${acknowledged}}`);
  };
  /** Until nothing more comes. */
  const listen = async () => {
    for (let turns = 0, before = -1; received.length > before && turns < MOST_TURNS; turns++) {
      before = received.length;
      await new Promise((resolve) => setTimeout(resolve, 0));
      acknowledge();
    }
  };
  for (const message of messages) {
    if (!isOpen) break;
    for (let step = 0; step < STEPS; step++) await undefined; // what needs no timer is done by then
    acknowledge();
    events.message(message);
  }
  await listen();
  if (isOpen) {
    isOpen = false;
    events.close(1000, "");
    await listen(); // what ends now may throw
  }
  return { received, code };
}

/** How many messages a client reads. */
const MOST_RECEIVED = 50;

/** How long a client listens. */
const MOST_TURNS = 20;

/** Steps of promises between two messages. */
const STEPS = 20;

/**
 * Checks that what the server has sent is declared.
 *
 * @param received The texts.
 * @param schemas The schemas of the messages of the server by name.
 * @param name The endpoint, as messages name it.
 * @returns The rule that is broken, if one is.
 */
export async function checkMessages(
  received: readonly string[],
  schemas: { readonly [name: string]: unknown },
  name: string,
): Promise<string | undefined> {
  for (const text of received) {
    const message: { readonly name?: string; readonly data?: unknown } = JSON.parse(text);
    const schema = schemas[`${message.name}`];
    const result = await validateSent(VALIDATOR, schema, message.data, { method: "GET", path: "" });
    const owner = `Message ${message.name} of ${name} must`;
    if (!result.ok) {
      const faults = result.issues.map(({ path, message }) => [...path, message].join(": "));
      return `${owner} fit its schema: ${faults.join("; ")}`;
    }
    const key = findExtraKey(message.data, result.value);
    if (key !== undefined) return `${owner} not have the key ${key.join(".")}: its schema does not have it`;
  }
  return undefined;
}
