/** What `fuzz` finds behind a handshake. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { allow, type Context, deny, denyInvalid, endpoint, reply, route, setup } from "../../../mod.ts";
import { accept, handshake, socket, type SocketHandlers, type Sockets } from "../../../src/sockets/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, type FuzzOptions, type SignIn } from "../../../src/testing/mod.ts";

const said = z.object({ text: z.string(), length: z.int() });
const messages = {
  client: {
    say: z.object({ text: z.string().max(200), to: z.string().optional() }),
    rename: z.string().min(1).max(20),
    leave: z.undefined(),
  },
  server: { said, refused: z.array(z.string()), left: z.undefined() },
};
const chatOf = (window?: number) =>
  endpoint.get("/chat/:room", {
    request: { query: z.object({ after: z.coerce.number().int().min(0).optional() }) },
    responses: { 101: socket({ ...messages, window }), 400: {}, 401: {}, 403: {}, 426: {} },
  });
const chat = chatOf();

type Said = { readonly text: string; readonly length: number };
type Received = {
  readonly say: { text: string; to?: string | undefined };
  readonly rename: string;
  readonly leave: undefined;
};
type Sent = { readonly said: Said; readonly refused: string[]; readonly left: undefined };
type Handlers = SocketHandlers<Received, Sent>;

type Changes = Partial<Omit<Handlers, "receive">> & { readonly receive?: Partial<Handlers["receive"]> };

const handlers: Handlers = {
  receive: {
    say: async ({ text }, peer) => {
      await Promise.resolve();
      peer.send("said", { text, length: text.length });
    },
    rename: (name, peer) => peer.send("said", { text: name, length: name.length }),
    leave: (_, peer) => peer.close(),
  },
  invalid: ({ issues }, peer) => peer.send("refused", issues.map(({ message }) => message)),
};

const signedIn = ({ request: { headers } }: Context) => {
  const user = headers.get("authorization");
  return user === null ? deny(reply(401)) : allow({ user });
};
const actors = { ada: { authorization: "ada" }, bob: { authorization: "bob" } };

const create = (changes: Changes = {}, declared = chat) => () =>
  setup({
    validator: standardSchema,
    handlers: [
      route.on(declared, {
        guards: [signedIn, handshake({ origins: [] }), denyInvalid(() => reply(400))],
        resolve: (c, sockets: Sockets) =>
          accept(c, declared, sockets, {
            ...handlers,
            ...changes,
            receive: { ...handlers.receive, ...changes.receive },
          }),
      }),
    ],
  });

const look = (app: ReturnType<typeof create>, options: Partial<FuzzOptions> = {}) =>
  fuzz(app, { fc, runs: 6, actors, ...options });

describe("fuzz() of a socket", () => {
  it("finds nothing where nothing is wrong, and opens it", async () => {
    for (const seed of [1, 2]) {
      const faults = await look(create(), { seed });
      assertEquals([...faults], []);
      assert(Number(faults.reached?.["GET /chat/:room"]?.[101]) > 20);
    }
  });

  it("reports a handler that throws, with what was sent", async () => {
    const app = create({
      receive: {
        rename(name) {
          if (name.includes("%")) decodeURIComponent(name);
        },
      },
    });
    const [fault, ...others] = await look(app);
    assertEquals(others, []);
    assertEquals([fault?.kind, fault?.endpoint], ["fails", "GET /chat/:room"]);
    assertMatch(String(fault?.fault), /^GET \/chat\/:room: closes the socket with 1011: URIError: /);
    assertMatch(String(fault?.error), /^URIError: /);
    assertEquals(fault?.response?.status, 101);
    assertEquals(fault?.requests.length, 1);
    assertMatch(
      String(fault?.requests[0]),
      /^const socket = new WebSocket\("ws:\/\/localhost:8000\/chat\/[^"]*", \{ headers: \{ authorization: "<(ada|bob)>" \} \}\); socket\.onopen = \(\) => \{ socket\.send\("\{\\"name\\":\\"rename\\",\\"data\\":\\"[^"]*%[^"]*\\"\}"\) \} \/\/ /,
    );
  });

  it("reports a message whose data is not the declared one, and one with more keys", async () => {
    const wrong = create({ receive: { rename: (name, peer) => peer.send("said", { text: name, length: 0.5 }) } });
    assertEquals((await look(wrong)).map(({ kind, fault }) => [kind, fault]), [[
      "undeclared",
      "GET /chat/:room: message said must fit its schema: length: Invalid input: expected int, received number",
    ]]);
    const more: { text: string; length: number } = Object({ text: "", length: 0, secret: "s" });
    const leaking = create({ receive: { rename: (_, peer) => peer.send("said", more) } });
    assertEquals((await look(leaking)).map(({ fault }) => fault), [
      "GET /chat/:room: message said must not have the key secret: its schema does not have it",
    ]);
  });

  it("takes the text of a Date for one, in a message", async () => {
    const server = { tick: z.object({ at: z.date() }) };
    const clock = endpoint.get("/clock", {
      responses: { 101: socket({ client: { ask: z.string() }, server }), 400: {}, 403: {}, 426: {} },
    });
    const app = setup({
      validator: standardSchema,
      handlers: [route.on(clock, {
        guards: [handshake({ origins: [] })],
        resolve: (c, sockets: Sockets) =>
          accept(c, clock, sockets, {
            receive: { ask: (_, peer) => peer.send("tick", { at: new Date(0) }) },
            invalid: () => {},
          }),
      })],
    });
    assertEquals([...await fuzz(() => app, { fc, runs: 6 })], []);
  });

  it("takes it for no fault if a client that does not read is cut off, and signs users in", async () => {
    let cut = 0;
    const app = create({
      receive: {
        rename(name, peer) {
          for (let count = 0; count < 400; count++) peer.send("said", { text: name, length: count });
        },
      },
      closed: (code) => void (cut += Number(code === 1008)),
    });
    const signIn: SignIn = async (app) => {
      const { status } = await app.fetch(new Request("http://localhost/chat/1"));
      return { authorization: `user ${status}` };
    };
    assertEquals([...await look(app, { runs: 3, actors: { ada: signIn } })], []);
    assert(cut > 0);
  });

  it("reports a name that is not declared", async () => {
    const app = create({ receive: { rename: (_, peer) => peer.send("renamed" as "said", { text: "", length: 0 }) } });
    const [fault, ...others] = await look(app);
    assertEquals(others, []);
    assertMatch(String(fault?.fault), /closes the socket with 1011: TypeError: Message must have one of the declared/);
  });

  it("reports what fails at a message that is none, at a generator, and at the end", async () => {
    const careless = create({
      invalid: ({ name = "" }) => {
        if (name === "") throw new Error("What is this?");
      },
    });
    assertEquals((await look(careless)).map(({ fault }) => fault.replace(/ at .*/, "")), [
      "GET /chat/:room: closes the socket with 1011: Error: What is this?",
    ]);
    const generating = create({
      send() {
        throw new Error("Nothing to send");
      },
    });
    const [generated] = await look(generating);
    assertMatch(String(generated?.fault), /closes the socket with 1011: Error: Nothing to send/);
    assertMatch(String(generated?.requests[0]), /^const socket = new WebSocket\("[^"]*", \{[^}]*\} \}\) \/\/ /);
    for (
      const [code, sent] of [[1003, /socket\.send\(new Uint8Array\(\[0,255\]\)\)/], [
        1009,
        /"x"\.repeat\(65537\)/,
      ]] as const
    ) {
      const closed = (by: number) => {
        if (by === code) throw new Error("Not expected");
      };
      const [fault] = await look(create({ closed }), { runs: 24 });
      assertMatch(String(fault?.fault), /throws when the socket ends: Error: Not expected/);
      assertMatch(String(fault?.requests[0]), sent);
    }
  });

  it("reads what a generator sends without an end, and acknowledges it where there is a window", async () => {
    for (const declared of [chat, chatOf(4)]) {
      let longest = 0;
      const endless = create({
        *send(_signal, message) {
          for (let count = 0; count < 100_000; count++) {
            longest = Math.max(longest, count);
            yield message("said", { text: "tick", length: count });
          }
        },
      }, declared);
      assertEquals([...await look(endless, { runs: 2 })], []);
      assert(longest > 4 && longest < 1000, `${longest} messages`);
    }
  });

  it("reports a socket that opens for nobody, and one for another's thing", async () => {
    const declared = endpoint.get("/rooms/:id/live", {
      docs: { security: [{ key: [] }] },
      responses: {
        101: socket({ client: {}, server: { said: z.string() } }),
        400: {},
        401: {},
        403: {},
        404: {},
        426: {},
      },
    });
    const createRooms = (isOpen: boolean) => () => {
      const rooms = new Map<string, string>();
      return setup({
        validator: standardSchema,
        handlers: [
          route.post("/rooms", {
            responses: { 201: { schema: z.object({ id: z.string() }) }, 401: {} },
            guards: [signedIn],
            resolve: (c) => {
              const id = `room-${rooms.size}`;
              rooms.set(id, c.locals.user);
              return reply(201, { id });
            },
          }),
          route.on(declared, {
            guards: [isOpen ? () => allow({ user: "" }) : signedIn, handshake({ origins: [] })],
            resolve: (c, sockets: Sockets) => {
              const owner = rooms.get(c.raw.params.id);
              if (owner === undefined || !isOpen && owner !== c.locals.user) return reply(404);
              return accept(c, declared, sockets, { receive: {}, invalid() {} });
            },
          }),
        ],
      });
    };
    assertEquals([...await fuzz(createRooms(false), { fc, runs: 15, actors })], []);
    const faults = await fuzz(createRooms(true), { fc, runs: 15, actors });
    assertEquals(faults.map(({ kind }) => kind).toSorted(), ["crosses owners", "needs no credentials"]);
  });

  it("lets schemas of other libraries accept everything, and closes a socket whose response was replaced", async () => {
    const declared = endpoint.get("/any", {
      responses: {
        101: socket({ client: { say: (_value: unknown): _value is string => true }, server: {} }),
        400: {},
        403: {},
        426: {},
        429: {},
      },
    });
    let count = 0;
    let closed = 0;
    const createAny = () =>
      setup({
        validator: { ...standardSchema, accepts: () => true },
        onResponse: ({ response }) =>
          response.status === 101 && count++ % 2 === 0 ? new Response(null, { status: 403 }) : undefined,
        handlers: [
          route.on(declared, {
            guards: [handshake({ origins: [] })],
            resolve: (c, sockets: Sockets) =>
              accept(c, declared, sockets, {
                receive: { say() {} },
                invalid() {},
                closed: (code) => void (closed += Number(code === 1006)),
              }),
          }),
        ],
      });
    assertEquals([...await fuzz(createAny, { fc, runs: 2, toJsonSchema: () => ({ type: "string" }) })], []);
    assert(closed > 0);
  });

  it("reports a handler that throws before it accepts", async () => {
    const broken = () =>
      setup({
        validator: standardSchema,
        handlers: [
          route.on(chat, {
            guards: [signedIn, handshake({ origins: [] }), denyInvalid(() => reply(400))],
            resolve: (_, _sockets: Sockets) => {
              throw new TypeError("no room");
            },
          }),
        ],
      });
    const faults = await fuzz(broken, { fc, runs: 6, actors });
    assertEquals(faults.map(({ kind }) => kind), ["throws"]);
    assertMatch(faults[0]?.fault ?? "", /^GET \/chat\/:room: throws TypeError: no room/);
  });

  it("opens no socket of an app whose function takes one argument", async () => {
    const opened = () => {
      const { routes, fetch } = create()();
      return { routes, fetch: (request: Request) => fetch(request, undefined as never) };
    };
    const faults = await fuzz(opened, { fc, runs: 6, actors });
    assertEquals([...faults], []);
    assertEquals(faults.reached?.["GET /chat/:room"]?.["101"], 0);
    assert((faults.reached?.["GET /chat/:room"]?.["426"] ?? 0) > 0);
  });
});
