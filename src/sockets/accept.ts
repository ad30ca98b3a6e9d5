import type { AnswersAt, Endpoint } from "../core/declare/typed_endpoint.ts";
import type { Context } from "../core/guards/context.ts";
import type { AnyAnswer, Reply } from "../core/responses/reply_type.ts";
import { describeRoute, isRecord, requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import type { SocketHandlers } from "./handlers.ts";
import type { Handshake } from "./handshake.ts";
import type { Sockets } from "./runtime.ts";
import { createSession, type UntypedHandlers } from "./session.ts";
import { messagesOf, type SocketAt, type WithSocket } from "./socket.ts";

/**
 * What {@linkcode accept} returns.
 *
 * @typeParam E The endpoint.
 */
export type SocketReply<E> = Reply<Extract<AnswersAt<E>, { readonly status: 101 }> & AnyAnswer>;

/**
 * Accepts the handshake of a socket. It compiles only behind the guard `handshake`, and only with a function for each
 * declared message.
 *
 * - A message waits until the previous one is handled. The limits come from the options of `sockets`.
 * - If a handler throws, `onError` of `sockets` receives the error, and the socket closes with 1011. The response has
 *   been sent, so it does not go to `onError` of `setup`.
 * - Headers that guards and hooks add are not sent with the status 101.
 *
 * @typeParam E The endpoint.
 * @param c The context.
 * @param endpoint The endpoint, which declares `101: socket({ client, server })`.
 * @param sockets The sockets of the runtime: an extra argument of `app.fetch`.
 * @param handlers What to do with the socket.
 * @returns The response, for the handler to return.
 * @throws A `TypeError` if the endpoint declares no socket, if a handler is missing or unknown, if the validator does
 * not accept a schema, or if the socket needs a `window` on this runtime.
 *
 * @example A chat
 * ```ts
 * import { endpoint, route, setup } from "@fw/core";
 * import { eventLog } from "@fw/core/memory";
 * import { accept, handshake, socket, type Sockets } from "@fw/core/sockets";
 * import { z } from "zod";
 *
 * const text = z.string().trim().min(1).max(500);
 * const api = {
 *   chat: endpoint.get("/chat", {
 *     responses: {
 *       101: socket({ client: { say: text }, server: { said: text, refused: z.array(z.string()) } }),
 *       400: {},
 *       403: {},
 *       426: {},
 *     },
 *   }),
 * };
 *
 * const log = eventLog<string>({ keep: 1000 });
 *
 * const chat = route.on(api.chat, {
 *   guards: [handshake({ origins: [] })],
 *   resolve: (c, sockets: Sockets) =>
 *     accept(c, api.chat, sockets, {
 *       async *send(signal, message) {
 *         for await (const [id, said = "Some messages are lost"] of log.read(null, signal)) {
 *           yield message("said", said, { id });
 *         }
 *       },
 *       receive: {
 *         say: async (said) => void await log.append(said),
 *       },
 *       invalid: ({ issues }, peer) => peer.send("refused", issues.map((issue) => issue.message)),
 *     }),
 * });
 *
 * // Deno.serve((request) => app.fetch(request, denoSockets({ … })))
 * export const app = setup({ endpoints: api, handlers: [chat] });
 * ```
 */
export function accept<E extends Endpoint>(
  c: Context<Handshake>,
  endpoint: E & WithSocket<E>,
  sockets: Sockets,
  handlers: SocketHandlers<SocketAt<E>["received"], SocketAt<E>["server"]>,
): SocketReply<E>;
// `extends never`: with wider types, TypeScript would say at each mistake that the call fits this signature (TS2793).
export function accept<Any extends never>(c: Context, endpoint: Any, sockets: Sockets, handlers: Any): Response {
  return acceptUntyped(c, endpoint, sockets, handlers);
}

function acceptUntyped(c: Context, endpoint: Endpoint, sockets: Sockets, handlers: UntypedHandlers): Response {
  const messages = messagesOf(endpoint);
  const owner = `accept for ${describeRoute(endpoint)}`;
  const isGiven = isRecord(sockets) && isRecord(sockets.policy);
  requireThat(isGiven, `Sockets of ${owner}`, "those of the runtime, which app.fetch passes on", sockets);
  requireOptions(handlers, owner, ["receive", "invalid"], ["send", "closed"]);
  requireFunction(`Option invalid of ${owner}`, handlers.invalid);
  const names = Object.keys(messages.client);
  requireOptions(handlers.receive, `receive of ${owner}`, names, []);
  for (const name of names) {
    requireFunction(
      `Option receive.${name} of ${owner}`,
      Object.hasOwn(handlers.receive, name) && handlers.receive[name],
    );
    const isAccepted = sockets.policy.validator.accepts?.(messages.client[name], "body") !== false;
    requireThat(isAccepted, `Message ${name} of ${owner}`, "one the validator accepts", messages.client[name]);
  }
  if (!sockets.tellsUnsent && messages.window === undefined) {
    throw new TypeError(`This runtime does not tell what a client has read: give socket() of ${owner} a window`);
  }
  return sockets.upgrade(c.request, createSession(sockets.policy, messages, handlers, c.route));
}
