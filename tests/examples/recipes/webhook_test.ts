import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { createApp } from "../../../examples/recipes/webhook.ts";
import { refuseTarget } from "../../../examples/recipes/webhook/target.ts";
import { deliver, type DeliveryOptions } from "../../../examples/recipes/webhook/webhook.ts";
import { post } from "../../support/request.ts";
import { until } from "../../support/until.ts";
import { granted } from "../serve.ts";

describe("refuseTarget() of examples/recipes/webhook/", () => {
  it("refuseTarget() lets a https url with a public name pass", () => {
    for (
      const url of [
        "https://example.com/hooks?a=b",
        "https://a.b.example.co.uk",
        "https://example.com:443/",
        "https://münchen.de/",
        "https://hooks.example.com./",
        "https://user.github.io/",
      ]
    ) {
      assertEquals([url, refuseTarget(url)], [url, undefined]);
    }
  });

  it("refuseTarget() refuses addresses in any notation, private names, other schemes, ports and credentials", () => {
    const hosts = [
      ...["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0", "10.0.0.1", "169.254.169.254", "8.8.8.8"],
      ...["[::1]", "[::]", "[::ffff:127.0.0.1]", "[fd00::1]", "[2001:db8::1]", "１２７.０.０.１", "127.0.0.1."],
      ...["localhost", "localhost.", "LOCALHOST", "a.localhost", "metadata", "metadata.google.internal", "db.local"],
      ...["db.internal.", "router.lan", "nas.home.arpa", "x.test", "x.onion", "x.corp"],
      ...[
        "kubernetes.default.svc",
        "kubernetes.default.svc.",
        "kubernetes.default",
        "a.svc.cluster.local",
        "db.consul",
      ],
      ...[
        "a.b.docker",
        "router.home",
        "nas.localdomain",
        "x.alt",
        "x.invalid",
        "com",
        "co.uk",
        "1.0.0.127.in-addr.arpa",
      ],
      ...["localhost..", "metadata.google.internal..", "0x7f.1.."],
    ];
    const urls = [
      ...hosts.map((host) => `https://${host}/`),
      ...[
        "http://example.com/",
        "file:///etc/passwd",
        "ftp://example.com/",
        "javascript:alert(1)",
        "data:,x",
        "example.com",
      ],
      ...[
        "https://example.com:8443/",
        "https://example.com:22/",
        "https://user@example.com/",
        "https://a:b@example.com/",
      ],
      ...[
        "",
        "https://",
        "https:///",
        "//example.com",
        `https://example.com/${"x".repeat(2000)}`,
        "https://example.com\\@x/a b@",
      ],
    ];
    for (const url of urls.slice(0, -1)) assert(refuseTarget(url) !== undefined, `${url} must be refused`);
    // What the parser makes of it counts: that is what is requested.
    assertEquals(refuseTarget("https://example.com\\@127.0.0.1/"), undefined);
    assertEquals(new URL("https://example.com\\@127.0.0.1/").hostname, "example.com");
  });
});

