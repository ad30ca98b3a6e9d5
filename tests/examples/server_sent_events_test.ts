import { assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { createHub, encodeEvent, type HubOptions } from "../../examples/server_sent_events/hub.ts";
import { until } from "../support/until.ts";
import { granted, serve, type Served } from "./serve.ts";

(granted("net", "read", "run") ? describe : describe.skip)("examples/server_sent_events.ts", () => {
  let served: Served;
  before(async () => {
    served = await serve("examples/server_sent_events.ts");
  });
  after(() => served.stop());

  const subscribers = async (): Promise<number> => {
    const response = await fetch(`${served.origin}/subscribers`);
    return (await response.json()).subscribers;
  };
  const subscribersBecome = async (count: number): Promise<void> => {
    await until(async () => await subscribers() === count);
  };

  it("server_sent_events.ts answers with an event stream that must not be cached", async () => {
    const { status, headers, body } = await fetch(`${served.origin}/count`);
    await body?.cancel();
    assertEquals(status, 200);
    assertEquals([...headers.keys()].toSorted(), ["cache-control", "content-type", "date", "transfer-encoding"]);
    assertEquals([headers.get("content-type"), headers.get("cache-control")], ["text/event-stream", "no-store"]);
  });

  it("server_sent_events.ts counts from 1, and sends each event when it is due", async () => {
    assertMatch(await readEvents(2), /^data: ?1\nid: ?1\n\ndata: ?2\nid: ?2\n\n/);
    // When the first event arrives, the second has not been sent, unless this process has slept for as long.
    const alone = /^data: ?1\nid: ?1\n\n$/;
    let first = await readEvents(1);
    for (let attempt = 1; attempt < 10 && !alone.test(first); attempt++) first = await readEvents(1);
    assertMatch(first, alone);
  });

  it("server_sent_events.ts continues after the last event that the client received", async () => {
    const [once, late] = await Promise.all([readEvents(1, "41"), readEvents(1, "999999999999999")]);
    assertMatch(once, /^data: ?42\nid: ?42\n\n/);
    assertMatch(late, /^data: ?1000000000000000\nid: ?1000000000000000\n\n/);
  });

  it("server_sent_events.ts starts at 1 when the Last-Event-ID is not one of its own", async () => {
    const ids = ["", "-5", "1.5", "abc", "1e3", "Infinity", "9".repeat(16), "9".repeat(400), "1, 2", "0x10"];
    for (const text of await Promise.all(ids.map((id) => readEvents(1, id)))) {
      assertMatch(text, /^data: ?1\nid: ?1\n\n/);
    }
  });

  it("server_sent_events.ts stops counting for a client that disconnects", async () => {
    await subscribersBecome(0);
    const clients = [new AbortController(), new AbortController(), new AbortController()];
    const responses = await Promise.all(clients.map(({ signal }) => fetch(`${served.origin}/count`, { signal })));
    assertEquals(await subscribers(), 3);
    const [first, ...others] = clients;
    first?.abort();
    await subscribersBecome(2);
    for (const client of others) client.abort();
    await subscribersBecome(0);
    // Kept until here: a response that nothing refers to is closed when its memory is collected.
    assertEquals(responses.map(({ status }) => status), [200, 200, 200]);
  });

  it("server_sent_events.ts stops counting for a client that disconnects before it reads anything", async () => {
    const { hostname, port } = new URL(served.origin);
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(new TextEncoder().encode("GET /count HTTP/1.1\r\nHost: h\r\n\r\n"));
    await subscribersBecome(1);
    connection.close();
    await subscribersBecome(0);
  });

  it("server_sent_events.ts counts for each client separately", async () => {
    const [one, other] = await Promise.all([readEvents(1), readEvents(1, "6")]);
    assertMatch(one, /^data: ?1\n/);
    assertMatch(other, /^data: ?7\n/);
  });

  it("server_sent_events.ts sends the messages of others to all who have subscribed, each with an id", async () => {
    await subscribersBecome(0);
    const readers = await Promise.all([subscribe(), subscribe()]);
    await subscribersBecome(2);
    assertEquals(await send("Hello\nid: 7\revent: x\r\n\r\ndata: y"), 202);
    for (const { read, disconnect } of readers) {
      const lines = (await read("data: y\nid: ")).split("\n");
      assertEquals(lines.slice(0, 8), [
        "retry: 3000",
        "",
        "data: Hello",
        "data: id: 7",
        "data: event: x",
        "data: ",
        "data: data: y",
        lines[7],
      ]);
      assertMatch(lines[7] ?? "", /^id: [\da-f-]{36}\.\d+$/);
      await disconnect();
    }
    await subscribersBecome(0);
  });

  it("server_sent_events.ts sends a client that connects again what it has missed, and says so where that is not known", async () => {
    const first = await subscribe();
    await send("one");
    await first.read("data: one\nid: ");
    const id = /id: (\S+)\n/.exec(await first.read("\n\n"))?.[1] ?? "";
    await first.disconnect();
    await send("two");
    const again = await subscribe(id);
    const text = await again.read("data: two");
    assertEquals(text.includes("missed"), false);
    await again.disconnect();
    for (const unknown of ["", "7", "x".repeat(5000), id.replace(/\d+$/, "999"), id.replace(/^./, "x"), `${id}.0`]) {
      const other = await subscribe(unknown);
      assertMatch(await other.read("missed"), /^retry: 3000\n\nevent: missed\n/);
      await other.disconnect();
    }
    await subscribersBecome(0);
  });

  it("server_sent_events.ts accepts a message of 1 to 1000 characters", async () => {
    assertEquals(await Promise.all(["", "x".repeat(1001), "x".repeat(1000)].map(send)), [400, 400, 202]);
  });

  it("server_sent_events.ts answers 503 to a client that has too many streams, until it closes one", async () => {
    await subscribersBecome(0);
    const clients = await Promise.all(Array.from({ length: 100 }, () => subscribe()));
    for (const path of ["/events", "/count"]) {
      const refused = await fetch(served.origin + path);
      assertEquals([refused.status, await refused.json()], [503, { error: "Too many streams" }]);
      assertEquals(refused.headers.get("retry-after"), "5");
    }
    await Promise.all(clients.map(({ disconnect }) => disconnect()));
    await subscribersBecome(0);
    const next = await subscribe();
    await next.disconnect();
    await subscribersBecome(0);
  });

  it("server_sent_events.ts ends the streams on SIGTERM, and exits with 0", async () => {
    const stopped = await serve("examples/server_sent_events.ts");
    const bodies = await Promise.all(
      ["/count", "/events"].map(async (path) => (await fetch(stopped.origin + path)).body),
    );
    const stopping = stopped.stop();
    for (const body of bodies) await new Response(body).text();
    await stopping;
    assertEquals(await stopped.exitCode, 0);
  });

  /** Reads a stream until `count` events have arrived, and returns its text. */
  async function readEvents(count: number, lastEventId?: string): Promise<string> {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const { body } = await fetch(`${served.origin}/count`, { headers });
    let text = "";
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      if (text.split("\n\n").length > count) break;
    }
    return text;
  }

  async function send(text: string): Promise<number> {
    const response = await fetch(`${served.origin}/messages`, { method: "POST", body: JSON.stringify({ text }) });
    await response.body?.cancel();
    return response.status;
  }

  /** Subscribes, and reads until what has come contains a text. */
  async function subscribe(lastEventId?: string) {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const response = await fetch(`${served.origin}/events`, { headers });
    assertEquals([response.status, response.headers.get("content-type")], [200, "text/event-stream"]);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const read = async (part: string) => {
      while (!text.includes(part)) text += (await reader?.read())?.value ?? "";
      return text;
    };
    // Not by a signal: Deno's fetch may then keep the connection of a body that is piped.
    return { read, disconnect: () => reader?.cancel() };
  }
});

