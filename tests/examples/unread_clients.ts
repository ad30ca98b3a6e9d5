import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from "node:http2";
import { connect as connectTcp } from "node:net";

/** HTTP/2 clients that read no byte of any body: their window is zero. Each has a connection of its own. */
export class UnreadClients implements Disposable {
  readonly #sessions: ClientHttp2Session[] = [];
  readonly #origin: string;
  readonly #address: string;

  /** The address is that of the clients, on the loopback interface. */
  constructor(origin: string, address = "127.0.0.1") {
    this.#origin = origin;
    this.#address = address;
  }

  /** Requests a file many times, client by client, each with several requests at once. Counts the statuses. */
  async ask(
    path: string,
    clients: number,
    each: number,
    { atOnce = each, headers = {} }: { readonly atOnce?: number; readonly headers?: OutgoingHttpHeaders } = {},
  ): Promise<ReadonlyMap<string, number>> {
    const heads: string[] = [];
    for (let client = 0; client < clients; client++) {
      const session = this.#connect();
      for (let asked = 0; asked < each; asked += atOnce) {
        heads.push(...await Promise.all(Array.from({ length: atOnce }, () => readHead(session, path, headers))));
      }
    }
    return count(heads);
  }

  /** Requests a file many times, with all clients at once. Counts the statuses. */
  async askAtOnce(path: string, clients: number, each: number): Promise<ReadonlyMap<string, number>> {
    const sessions = Array.from({ length: clients }, () => this.#connect());
    const requests = sessions.flatMap((session) => Array.from({ length: each }, () => readHead(session, path)));
    return count(await Promise.all(requests));
  }

  #connect(): ClientHttp2Session {
    const { hostname: host, port } = new URL(this.#origin);
    const session = connect(this.#origin, {
      settings: { initialWindowSize: 0 },
      createConnection: () => connectTcp({ host, port: Number(port), localAddress: this.#address }),
    });
    session.on("error", () => {});
    this.#sessions.push(session);
    return session;
  }

  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.destroy();
  }
}

function count(heads: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const head of heads) counts.set(head, (counts.get(head) ?? 0) + 1);
  return counts;
}

/** Returns the status, and what `Retry-After` says. */
function readHead(session: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = session.request({ ":path": path, ...headers });
    request.on("error", reject);
    request.on("response", (headers) => {
      const after = headers["retry-after"];
      resolve(`${headers[":status"]}${after === undefined ? "" : ` after ${after}`}`);
    });
  });
}