(granted("net") ? describe : describe.skip)("deliver() of examples/recipes/webhook/", () => {
  const secret = new Uint8Array(32).fill(7);
  let answers: (() => Response | Promise<Response>)[] = [];
  let received: { headers: Headers; body: string }[] = [];
  let server: Deno.HttpServer<Deno.NetAddr>;
  before(() => {
    server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
      received.push({ headers: request.headers, body: await request.text() });
      return await (answers.shift() ?? (() => new Response()))();
    });
  });
  after(() => server.shutdown());

  /** Delivers to a receiver that answers so. The waits are short. */
  async function deliverTo(next: typeof answers, options: Partial<DeliveryOptions> = {}) {
    [answers, received] = [next, []];
    const url = `http://127.0.0.1:${server.addr.port}/hook`;
    return await deliver({ url, secret, id: "event 1", body: '{"a":"é"}' }, { delay: 1, maxDelay: 2, ...options });
  }
  const status = (status: number, headers: HeadersInit = {}) => () => new Response(null, { status, headers });

  it("deliver() signs the id, the time and the body", async () => {
    const started = Math.floor(Date.now() / 1000);
    assertEquals(await deliverTo([status(204)]), { delivered: true, attempts: 1, status: 204 });
    const [{ headers, body } = { headers: new Headers(), body: "" }] = received;
    const timestamp = headers.get("webhook-timestamp") ?? "";
    assert(Number(timestamp) >= started && Number(timestamp) <= Date.now() / 1000);
    const expected = createHmac("sha256", Buffer.from(secret)).update(`event 1.${timestamp}.${body}`).digest("base64");
    assertEquals(headers.get("webhook-signature"), `v1,${expected}`);
    assertEquals([headers.get("webhook-id"), body], ["event 1", '{"a":"é"}']);
    assertEquals(headers.get("content-type"), "application/json");
  });

  it("deliver() tries again with the same id after 408, 429 and 5xx, up to its number of attempts", async () => {
    assertEquals(await deliverTo([408, 429, 500, 503].map((each) => status(each))), {
      delivered: true,
      attempts: 5,
      status: 200,
    });
    assertEquals(new Set(received.map(({ headers }) => headers.get("webhook-id"))), new Set(["event 1"]));
    const failing = Array.from({ length: 9 }, () => status(500));
    assertEquals(await deliverTo(failing, { attempts: 3 }), { delivered: false, attempts: 3, status: 500 });
    assertEquals(received.length, 3);
  });

  it("deliver() does not try again after any other response, and follows no redirect", async () => {
    for (const each of [400, 401, 404, 410, 422]) {
      assertEquals(await deliverTo([status(each)]), { delivered: false, attempts: 1, status: each });
    }
    for (const each of [301, 302, 307, 308]) {
      const location = `http://127.0.0.1:${server.addr.port}/private`;
      const ended = await deliverTo([status(each, { location })]);
      assertEquals([ended.delivered, received.length], [false, 1]);
    }
  });

  it("deliver() waits no longer than its bound where the receiver asks for hours", async () => {
    assertEquals((await deliverTo([status(503, { "retry-after": "999999" })])).delivered, true);
    assertEquals((await deliverTo([status(503, { "retry-after": "-1, x" })])).delivered, true);
  });

  it("deliver() tries again if there is no response in time, or no connection", async () => {
    const never = Promise.withResolvers<Response>();
    const { timeout } = AbortSignal;
    const late = new AbortController();
    const times: number[] = [];
    AbortSignal.timeout = (time) => times.push(time) === 1 ? late.signal : timeout(time);
    try {
      const delivery = deliverTo([() => never.promise, status(200)], { timeout: 60_000 });
      await until(() => received.length === 1);
      late.abort();
      await until(() => received.length === 2);
      assertEquals([await delivery, times], [{ delivered: true, attempts: 2, status: 200 }, [60_000, 60_000]]);
    } finally {
      AbortSignal.timeout = timeout;
      never.resolve(new Response());
    }

    const unreachable = { url: "http://127.0.0.1:1/", secret, id: "1", body: "" };
    assertEquals(await deliver(unreachable, { attempts: 2, delay: 1 }), { delivered: false, attempts: 2 });
  });

  it("deliver() does not read a response that never ends", async () => {
    let cancelled = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 1));
            controller.enqueue(new Uint8Array(1000));
          },
          cancel: () => void cancelled++,
        }),
      );
    assertEquals((await deliverTo([endless])).delivered, true);
    await until(() => cancelled === 1);
  });

  it("deliver() ends when its signal is aborted, while it waits or sends", async () => {
    const never = Promise.withResolvers<Response>();
    for (const answer of [status(500), () => never.promise]) {
      const stop = new AbortController();
      const delivery = deliverTo([answer], { delay: 60_000, maxDelay: 60_000, timeout: 60_000, signal: stop.signal });
      await until(() => received.length === 1);
      stop.abort();
      assertEquals((await delivery).delivered, false);
    }
    never.resolve(new Response()); // the server waits for it when it is shut down
  });
});

describe("examples/recipes/webhook.ts", () => {
  const send = async (app: ReturnType<typeof createApp>, path: string, body: object) => {
    const response = await app.fetch(post(path, JSON.stringify(body)));
    return [response.status, await response.json()];
  };

  it("the app responds to an order before the webhook is delivered, which has the order", async () => {
    const delivering = Promise.withResolvers<{ delivered: boolean; attempts: number }>();
    const sent: { url: string; body: string }[] = [];
    const lines: string[] = [];
    const app = createApp({
      refuse: () => undefined,
      deliver: (webhook) => (sent.push(webhook), delivering.promise),
      log: (line) => lines.push(line),
    });
    const [status, { secret }] = await send(app, "/receivers", { url: "https://example.com/a" });
    assertEquals(status, 201);
    assertMatch(secret, /^whsec_[\w+/]{43}=$/);
    const [created, { id }] = await send(app, "/orders", { book: "Emma" });
    assertEquals([created, lines], [201, []]);
    assertEquals(JSON.parse(sent[0]?.body ?? "").data, { id, book: "Emma" });
    delivering.resolve({ delivered: true, attempts: 2 });
    await until(() => lines.length === 1);
    assertMatch(lines[0] ?? "", / to https:\/\/example\.com\/a delivered after 2/);
  });

  it("the app refuses a receiver with a private url, and one too many", async () => {
    const app = createApp({
      refuse: refuseTarget,
      deliver: () => Promise.resolve({ delivered: true, attempts: 1 }),
      log() {},
    });
    const refused = await send(app, "/receivers", { url: "https://169.254.169.254/latest" });
    assertEquals(refused, [400, { error: "The url must have a name, not an address" }]);
    for (let count = 1; count <= 100; count++) await send(app, "/receivers", { url: "https://example.com/" });
    assertEquals((await send(app, "/receivers", { url: "https://example.com/" }))[0], 409);
  });

  it("the app bounds the deliveries in progress, and survives one that rejects", async () => {
    const lines: string[] = [];
    let begun = 0;
    const app = createApp({
      refuse: () => undefined,
      deliver: () => begun++ === 0 ? Promise.reject(new Error("Broken")) : new Promise(() => {}),
      log: (line) => lines.push(line),
    });
    for (let count = 1; count <= 100; count++) await send(app, "/receivers", { url: "https://example.com/" });
    for (let count = 1; count <= 11; count++) await send(app, "/orders", { book: "Emma" });
    assertEquals(begun, 1001);
    await until(() => lines.length === 1 + 99);
    assertEquals(lines.filter((line) => /Error: Broken$/.test(line)).length, 1);
    assertEquals(lines.filter((line) => /dropped: too many deliveries$/.test(line)).length, 99);
  });
});