describe("createHub() of examples/server_sent_events/", () => {
  /** A hub whose streams have no heartbeat and no end within the test, unless it says otherwise. */
  function create(options: Partial<HubOptions> = {}) {
    const stopping = new AbortController();
    let ended = 0;
    const hub = createHub({ kept: 3, heartbeat: 60_000, maxAge: 60_000, stopping: stopping.signal, ...options });
    const subscribe = (lastEventId: string | null = null) => {
      const reader = hub.subscribe(lastEventId, () => ended++).pipeThrough(new TextDecoderStream()).getReader();
      return { read: async () => (await reader.read()).value, cancel: () => reader.cancel() };
    };
    return { hub, subscribe, stop: () => stopping.abort(), ended: () => ended };
  }
  const GREETING = "retry: 3000\n\n";

  it("createHub() ends the stream of a client that is too slow, which is told so when it connects again", async () => {
    const { hub, subscribe, stop, ended } = create();
    const [slow, fast] = [subscribe(), subscribe()];
    assertEquals([await slow.read(), await fast.read()], [GREETING, GREETING]);
    hub.publish("1");
    const id = /id: (.*)/.exec(await fast.read() ?? "")?.[1] ?? "";
    for (const data of ["2", "3", "4", "5", "6", "7"]) {
      hub.publish(data);
      assertMatch(await fast.read() ?? "", new RegExp(`^data: ${data}\n`));
    }
    // What the stream had taken before comes first.
    const rest: (string | undefined)[] = [];
    do rest.push(await slow.read()); while (rest.at(-1) !== undefined);
    assertEquals([rest.length <= 3, ended()], [true, 1]);
    const again = subscribe(id);
    assertEquals(await again.read(), `${GREETING}event: missed\ndata:\n\n`);
    hub.publish("8");
    assertMatch(await again.read() ?? "", /^data: 8\n/);
    stop();
  });

  it("createHub() sends a comment while there is no event", async () => {
    const { subscribe, stop } = create({ heartbeat: 1 });
    const { read } = subscribe();
    assertEquals([await read(), await read(), await read()], [GREETING, ":\n\n", ":\n\n"]);
    stop();
  });

  it("createHub() ends a stream at its age, when the client goes away and when the server stops", async () => {
    const old = create({ maxAge: 1 });
    const { read } = old.subscribe();
    while (await read() !== undefined);
    assertEquals(old.ended(), 1);

    const { subscribe, stop, ended } = create();
    const [gone, other] = [subscribe(), subscribe()];
    await gone.read();
    await gone.cancel();
    assertEquals(ended(), 1);
    stop();
    while (await other.read() !== undefined);
    assertEquals(ended(), 2);
    const late = subscribe();
    while (await late.read() !== undefined);
    assertEquals(ended(), 3);
  });

  it("encodeEvent() lets no line of the data pass for another field", () => {
    const text = (data: string) => new TextDecoder().decode(encodeEvent({ data, id: "1" }));
    for (const lineBreak of ["\n", "\r", "\r\n"]) {
      assertEquals(
        text(`a${lineBreak}id: 2${lineBreak}${lineBreak}data: b`),
        "data: a\ndata: id: 2\ndata: \ndata: data: b\nid: 1\n\n",
      );
    }
  });
});
