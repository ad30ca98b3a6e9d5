import type { Endpoint } from "../../core/declare/typed_endpoint.ts";
import type { Context } from "../../core/guards/context.ts";
import { findMessages } from "../../core/responses/declared_socket.ts";
import { onAbort } from "../../core/values/on_abort.ts";
import { createGenerator, type Tools } from "./generate.ts";

/** Accepts a handshake: `accept` of `@fw/core/sockets`. */
// Generic: TypeScript would else infer `never` for the sockets.
export type AcceptSocket<in Sockets> = <E extends never>(
  c: never,
  endpoint: E,
  sockets: Sockets,
  handlers: never,
) => Response;

/** `accept`, as the mock calls it. */
type UntypedAccept = (c: Context, endpoint: Endpoint, sockets: unknown, handlers: object) => Response;

/** What is used of a peer. */
interface Peer {
  send(name: string, data: unknown): Promise<void>;
  close(code: number, reason: string): void;
}

/** What is used of an invalid message. */
interface Invalid {
  readonly name?: string;
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** The socket of an endpoint. */
export interface PreparedSocket {
  /** Whether a request opens it by itself: a handshake, if there is `accept`. */
  opensFor(c: Context): boolean;
  /**
   * Opens it.
   *
   * @param c The context of the handshake.
   * @param sockets The sockets of the runtime.
   * @returns The response to the handshake.
   * @throws A `TypeError` if the request cannot open it.
   */
  open(c: Context, sockets: unknown): Response;
}

/**
 * Prepares the socket of an endpoint. It sends each message of the server when it opens, and again after each valid
 * message of the client. An invalid message closes the socket with 4000.
 *
 * @param endpoint The endpoint.
 * @param owner The endpoint, as messages name it.
 * @param accept Accepts the handshake, if it is given.
 * @param tools What values are generated with.
 * @returns The socket; `undefined` if the endpoint declares none.
 * @throws A `TypeError` if a message cannot be generated.
 */
export function prepareSocket(
  endpoint: Endpoint,
  owner: string,
  accept: AcceptSocket<never> | undefined,
  tools: Tools,
): PreparedSocket | undefined {
  const declared = findMessages(endpoint);
  if (declared === undefined) return undefined;
  const { client, server } = declared;
  const messages = accept === undefined
    ? []
    : Object.entries(server).map(([name, schema]) =>
      [name, createGenerator(schema, `message ${name} of ${owner}`, tools)] as const
    );
  /** Generates the messages that follow the handshake, or a message of the client. Those repeat its values. */
  const answer = async function* (c: Context, data?: unknown): AsyncGenerator<readonly [name: string, data: unknown]> {
    const sent = { ...c, raw: { ...c.raw, body: data }, input: { ok: true as const, body: data } };
    for (const [name, generate] of messages) yield [name, await generate(sent)];
  };
  const opensFor = ({ request }: Context) =>
    accept !== undefined && request.headers.get("upgrade")?.toLowerCase() === "websocket";

  return {
    opensFor,
    open(c, sockets) {
      if (!opensFor(c)) {
        throw new TypeError(
          `${owner} opens its socket for a handshake only, and only if mock has the option accept: ` +
            'import { accept } from "@fw/core/sockets"',
        );
      }
      const receive = async (data: unknown, peer: Peer) => {
        for await (const [name, made] of answer(c, data)) await peer.send(name, made);
      };
      return (accept as UntypedAccept)(c, endpoint, sockets, {
        async *send(ended: AbortSignal, message: (name: string, data: unknown) => unknown) {
          for await (const [name, made] of answer(c)) yield message(name, made);
          // The socket would close if there were nothing more to send.
          if (!ended.aborted) await new Promise<void>((resolve) => onAbort(ended, resolve));
        },
        receive: Object.fromEntries(Object.keys(client).map((name) => [name, receive])),
        invalid: (invalid: Invalid, peer: Peer) => peer.close(4000, reasonOf(invalid)),
      });
    },
  };
}

/** What is wrong with a message, in the 123 bytes that a close may have. */
function reasonOf({ name, issues: [issue] }: Invalid): string {
  const text = [name, ...issue?.path ?? [], issue?.message].filter((part) => part !== undefined).map(String).join(": ");
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(123)).read);
}
