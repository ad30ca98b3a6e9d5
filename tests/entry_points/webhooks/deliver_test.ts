import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { deliveryStore, eventLog } from "../../../src/memory/mod.ts";
import {
  type Attempt,
  deliver,
  type DeliverOptions,
  type DeliveryStore,
  type EventLog,
  publish,
  standardWebhooks,
  type Webhook,
} from "../../../src/webhooks/mod.ts";
import * as z from "zod";
import { until } from "../../support/until.ts";

const schemas = { "order.created": z.object({ id: z.number() }), "order.paid": z.object({ cents: z.int() }) };
type Sent = Webhook<typeof schemas>;

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const receiver = { id: "ada", url: "https://ada.example/webhooks", secret: SECRET };

/** A log, a store, and a receiver that notes what it gets and answers with the next status. */
function setUp(statuses: readonly (number | Error)[] = []) {
  const log: EventLog<Sent> = eventLog<Sent>({ keep: 100 });
  const store = deliveryStore();
  const ending = new AbortController();
  const received: unknown[] = [];
  const ids: (string | null)[] = [];
  const attempts: Attempt<Sent>[] = [];
  const errors: unknown[] = [];
  const answers = [...statuses];
  const options: DeliverOptions<Sent> = {
    log,
    store,
    receiver,
    signal: ending.signal,
    after(attempt) {
      attempts.push(attempt);
      return 0;
    },
    missed: () => "oldest",
    whenStoreFails: (error) => void errors.push(error),
    async send(request) {
      const { data } = await request.json();
      ids.push(request.headers.get("webhook-id"));
      const answer = answers.shift() ?? 204;
      if (answer instanceof Error) throw answer;
      if (answer < 300) received.push(data.id ?? data.cents);
      return new Response(null, { status: answer });
    },
  };
  return { log, store, ending, received, ids, attempts, errors, options };
}

async function publishAll(log: EventLog<Sent>, ids: readonly number[]): Promise<void> {
  for (const id of ids) await publish(log, "order.created", { id });
}

