import { connect, constants, type OutgoingHttpHeaders } from "node:http2";

/** What a stream has received: its status and its headers but for the date, or how it has failed. */
type Received = readonly [status: unknown, headers: readonly string[]] | string;

/** Requests a socket as a page, and as a handshake over HTTP/2 (RFC 8441). */
export async function requestTwice(origin: string): Promise<readonly Received[]> {
  return [
    await request(origin, { ":path": "/rooms/http2" }),
    await request(origin, {
      ":method": "CONNECT",
      ":protocol": "websocket",
      ":scheme": "http",
      ":path": "/rooms/http2",
      "sec-websocket-version": "13",
    }),
  ];
}

async function request(origin: string, sent: OutgoingHttpHeaders): Promise<Received> {
  const session = connect(origin);
  session.on("error", () => {});
  try {
    await new Promise((resolve) => session.once("remoteSettings", resolve));
    return await new Promise((resolve) => {
      let received: Received = "no response";
      const stream = session.request(sent);
      stream.on("response", ({ ":status": status, date: _, ...headers }) => received = [status, Object.keys(headers)]);
      stream.on("error", (error) => received = String(error));
      stream.on("close", () => resolve(stream.rstCode === constants.NGHTTP2_NO_ERROR ? received : `${received}`));
      stream.resume();
      stream.end();
    });
  } finally {
    session.destroy();
  }
}
