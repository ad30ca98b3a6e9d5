/** `publicSender` on real sockets, by the modules of Node.js. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { createServer, type Server } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  getDefaultAutoSelectFamily,
  setDefaultAutoSelectFamily,
} from "node:net";
import { publicSender } from "../../src/webhooks/mod.ts";
import { FLAGS } from "../support/flags.ts";
import { granted } from "../support/granted.ts";

(granted("net") ? describe : describe.skip)("publicSender()", () => {
  let server: Server;
  let port = 0;
  const received: {
    readonly method?: string;
    readonly url?: string;
    readonly headers: object;
    readonly body: string;
  }[] = [];
  before(async () => {
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => body += chunk);
      request.on("end", () => {
        const { method, url, headers } = request;
        received.push({ method: method ?? "", url: url ?? "", headers, body });
        if (url === "/moved") response.writeHead(302, { location: "http://127.0.0.1/private" });
        if (url === "/busy") response.writeHead(503, { "retry-after": "7" });
        if (url === "/endless") response.write("x".repeat(100_000));
        else if (url === "/silent") return;
        else response.end("ok");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  after(() => {
    server.closeAllConnections?.();
    server.close();
  });

  const requestTo = (host: string, path = "/", init: RequestInit = {}) =>
    new Request(`http://${host}:${port}${path}`, { method: "POST", body: '{"a":"é"}', ...init });

  it("sends a request to an address that is allowed, whole", async () => {
    const seen: string[] = [];
    const allow = (address: string) => seen.push(address) > 0;
    const send = publicSender({ http: true, allow });
    const response = await send(requestTo("localhost", "/a?b=c", { headers: { "webhook-id": "m1" } }));
    assertEquals([response.status, response.body], [200, null]);
    const { method, url, headers, body } = received.at(-1) ?? { headers: {} };
    assertEquals([method, url, body], ["POST", "/a?b=c", '{"a":"é"}']);
    const { host, "webhook-id": id, "content-length": length }: { [name: string]: string } = { ...headers };
    assertEquals([host, id, length], [`localhost:${port}`, "m1", "10"]);
    assert(seen.includes("127.0.0.1"));
  });

  it("rejects a name that resolves to an address that is not public, and connects to nothing", async () => {
    const count = received.length;
    for (const host of ["localhost", "127.0.0.1", "127.1", "0x7f000001", "2130706433", "[::1]", "[::ffff:127.0.0.1]"]) {
      await assertRejects(
        () => publicSender({ http: true })(requestTo(host)),
        TypeError,
        "The host of a receiver resolves to an address that is not public",
      );
    }
    assertEquals(received.length, count);
  });

  it("rejects http unless it is allowed, and every other protocol", async () => {
    const send = publicSender();
    await assertRejects(() => send(requestTo("example.com")), TypeError, "must begin with https: only");
    const data = new Request("data:text/plain,x");
    await assertRejects(() => publicSender({ http: true })(data), TypeError, "must begin with https: or http:");
  });

  it("follows no redirect, and returns the status and the headers", async () => {
    const send = publicSender({ http: true, allow: () => true });
    const moved = await send(requestTo("127.0.0.1", "/moved"));
    assertEquals([moved.status, moved.headers.get("location")], [302, "http://127.0.0.1/private"]);
    const busy = await send(requestTo("127.0.0.1", "/busy"));
    assertEquals([busy.status, busy.headers.get("retry-after")], [503, "7"]);
    assertEquals(received.at(-1)?.url, "/busy");
  });

  it("connects to the first address where the runtime asks for one", async () => {
    const isSelecting = getDefaultAutoSelectFamily();
    setDefaultAutoSelectFamily(false);
    try {
      const send = publicSender({ http: true, allow: () => true });
      assertEquals((await send(requestTo("localhost"))).status, 200);
    } finally {
      setDefaultAutoSelectFamily(isSelecting);
    }
  });

  it("rejects a response whose status is none", async () => {
    const broken = createTcpServer((socket) => socket.end("HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n"));
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const { port } = broken.address() as AddressInfo;
    const send = publicSender({ http: true, allow: () => true });
    const request = new Request(`http://127.0.0.1:${port}/`, { method: "POST", body: "x" });
    await assertRejects(() => send(request), TypeError, "The receiver sent no valid status");
    broken.close();
  });

  it("rejects if the receiver changes the protocol", async () => {
    const broken = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
      });
    });
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const { port } = broken.address() as AddressInfo;
    const send = publicSender({ http: true, allow: () => true });
    const request = new Request(`http://127.0.0.1:${port}/`, { method: "POST", body: "x" });
    await assertRejects(() => send(request), TypeError, "The receiver closed the connection without a response");
    broken.close();
  });

  (granted("run") ? it : it.skip)("uses no proxy of the environment, which would connect to any address", async () => {
    const program = new URL("../support/send_publicly.ts", import.meta.url).pathname;
    const proxy = `http://127.0.0.1:${port}`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--allow-all", ...FLAGS, program, "http://localhost:1/"],
      env: { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
      stderr: "inherit",
    }).output();
    assertEquals(
      new TextDecoder().decode(stdout),
      "TypeError: The host of a receiver resolves to an address that is not public\n",
    );
  });

  it("does not wait for a body that does not end", async () => {
    const send = publicSender({ http: true, allow: () => true });
    assertEquals((await send(requestTo("127.0.0.1", "/endless"))).status, 200);
  });

  it("rejects if its signal is aborted, or if there is no connection", async () => {
    const send = publicSender({ http: true, allow: () => true });
    const ending = new AbortController();
    const sent = send(requestTo("127.0.0.1", "/silent", { signal: ending.signal }));
    setTimeout(() => ending.abort(), 50);
    await assertRejects(() => sent);
    await assertRejects(() => send(new Request("http://127.0.0.1:1/", { method: "POST" })));
    await assertRejects(() => send(new Request("http://name.invalid/", { method: "POST" })));
  });

  it("throws for options that are unknown or wrong", () => {
    assertThrows(
      () => publicSender({ allow: [] } as never),
      TypeError,
      "Option allow of publicSender must be a function",
    );
    assertThrows(() => publicSender({ http: 1 } as never), TypeError, "Option http of publicSender must be a boolean");
    assertThrows(() => publicSender({ allows: 1 } as never), TypeError, "did you mean allow?");
  });
});
