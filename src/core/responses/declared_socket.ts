import type { RouteResponses } from "./responses.ts";

/** What `socket` declares. */
export interface DeclaredMessages {
  /** The schemas of the messages of clients, by name. */
  readonly client: { readonly [name: string]: unknown };
  /** The schemas of the messages of the server, by name. */
  readonly server: { readonly [name: string]: unknown };
  /** How many messages the server sends ahead of what is acknowledged. */
  readonly window: number | undefined;
}

/**
 * Finds what an endpoint declares for the status 101.
 *
 * @param endpoint The endpoint.
 * @returns The messages; `undefined` if it declares no socket.
 */
export function findMessages({ responses }: { readonly responses?: RouteResponses | undefined }):
  | DeclaredMessages
  | undefined {
  const [declared] = [responses?.[101]].flat();
  const { isSocket, items } = declared?.["~stream"] ?? {};
  return isSocket ? Object(items) : undefined;
}

/** The bounds of a socket where options do not say others: bytes, and seconds. */
export const SOCKET_BOUNDS = {
  maxMessageBytes: 65_536,
  maxWaitingBytes: 262_144,
  maxUnsentBytes: 65_536,
  patience: 30,
  heartbeat: 15,
} as const;
