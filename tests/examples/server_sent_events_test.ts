import { assertEquals, assertMatch } from "@std/assert";
import { it } from "@std/testing/bdd";
import { until } from "../support/until.ts";
import { describeServed } from "./describe_served.ts";
import { serve } from "./serve.ts";

describeServed("examples/server_sent_events.ts", (served) => {
  const subscribers = async (): Promise<number> => {
    const response = await served.request("/subscribers");
    return (await response.json()).subscribers;
  };
  const subscribersBecome = async (count: number): Promise<void> => {
    await until(async () => await subscribers() === count);
  };

  it("server_sent_events.ts counts from 1, or on from the last event that the client received, if the id is one of its own", async () => {
    const counted = async (events: number, lastEventId?: string) => {
      const { read, disconnect } = await subscribe(lastEventId, "/count");
      const text = await read(new RegExp(`(\\ndata: .*\\n\\n[^]*){${events}}`));
      await disconnect();
      return text;
    };
    // All at once: each event takes a second.
    const [two, next, late, ...anew] = await Promise.all([
      counted(2),
      counted(1, "41"),
      counted(1, "999999999999999"),
      ...["", "-5", "1.5", "1e3", "9".repeat(16)].map((id) => counted(1, id)),
    ]);
    assertMatch(`${two}`, /^retry: 3000\n\nid: 1\ndata: 1\n\nid: 2\ndata: 2\n\n/);
    assertMatch(`${next}`, /^retry: 3000\n\nid: 42\ndata: 42\n\n/);
    assertMatch(`${late}`, /^retry: 3000\n\nid: 1000000000000000\ndata: 1000000000000000\n\n/);
    for (const text of anew) assertMatch(text, /^retry: 3000\n\nid: 1\ndata: 1\n\n/);
  });

  it("server_sent_events.ts stops counting for a client that disconnects", async () => {
    await subscribersBecome(0);
    const clients = [new AbortController(), new AbortController(), new AbortController()];
    const responses = await Promise.all(clients.map(({ signal }) => served.request("/count", { signal })));
    assertEquals(await subscribers(), 3);
    const [first, ...others] = clients;
    first?.abort();
    await subscribersBecome(2);
    for (const client of others) client.abort();
    await subscribersBecome(0);
    // Kept until here: a response that nothing refers to is closed when its memory is collected.
    assertEquals(responses.map(({ status }) => status), [200, 200, 200]);
  });

  it("server_sent_events.ts sends the messages of others to all who have subscribed, each with an id", async () => {
    await subscribersBecome(0);
    const readers = await Promise.all([subscribe(), subscribe()]);
    await subscribersBecome(2);
    assertEquals(await send("Hello\nid: 7\revent: x\r\n\r\ndata: y"), 202);
    for (const { read, disconnect } of readers) {
      const text = await read(/y"\n\n/);
      assertMatch(text, /^retry: 3000\n\nid: \d+-[\da-f]{12}\ndata: .*\n\n$/);
      assertEquals(text.split("\n")[3], 'data: "Hello\\nid: 7\\revent: x\\r\\n\\r\\ndata: y"');
      await disconnect();
    }
    await subscribersBecome(0);
  });

  it("server_sent_events.ts sends a client that connects again what it has missed, and says so where that is not known", async () => {
    const first = await subscribe();
    await send("one");
    const id = /id: (\S+)\n/.exec(await first.read(/data: "one"/))?.[1] ?? "";
    await first.disconnect();
    await send("two");
    const again = await subscribe(id);
    const text = await again.read(/data: "two"/);
    assertEquals(text.includes("missed"), false);
    await again.disconnect();
    const other = await subscribe("7");
    assertMatch(await other.read(/null/), /^retry: 3000\n\nevent: missed\nid: \S+\ndata: null/);
    await other.disconnect();
    await subscribersBecome(0);
  });

  it("server_sent_events.ts accepts a message of 1 to 1000 characters", async () => {
    assertEquals(await Promise.all(["", "x".repeat(1001), "x".repeat(1000)].map(send)), [400, 400, 202]);
  });

  it("server_sent_events.ts responds with 503 to a client that has too many streams, until it closes one", async () => {
    await subscribersBecome(0);
    const clients = await Promise.all(Array.from({ length: 100 }, () => subscribe()));
    for (const path of ["/events", "/count"]) {
      const refused = await served.request(path);
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

  async function send(text: string): Promise<number> {
    const response = await served.request("/messages", { method: "POST", body: JSON.stringify({ text }) });
    await response.body?.cancel();
    return response.status;
  }

  /** Subscribes, and reads until what has come matches a pattern. */
  async function subscribe(lastEventId?: string, path = "/events") {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const response = await served.request(path, { headers });
    assertEquals([response.status, response.headers.get("content-type")], [200, "text/event-stream"]);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const read = async (part: RegExp) => {
      while (!part.test(text)) text += (await reader?.read())?.value ?? "";
      return text;
    };
    // Not by a signal: Deno's fetch may then keep the connection of a body that is piped.
    return { read, disconnect: () => reader?.cancel() };
  }
});
