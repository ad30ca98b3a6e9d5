/** Connects as a client to the origin that is given, and prints what it has met as JSON. */
import process from "node:process";
import { connect, SocketClosed } from "../../../../src/sockets/mod.ts";
import { api } from "../../../support/sockets/app.ts";

// A client that waited for the end of the silence would not end in time.
const options = { baseUrl: process.argv[2] ?? "", pause: { first: 0.05, most: 0.1 }, silence: 3600 };

const numbers: number[] = [];
for await (const { data } of connect(api.flow, { ...options, params: { id: "client", count: 100 } })) {
  numbers.push(data.n);
}

let denial: unknown;
try {
  const denied = connect(api.room, { ...options, params: { id: "client" }, query: { token: "none" } });
  for await (const _ of denied);
} catch (error) {
  if (!(error instanceof SocketClosed)) throw error;
  denial = [error.code, error.response?.status, await error.response?.json()];
}

const texts: unknown[] = [];
const room = connect(api.room, { ...options, params: { id: "client" } });
const sending = setInterval(() => room.send("say", { text: "Größe" }) && clearInterval(sending), 10);
for await (const { name, data } of room) {
  texts.push([name, data]);
  room.close(4001, "bye");
}
console.log(JSON.stringify({ numbers: numbers.length, denial, texts }));
