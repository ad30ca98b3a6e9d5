import { assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { until } from "../until.ts";
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

  it("answers with an event stream that must not be cached", async () => {
    const { status, headers, body } = await fetch(`${served.origin}/count`);
    await body?.cancel();
    assertEquals(status, 200);
    assertEquals([...headers.keys()].toSorted(), ["cache-control", "content-type", "date", "transfer-encoding"]);
    assertEquals([headers.get("content-type"), headers.get("cache-control")], ["text/event-stream", "no-store"]);
  });

  it("counts from 1, and sends each event when it is due", async () => {
    // When the first event arrives, the second has not been sent.
    assertMatch(await readEvents(1), /^data: ?1\nid: ?1\n\n$/);
    assertMatch(await readEvents(2), /^data: ?1\nid: ?1\n\ndata: ?2\nid: ?2\n\n$/);
  });

  it("continues after the last event that the client received", async () => {
    const [once, late] = await Promise.all([readEvents(1, "41"), readEvents(1, "999999999999999")]);
    assertMatch(once, /^data: ?42\nid: ?42\n\n$/);
    assertMatch(late, /^data: ?1000000000000000\nid: ?1000000000000000\n\n$/);
  });

  it("starts at 1 when the Last-Event-ID is not one of its own", async () => {
    const ids = ["", "-5", "1.5", "abc", "1e3", "Infinity", "9".repeat(16), "9".repeat(400), "1, 2", "0x10"];
    for (const text of await Promise.all(ids.map((id) => readEvents(1, id)))) {
      assertMatch(text, /^data: ?1\nid: ?1\n\n$/);
    }
  });

  it("stops counting for a client that disconnects", async () => {
    await subscribersBecome(0);
    const clients = [new AbortController(), new AbortController(), new AbortController()];
    await Promise.all(clients.map(({ signal }) => fetch(`${served.origin}/count`, { signal })));
    assertEquals(await subscribers(), 3);
    const [first, ...others] = clients;
    first?.abort();
    await subscribersBecome(2);
    for (const client of others) client.abort();
    await subscribersBecome(0);
  });

  it("stops counting for a client that disconnects before it reads anything", async () => {
    const { hostname, port } = new URL(served.origin);
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(new TextEncoder().encode("GET /count HTTP/1.1\r\nHost: h\r\n\r\n"));
    await subscribersBecome(1);
    connection.close();
    await subscribersBecome(0);
  });

  it("counts for each client separately", async () => {
    const [one, other] = await Promise.all([readEvents(1), readEvents(1, "6")]);
    assertMatch(one, /^data: ?1\n/);
    assertMatch(other, /^data: ?7\n/);
  });

  it("ends the streams on SIGTERM, and exits with 0", async () => {
    const stopped = await serve("examples/server_sent_events.ts");
    const { body } = await fetch(`${stopped.origin}/count`);
    const stopping = stopped.stop();
    await new Response(body).text();
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
});
