import { escapeToken } from "../core/schemas/json_pointer.ts";
import type { Change, Documents, Level } from "./change.ts";
import { reportAll } from "./compare_bodies.ts";
import { type Keywords, recordOf, schemasOf, shapeOf, targetOf, toJson } from "./keywords.ts";

/** A channel of an AsyncAPI document. */
interface Channel {
  readonly address: string;
  readonly at: string;
  /** What the server receives of clients, by name. */
  readonly request: ReadonlyMap<string, Message>;
  /** What the server sends, by name. */
  readonly response: ReadonlyMap<string, Message>;
}

/** A message of a channel. */
interface Message {
  readonly at: string;
  readonly payload: unknown;
}

/**
 * Compares the channels of two AsyncAPI documents of a server, and their messages.
 *
 * @param documents The documents.
 * @returns The changes.
 */
export function compareChannels(documents: Documents): readonly Change[] {
  const changes: Change[] = [];
  const [was, is] = [
    channelsOf(documents.before, documents.resolveBefore),
    channelsOf(documents.after, documents.resolveAfter),
  ];
  for (const [shape, old] of was) {
    const now = is.get(shape);
    const add = (level: Level, at: string, what: string) => changes.push({ level, operation: old.address, at, what });
    if (now === undefined) {
      add("breaking", old.at, "is removed");
      continue;
    }
    for (const side of ["request", "response"] as const) {
      for (const [name, { at, payload }] of old[side]) {
        const place = `message ${toJson(name)}`;
        const message = now[side].get(name);
        if (message === undefined) {
          if (side === "request") add("breaking", at, `${place}: is no longer received`);
          else add("risky", at, `${place}: is no longer sent`);
        } else {
          const found = documents[side].json.compare(schemasOf(payload), schemasOf(message.payload));
          reportAll(found, `${message.at}/payload`, place, add);
        }
      }
      for (const [name, { at }] of now[side]) {
        if (!old[side].has(name)) add("safe", at, `message ${toJson(name)}: is new`);
      }
    }
  }
  for (const [shape, { address, at }] of is) {
    if (!was.has(shape)) changes.push({ level: "safe", operation: address, at, what: "is new" });
  }
  return changes;
}

/** The channels by the shape of their address: the names of parameters do not matter. */
function channelsOf(document: Keywords, resolve: Documents["resolveBefore"]): ReadonlyMap<string, Channel> {
  const operations = new Map<Keywords, Keywords[]>();
  for (const value of Object.values(recordOf(document.operations))) {
    const operation = targetOf(value, resolve);
    const channel = targetOf(operation.channel, resolve);
    operations.set(channel, [...operations.get(channel) ?? [], operation]);
  }
  return new Map(
    Object.entries(recordOf(document.channels)).map(([key, value]) => {
      const channel = targetOf(value, resolve);
      const at = `/channels/${escapeToken(key)}`;
      const address = typeof channel.address === "string" ? channel.address : key;
      const messagesOf = (action: string) =>
        new Map(
          operations.get(channel)?.filter((operation) => operation.action === action).flatMap((operation) =>
            messagesIn(operation, channel, at, resolve)
          ),
        );
      const shape = shapeOf(address);
      return [shape, { address, at, request: messagesOf("receive"), response: messagesOf("send") }];
    }),
  );
}

/** The messages of a channel that an operation lists by references: all, if it lists none. */
function messagesIn(
  { messages }: Keywords,
  channel: Keywords,
  at: string,
  resolve: Documents["resolveBefore"],
): readonly (readonly [name: string, message: Message])[] {
  const listed = Array.isArray(messages) ? new Set(messages.map((message) => targetOf(message, resolve))) : undefined;
  return Object.entries(recordOf(channel.messages)).flatMap(([key, reference]) => {
    const message = targetOf(reference, resolve);
    if (listed?.has(message) === false) return [];
    const name = typeof message.name === "string" ? message.name : key;
    return [[name, { at: `${at}/messages/${escapeToken(key)}`, payload: message.payload }] as const];
  });
}
