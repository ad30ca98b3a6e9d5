/** A response, as received from the network. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, decoded as Latin-1. */
  readonly body: string;
  /** The body. */
  readonly bytes: Uint8Array;
}

/** Sends a request target unchanged over a new connection. `fetch` would resolve its dot segments. */
export async function sendTarget(
  origin: string,
  target: string,
  { method = "GET", headers = "" }: { readonly method?: string; readonly headers?: string } = {},
): Promise<Answer> {
  const head = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;
  return read(await exchange(origin, head));
}

/** Sends bytes to a server, and reads until it closes the connection. */
async function exchange(origin: string, text: string): Promise<Uint8Array> {
  const { hostname, port } = new URL(origin);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(await connection.write(rest));
  return await new Response(connection.readable).bytes();
}

function read(bytes: Uint8Array): Answer {
  const text = new TextDecoder("latin1").decode(bytes);
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return {
    status: Number(statusLine.split(" ")[1]),
    headers,
    body: text.slice(end + 4),
    bytes: bytes.subarray(end + 4),
  };
}