describe("deliver()", () => {
  it("sends each webhook once, in order, also those that are published later", async () => {
    const { log, ending, received, options } = setUp();
    await publishAll(log, [1, 2, 3]);
    const delivery = deliver(options);
    await until(() => received.length === 3);
    await publishAll(log, [4]);
    await until(() => received.length === 4);
    ending.abort();
    assertEquals(await delivery, "aborted");
    assertEquals(received, [1, 2, 3, 4]);
  });

  it("signs what it sends by Standard Webhooks", async () => {
    const { log, ending, options } = setUp();
    await publish(log, "order.paid", { cents: 5 });
    let verdict: unknown;
    await deliver({
      ...options,
      async send(request) {
        const { method, url, headers, redirect } = request;
        assertEquals([method, url, redirect], ["POST", receiver.url, "manual"]);
        assertEquals(headers.get("content-type"), "application/json");
        const body = new Uint8Array(await request.arrayBuffer());
        verdict = await standardWebhooks({ secrets: [SECRET] }).verify(headers, body);
        const { type, timestamp, data } = JSON.parse(new TextDecoder().decode(body));
        assertEquals([type, data, Number.isNaN(Date.parse(timestamp))], ["order.paid", { cents: 5 }, false]);
        ending.abort();
        return new Response("a body that nobody reads");
      },
    });
    assertEquals(verdict, "valid");
  });

  it("tries again as after says, with the same id, before it sends the next one", async () => {
    const gone = new Error("no connection");
    const { log, ending, received, ids, attempts, options } = setUp([503, gone, 302, 200]);
    await publishAll(log, [1, 2]);
    const delivery = deliver(options);
    await until(() => received.length === 2);
    ending.abort();
    await delivery;
    assertEquals(received, [1, 2]);
    assertEquals(new Set(ids.slice(0, 4)).size, 1);
    assertEquals(new Set(ids).size, 2);
    assertEquals(attempts.map(({ attempts }) => attempts), [1, 2, 3]);
    assertEquals(attempts.map(({ response }) => response?.status), [503, undefined, 302]);
    assertEquals(attempts.map(({ error }) => error), [undefined, gone, undefined]);
    assertEquals(attempts.map(({ webhook }) => webhook.data), [{ id: 1 }, { id: 1 }, { id: 1 }]);
  });

  it("waits for as many seconds as after says, or until its signal is aborted", async () => {
    const { log, ending, received, attempts, options } = setUp([503]);
    await publishAll(log, [1]);
    const delivery = deliver({ ...options, after: (attempt) => attempts.push(attempt) * 1000 });
    await until(() => attempts.length === 1);
    ending.abort();
    assertEquals(await delivery, "aborted");
    assertEquals(received, []);
  });

  it("waits for 24 days if after says longer, which is more than a timer takes: it would fire at once", async () => {
    const { log, ending, attempts, options } = setUp([503, 503]);
    await publishAll(log, [1]);
    const waits: unknown[] = [];
    const { setTimeout: original } = globalThis;
    const noted = (callback: () => void, wait?: number) => {
      waits.push(wait);
      return original(callback, wait);
    };
    Object.defineProperty(globalThis, "setTimeout", { value: noted, configurable: true, writable: true });
    try {
      const delivery = deliver({ ...options, after: (attempt) => attempts.push(attempt) * 3_000_000 });
      await until(() => attempts.length > 0);
      await until(() => waits.some((wait) => Number(wait) > 1_000_000_000));
      ending.abort();
      assertEquals(await delivery, "aborted");
    } finally {
      Object.defineProperty(globalThis, "setTimeout", { value: original, configurable: true, writable: true });
    }
    assertEquals([attempts.length, waits.every((wait) => Number(wait) < 2 ** 31)], [1, true]);
  });

  it("skips a webhook, or ends, if after says so", async () => {
    const { log, received, options } = setUp([400, 204, 410]);
    await publishAll(log, [1, 2, 3, 4]);
    const after = ({ response }: Attempt<Sent>) => response?.status === 410 ? "stop" : "skip";
    assertEquals(await deliver({ ...options, after }), "stopped");
    assertEquals(received, [2]);
    // The webhook that had no success is the first one of the next delivery.
    assertEquals(
      await deliver({ ...options, send: () => Promise.resolve(new Response(null, { status: 410 })), after }),
      "stopped",
    );
  });

  it("goes on where the last instance has stopped", async () => {
    const { log, ending, received, options } = setUp([204, 204, 410]);
    await publishAll(log, [1, 2, 3, 4]);
    assertEquals(await deliver({ ...options, after: () => "stop" }), "stopped");
    const delivery = deliver(options);
    await until(() => received.length === 4);
    ending.abort();
    await delivery;
    assertEquals(received, [1, 2, 3, 4]);
  });

  it("begins a new receiver with the oldest webhook, or after the one it names", async () => {
    const { log, ending, received, options } = setUp();
    await publishAll(log, [1, 2]);
    const begin = await publish(log, "order.created", { id: 3 });
    await publishAll(log, [4]);
    const delivery = deliver({ ...options, receiver: { ...receiver, begin } });
    await until(() => received.length === 1);
    ending.abort();
    await delivery;
    assertEquals(received, [4]);
  });

  it("sends only what the receiver wants", async () => {
    const { log, ending, received, options } = setUp();
    await publishAll(log, [1, 2]);
    await publish(log, "order.paid", { cents: 500 });
    const delivery = deliver({ ...options, wants: ({ type }) => type === "order.paid" });
    await until(() => received.length === 1);
    ending.abort();
    await delivery;
    assertEquals(received, [500]);
  });

  for (const [where, expected] of [["oldest", [3, 4, 5]], ["latest", [5]]] as const) {
    it(`reports webhooks that the log no longer keeps, and goes on with the ${where}`, async () => {
      const { store, ending, received, options } = setUp();
      const log = eventLog<Sent>({ keep: 2 });
      await publishAll(log, [1]);
      await store.take(receiver.id, "earlier", 1);
      await store.advance(receiver.id, "earlier", "1-gone");
      await store.release(receiver.id, "earlier");
      await publishAll(log, [2, 3, 4]);
      const told: unknown[] = [];
      const missed = (who: { readonly id: string }) => {
        told.push(who.id);
        return where;
      };
      const delivery = deliver({ ...options, log, missed });
      await until(() => told.length === 1);
      await publishAll(log, [5]);
      await until(() => received.includes(5));
      ending.abort();
      await delivery;
      assertEquals(told, ["ada"]);
      // With "oldest", the log may have forgotten 3 before it is read again.
      assertEquals(received.slice(-expected.length + 1), expected.slice(-expected.length + 1));
      assertEquals(received.includes(1), false);
    });
  }

  it("lets one of several instances send at a time", async () => {
    const { log, ending, received, options } = setUp();
    const [first, second] = [new AbortController(), new AbortController()];
    let [open, most] = [0, 0];
    const send = async (request: Request) => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open--;
      return await options.send?.(request) ?? new Response();
    };
    await publishAll(log, Array.from({ length: 20 }, (_, index) => index));
    const deliveries = [first, second].map(({ signal }) => deliver({ ...options, send, signal, lease: 1 }));
    await until(() => received.length >= 10);
    first.abort();
    await until(() => received.length === 20);
    second.abort();
    await Promise.all(deliveries);
    ending.abort();
    assertEquals([most, received], [1, Array.from({ length: 20 }, (_, index) => index)]);
  });

  it("aborts the request of an instance that loses the receiver, and tries again later", async () => {
    const { log, store, ending, received, options } = setUp();
    let renewals = 0;
    let aborted: unknown;
    const lost: DeliveryStore = {
      ...store,
      take: (receiver, owner, seconds) => ++renewals === 2 ? undefined : store.take(receiver, owner, seconds),
    };
    await publishAll(log, [1]);
    const delivery = deliver({
      ...options,
      store: lost,
      lease: 1,
      send: (request) => {
        if (aborted !== undefined) return options.send?.(request) ?? Promise.reject();
        return new Promise((_, reject) => {
          request.signal.addEventListener("abort", () => reject(aborted = request.signal.reason));
        });
      },
    });
    await until(() => received.length === 1);
    ending.abort();
    await delivery;
    assert(aborted instanceof DOMException && aborted.name === "AbortError");
  });

  it("reports a store or a log that fails, and goes on when it is back", async () => {
    const { log, store, ending, received, errors, options } = setUp();
    const fails = { take: 2, advance: 1, read: 1, release: 1 };
    const failing =
      <Args extends readonly unknown[], Result>(name: keyof typeof fails, call: (...args: Args) => Result) =>
      (...args: Args) => {
        if (fails[name]-- > 0) throw new Error(`${name} fails`);
        return call(...args);
      };
    const broken: DeliveryStore = {
      ...store,
      take: failing("take", store.take),
      advance: failing("advance", store.advance),
      release: failing("release", store.release),
    };
    const read: EventLog<Sent>["read"] = async function* (after, signal) {
      if (fails.read-- > 0) throw new Error("read fails");
      yield* log.read(after, signal);
    };
    await publishAll(log, [1, 2]);
    const delivery = deliver({ ...options, store: broken, log: { ...log, read }, lease: 1 });
    await until(() => received.includes(2));
    ending.abort();
    await delivery;
    const told = errors.map((error) => (error as Error).message);
    assertEquals(told.toSorted(), ["advance fails", "read fails", "release fails", "take fails", "take fails"]);
    assertEquals(received, [1, 1, 2]); // what could not be noted is sent again
  });

  it("renews its receiver while a log has no messages", async () => {
    const { store, ending, options } = setUp();
    let taken = 0;
    const counted: DeliveryStore = {
      ...store,
      take(...args) {
        taken++;
        if (taken === 3) throw new Error("away");
        return store.take(...args);
      },
    };
    const delivery = deliver({ ...options, store: counted, lease: 1 });
    await until(() => taken >= 5);
    assertEquals(await store.take(receiver.id, "other", 1), undefined);
    ending.abort();
    await delivery;
    assertEquals(await store.take(receiver.id, "other", 1), { position: null });
  });

  it("tries again later if its store fails until its time is over", async () => {
    const { log, store, ending, received, errors, options } = setUp();
    const { now } = performance;
    let taken = 0;
    const away: DeliveryStore = {
      ...store,
      take(...args) {
        taken++;
        if (taken !== 2) return store.take(...args);
        performance.now = () => now.call(performance) + 60_000;
        throw new Error("away");
      },
    };
    await publishAll(log, [1]);
    const delivery = deliver({ ...options, store: away, lease: 1 });
    try {
      await until(() => taken === 3);
      await publishAll(log, [2]);
      await until(() => received.length === 2);
    } finally {
      performance.now = now;
      ending.abort();
    }
    assertEquals([await delivery, received, errors.length], ["aborted", [1, 2], 1]);
  });

  it("sends nothing that the log gives, and keeps no receiver, once its signal is aborted", async () => {
    const { log, store, ending, received, options } = setUp();
    await publishAll(log, [1]);
    const read: EventLog<Sent>["read"] = async function* (after, signal) {
      for await (const item of log.read(after, signal)) {
        ending.abort();
        yield item;
      }
    };
    assertEquals([await deliver({ ...options, log: { ...log, read } }), received], ["aborted", []]);
    const other = setUp();
    await publishAll(other.log, [1]);
    const taking: DeliveryStore = {
      ...other.store,
      take(...args) {
        other.ending.abort();
        return other.store.take(...args);
      },
    };
    assertEquals([await deliver({ ...other.options, store: taking }), other.received], ["aborted", []]);
    // While the request is signed:
    const signing = setUp();
    await publishAll(signing.log, [1]);
    const wants = () => {
      queueMicrotask(() => signing.ending.abort());
      return true;
    };
    let isAborted = false;
    const sendAborted = (request: Request) => {
      isAborted = request.signal.aborted;
      return Promise.reject(request.signal.reason);
    };
    assertEquals(await deliver({ ...signing.options, wants, send: sendAborted }), "aborted");
    assertEquals(isAborted, true);
    for (const free of [store, other.store, signing.store]) {
      assertEquals(await free.take("ada", "x", 1), { position: null });
    }
  });

  it("rejects with what after or missed throws, and releases its receiver", async () => {
    const { log, store, options } = setUp([500]);
    await publishAll(log, [1]);
    const after = () => {
      throw new Error("mistake");
    };
    await assertRejects(async () => await deliver({ ...options, after }), Error, "mistake");
    assertEquals(await store.take(receiver.id, "other", 1), { position: null });
  });

  it("rejects results of after and missed that mean nothing", async () => {
    for (const result of [NaN, -1, Infinity, undefined, "later", null]) {
      const { log, options } = setUp([500]);
      await publishAll(log, [1]);
      await assertRejects(
        async () => await deliver({ ...options, after: () => result as never }),
        TypeError,
        'Result of after of deliver must be a number of seconds, "skip" or "stop"',
      );
    }
    const { store, options } = setUp();
    await store.take(receiver.id, "a", 1);
    await store.advance(receiver.id, "a", "9-x");
    await store.release(receiver.id, "a");
    await assertRejects(
      async () => await deliver({ ...options, missed: () => undefined as never }),
      TypeError,
      'Result of missed of deliver must be "oldest" or "latest"',
    );
  });

  it("does nothing if its signal is aborted already", async () => {
    const { log, ending, received, options } = setUp();
    await publishAll(log, [1]);
    ending.abort();
    assertEquals([await deliver(options), received.length], ["aborted", 0]);
  });

  it("rejects options that are missing, unknown or wrong, without the secret", async () => {
    const { options } = setUp();
    const wrong: readonly (readonly [object, string])[] = [
      [{ log: {} }, "Option log of deliver must be a log of messages"],
      [{ store: {} }, "Option store of deliver must be a store of deliveries"],
      [{ after: 1 }, "Option after of deliver must be a function"],
      [{ missed: undefined }, 'Option "missed" of deliver is undefined'],
      [{ lease: 0 }, "Option lease of deliver must be a whole number from 1 to 3600"],
      [{ timeout: 301 }, "Option timeout of deliver must be a whole number from 1 to 300"],
      [{ retries: 1 }, 'Option "retries" of deliver is unknown'],
      [{ send: 1 }, "Option send of deliver must be a function"],
      [{ wants: 1 }, "Option wants of deliver must be a function"],
      [{ receiver: { ...receiver, id: "" } }, "Id of the receiver of deliver must be 1 to 250 characters"],
      [{ receiver: { ...receiver, url: "/webhooks" } }, "Url of the receiver of deliver must be an absolute url"],
      [{ receiver: { ...receiver, secret: "%" } }, "A secret of deliver must be base64"],
      [{ receiver: { ...receiver, secret: 1 } }, "Secret of the receiver of deliver must be a string"],
      [{ receiver: { ...receiver, secrets: [] } }, 'Option "secrets" of receiver of deliver is unknown'],
    ];
    for (const [other, message] of wrong) {
      await assertRejects(async () => await deliver({ ...options, ...other } as never), TypeError, message);
    }
  });
});
