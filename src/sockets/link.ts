/** The parts of a `WebSocket` that `connect` uses. */
export interface ClientSocket {
  /** 1 if it is open. */
  readonly readyState: number;
  /** Sends a text. */
  send(text: string): void;
  /** Closes it. */
  close(code?: number, reason?: string): void;
  /** Listens to an event. */
  addEventListener(type: "open" | "message" | "close" | "error", listener: (event: ClientSocketEvent) => void): void;
}

/** The parts of a `WebSocket` event that `connect` reads. */
export interface ClientSocketEvent {
  /** Its type. */
  readonly type?: string;
  /** The message. */
  readonly data?: unknown;
  /** The code of a close. */
  readonly code?: number;
  /** The reason of a close. */
  readonly reason?: string;
}

/** One connection of a client. It yields the texts that arrive, until it is closed. */
export interface Link extends AsyncIterable<string> {
  /** Whether the handshake has succeeded. */
  readonly wasOpen: boolean;
  /** The code and the reason, once it is closed. */
  readonly closed: { readonly code: number; readonly reason: string } | undefined;
  /** Sends a text. Returns whether the connection is open. */
  send(text: string): boolean;
  /** Closes it. Texts that were not read are dropped. */
  close(code: number, reason: string): void;
}

/**
 * Reads a socket.
 *
 * @param socket The socket, which is about to open.
 * @param silence After how many seconds without anything it counts as broken.
 * @returns The connection.
 */
export function createLink(socket: ClientSocket, silence: number): Link {
  const texts: string[] = [];
  let wasOpen = false;
  let closed: Link["closed"];
  let wake: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const end = (code: number, reason: string) => {
    clearTimeout(timer);
    closed ??= { code, reason };
    wake?.();
  };
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      end(1006, "The server is silent");
      socket.close();
    }, silence * 1000);
  };
  listen();
  socket.addEventListener("open", () => {
    wasOpen = true;
    listen();
  });
  socket.addEventListener("message", ({ data }) => {
    if (closed !== undefined) return;
    listen();
    texts.push(`${data}`);
    wake?.();
  });
  socket.addEventListener("close", ({ code, reason = "" }) => {
    end(code || 1006, reason); // Deno says 0
  });
  // "close" follows, except after a handshake that has failed on Node.js 22.
  socket.addEventListener("error", () => {
    if (!wasOpen) end(1006, "");
  });

  return {
    get wasOpen() {
      return wasOpen;
    },
    get closed() {
      return closed;
    },
    send(text) {
      if (closed !== undefined || socket.readyState !== OPEN) return false;
      socket.send(text);
      return true;
    },
    close(code, reason) {
      texts.length = 0;
      if (closed !== undefined) return;
      end(code, reason);
      socket.close(code, reason);
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const text = texts.shift();
        if (text !== undefined) yield text;
        else if (closed !== undefined) return;
        else await new Promise<void>((resolve) => wake = resolve);
      }
    },
  };
}

const OPEN = 1;
