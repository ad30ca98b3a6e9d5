import { SOCKET_BOUNDS } from "../../core/responses/declared_socket.ts";
import type { MessageData, Operation } from "./operations.ts";
import { link } from "./link.ts";
import type { Pool } from "./pool.ts";
import type { Random } from "./random.ts";
import type { Edge } from "./edges.ts";
import { NoJson } from "./requests.ts";

/** A message that a client sends, before it is written. */
export class Message {
  /** The declared name. */
  readonly name: string;
  /** The data. */
  readonly data: unknown;
  /** What is sent in place of a message. */
  readonly raw: string | Uint8Array | undefined;
  /**
   * @param name The declared name.
   * @param data The data.
   * @param raw What is sent in place of a message.
   */
  constructor(name: string, data: unknown, raw?: string | Uint8Array) {
    this.name = name;
    this.data = data;
    this.raw = raw;
  }
}

/** What messages are made for. */
export interface MessageWish {
  /** Some of what is sent is not valid: some messages, or one part of a call. */
  readonly isWrong?: boolean;
  /** Each free text is this one. */
  readonly text?: string | undefined;
  /** Each value is at an end of what is valid. */
  readonly edge?: Edge | undefined;
}

/**
 * Plans what a client sends over a socket.
 *
 * @param declared The data of the messages of clients by name.
 * @param wish What the messages are made for.
 * @param random Chooses.
 * @returns The messages, in order.
 */
export async function nextMessages(
  declared: ReadonlyMap<string, MessageData>,
  { isWrong = false, text, edge }: MessageWish,
  random: Random,
): Promise<readonly Message[]> {
  const names = [...declared.keys()];
  const isEach = text !== undefined || edge !== undefined;
  const messages: Message[] = [];
  const count = isEach ? names.length : Math.floor(random.next() * 5);
  for (let index = 0; index < count; index++) {
    const name = isEach ? names[index] : random.of(names);
    if (name === undefined) break;
    if (isWrong && random.chance(0.4)) {
      messages.push(new Message(name, undefined, hostile(name, random)));
      continue;
    }
    const data = declared.get(name);
    const value = text !== undefined
      ? await data?.nextWith(text)
      : edge !== undefined
      ? await data?.nextAt(edge)
      : await (isWrong && random.chance(0.5) ? data?.nextWrong() : data?.next());
    const message = new Message(name, value);
    messages.push(message);
    if (random.chance(0.15)) messages.push(message); // what is sent twice
  }
  if (isWrong && names.length === 0) messages.push(new Message("", undefined, hostile("none", random)));
  return messages;
}

/** What is no message, or none that is declared. */
function hostile(name: string, random: Random): string | Uint8Array | undefined {
  // What no runtime passes on.
  if (random.chance(0.25)) return random.of([new Uint8Array([0, 255]), "x".repeat(SOCKET_BOUNDS.maxMessageBytes + 1)]);
  const quoted = JSON.stringify(name);
  return random.of([
    "",
    "{",
    "null",
    "7",
    "[]",
    "{}",
    '{"name":7}',
    '{"name":"__proto__","data":{}}',
    '{"name":"constructor"}',
    '{"name":"toString","data":""}',
    '{"name":"not declared","data":"text"}',
    `{"name":${quoted}}`,
    `{"name":${quoted},"data":null}`,
    `{"name":${quoted},"data":{"__proto__":{"isAdmin":true}}}`,
    `{"__proto__":{"name":${quoted}}}`,
    '{"ack":999}',
  ]);
}

/**
 * Writes messages as they are sent.
 *
 * @param messages The messages.
 * @param operation The operation.
 * @param pool The values of earlier responses.
 * @param random Chooses.
 * @returns The texts, and bytes.
 */
export function writeMessages(
  messages: readonly Message[],
  operation: Operation,
  pool: Pool,
  random: Random,
): readonly (string | Uint8Array)[] {
  return messages.map(({ name, data, raw }) => {
    if (raw !== undefined) return raw;
    if (data instanceof NoJson) return data.text;
    const part = operation.messages?.client.get(name);
    const linked = part === undefined ? data : link(part, data, { operation }, pool, random, []).value;
    return JSON.stringify({ name, data: linked });
  });
}
