/**
 * The error of a connection that the client does not open again: the server has closed it with a code that forbids
 * another attempt, or has denied the handshake. The message has no text of the server.
 *
 * @example A denied handshake
 * ```ts
 * import { SocketClosed } from "@fw/core/sockets";
 *
 * export async function explain(error: unknown): Promise<string> {
 *   if (!(error instanceof SocketClosed)) throw error;
 *   return error.response === undefined ? error.reason : await error.response.text();
 * }
 * ```
 */
export class SocketClosed extends Error {
  /** The name of the class. */
  override readonly name = "SocketClosed";
  /** The code of the close; 1006 if the handshake was denied. */
  declare readonly code: number;
  /** The reason of the close. */
  declare readonly reason: string;
  /** The response to a denied handshake; absent if the handshake was not denied. Its body is unread. */
  declare readonly response: Response | undefined;

  /**
   * Creates the error. `connect` calls this.
   *
   * @param code The code.
   * @param reason The reason.
   * @param response What the handshake is denied with.
   */
  constructor(code: number, reason: string, response?: Response) {
    super(
      response === undefined
        ? `The socket was closed with ${code}`
        : `The handshake was denied with ${response.status}`,
    );
    this.code = code;
    this.reason = reason;
    this.response = response;
  }
}
