/** Watches whether a client still answers. */
export interface Watch {
  /** The client has sent something. */
  isAlive(): void;
  /** Ends the watch. */
  end(): void;
}

/**
 * Pings a client, and ends its connection if it has sent nothing since the ping before.
 *
 * @param socket The socket.
 * @param patience After how many seconds a client is cut off: there are two pings in this time.
 * @returns The watch.
 */
export function watchClient(socket: { ping(): unknown; terminate(): void }, patience: number): Watch {
  let hasAnswered = true;
  const timer = setInterval(() => {
    if (!hasAnswered) return socket.terminate();
    hasAnswered = false;
    socket.ping();
  }, patience * 500);
  return {
    isAlive() {
      hasAnswered = true;
    },
    end() {
      clearInterval(timer);
    },
  };
}
