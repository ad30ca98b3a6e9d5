import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, setup } from "../../../mod.ts";
import { createClient, UnexpectedResponse } from "../../../src/client/mod.ts";
import { denoSockets, socket } from "../../../src/sockets/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";

/** Hides the types of the arguments from the compiler, as JavaScript does. */
const untyped = socket as (declaration?: unknown) => unknown;

describe("socket()", () => {
  it("declares a response of an endpoint", () => {
    const declared = socket({ client: {}, server: { said: z.string() } });
    assertEquals(declared.description, "The connection becomes a WebSocket");
    assertEquals(socket({ client: {}, server: {}, description: "A chat" }).description, "A chat");
    endpoint.get("/", { responses: { 101: declared } });
  });

  it("rejects what is no declaration", () => {
    const rejected: readonly (readonly [unknown, string])[] = [
      [undefined, "Options of socket must be an object: received undefined"],
      [{ client: {} }, "Option server of socket must be an object of schemas by name: received undefined"],
      [{ client: undefined, server: {} }, 'Option "client" of socket is undefined'],
      [{ client: z.string(), server: {} }, "Option client of socket must be an object of schemas by name"],
      [{ client: {}, server: { said: undefined } }, "Message said of the server of socket must be a schema"],
      [
        { client: { say: "text" }, server: {} },
        "Message say of the client of socket must be a schema: received a string",
      ],
      [{ client: {}, server: {}, windows: 1 }, 'Option "windows" of socket is unknown: did you mean window?'],
      [{ client: {}, server: {}, window: 0 }, "Option window of socket must be a whole number from 1 to 1000000"],
    ];
    for (const [declaration, message] of rejected) assertThrows(() => untyped(declaration), TypeError, message);
  });

  it("is the response of an endpoint with the status 101, in no list, and for GET", () => {
    const chat = socket({ client: {}, server: {} });
    const get = endpoint.get as (path: string, options: object) => unknown;
    const on = endpoint.on as (method: string | readonly string[], path: string, options: object) => unknown;
    const use = endpoint.with as unknown as (scope: object) => unknown;
    const rule = "must not be a socket: write 101: socket({ client, server })";
    const rejected: readonly (readonly [() => unknown, string])[] = [
      [() => get("/", { responses: { 200: chat } }), `responses.200 of endpoint GET "/" ${rule}`],
      [() => get("/", { responses: { default: chat } }), `responses.default of endpoint GET "/" ${rule}`],
      [() => get("/", { responses: { 101: [chat] } }), `responses.101 of endpoint GET "/" ${rule}, without a list`],
      [() => use({ responses: { "1XX": chat } }), `responses.1XX of endpoint.with ${rule}`],
      [
        () => on("POST", "/", { responses: { 101: chat } }),
        'responses.101 of endpoint POST "/" must not be a socket: a handshake is a GET request',
      ],
      [
        () => setup({ handlers: [{ method: ["PUT", "POST"], path: "/", responses: { 101: chat } } as never] }),
        'responses.101 of route PUT,POST "/" must not be a socket: a handshake is a GET request',
      ],
    ];
    for (const [declare, message] of rejected) assertThrows(declare, TypeError, message);
    on("ALL", "/", { responses: { 101: chat } });
    on(["POST", "GET"], "/", { responses: { 101: chat } });
  });

  it("is not read by createClient()", async () => {
    const api = { chat: endpoint.get("/", { responses: { 101: socket({ client: {}, server: {} }), 426: {} } }) };
    const switching = Object.defineProperty(new Response(null), "status", { value: 101 });
    const client = createClient(api, { fetch: () => switching });
    await assertRejects(() => client.chat(), UnexpectedResponse);
  });
});

describe("the options of sockets", () => {
  it("are checked", () => {
    const options = { validator: standardSchema, onError: () => {} };
    const create = denoSockets as (options?: unknown) => unknown;
    const rejected: readonly (readonly [object | undefined, string])[] = [
      [undefined, "Options of denoSockets must be an object: received undefined"],
      [{ onError: () => {} }, "Option validator of denoSockets must be a validator, such as standardSchema"],
      [{ validator: standardSchema }, "Option onError of denoSockets must be a function"],
      [{ ...options, maxMessageByte: 1 }, 'Option "maxMessageByte" of denoSockets is unknown'],
      [{ ...options, maxMessageBytes: 0 }, "Option maxMessageBytes of denoSockets must be a whole number from 1"],
      [{ ...options, maxWaitingBytes: 0.5 }, "Option maxWaitingBytes of denoSockets must be a whole number from 1"],
      [{ ...options, maxUnsentBytes: -1 }, "Option maxUnsentBytes of denoSockets must be a whole number from 0"],
      [{ ...options, patience: 30_000 }, "Option patience of denoSockets must be a whole number from 1 to 900"],
      [{ ...options, heartbeat: "15" }, "must be a whole number from 1 to 900: received 15, a string"],
    ];
    for (const [given, message] of rejected) assertThrows(() => create(given), TypeError, message);
  });
});
