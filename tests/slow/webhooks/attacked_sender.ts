/** Sends requests by `publicSender` to urls of an attacker, and prints what came of each: a program for all runtimes. */
import { publicSender, type Send } from "@fw/core/webhooks";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import process from "node:process";

/** Hosts that are this machine, or its network. */
const HOSTS = [
  ...["localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0", "①②⑦.⓪.⓪.①", "169.254.169.254", "10.0.0.1"],
  ...[
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[fd00:ec2::254]",
  ],
];

/** What a receiver does in place of a response, by path. */
const ATTACKS: Readonly<Record<string, (socket: Socket) => void>> = {
  "/redirect": (socket) => socket.end("HTTP/1.1 307 \r\nlocation: /target\r\ncontent-length: 0\r\n\r\n"),
  "/hints": (socket) => repeat(socket, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"),
  "/silent": () => {},
  "/headers": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    repeat(socket, "x-a: b\r\n");
  },
  "/body": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    repeat(socket, "x".repeat(10_000));
  },
  "/garbage": (socket) => socket.end("SSH-2.0-OpenSSH\r\n"),
  "/closed": (socket) => socket.destroy(),
};

function repeat(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.destroyed ? clearInterval(timer) : socket.write(text), 10);
}

const paths: string[] = [];
const server = createServer(({ url = "", socket }) => {
  paths.push(url);
  socket.on("error", () => {});
  ATTACKS[url]?.(socket);
});
server.listen(0, "127.0.0.1", async () => {
  const { port } = server.address() as AddressInfo;
  const outcomeOf = async (send: Send, url: string) => {
    const signal = AbortSignal.timeout(3000);
    const request = new Request(url, { method: "POST", body: "{}", redirect: "manual", signal });
    return await send(request).then(({ status }) => status, ({ name }: Error) => name);
  };
  const usual = publicSender({ http: true });
  const hosts = await Promise.all(HOSTS.map((host) => outcomeOf(usual, `http://${host}:${port}/`)));
  const reached = paths.splice(0);
  const resolved: string[] = [];
  const open = publicSender({ http: true, allow: (address) => resolved.push(address) > 0 });
  const attempts = Object.keys(ATTACKS).map(async (path) =>
    [path, await outcomeOf(open, `http://localhost:${port}${path}`)] as const
  );
  const outcomes = Object.fromEntries(await Promise.all(attempts));
  console.log(
    JSON.stringify({ hosts: [...new Set(hosts)], reached, outcomes, paths, resolved: [...new Set(resolved)] }),
  );
  process.exit(0);
});
