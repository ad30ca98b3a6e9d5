import { pause, until } from "../../../support/until.ts";
import { readMessages } from "../read_messages.ts";
import { IDLE, LIMITED, OF_SERVICE } from "./policies.ts";

/** What clients did and saw. */
export interface Recording {
  /** How much they did. */
  readonly counts: Record<Count, number>;
  /** Promises about sessions that were broken, in words. */
  readonly faults: string[];
  /** What came of each order, by its key. */
  readonly orders: Map<string, Order>;
  /** Requests to each limit. */
  readonly limits: Limited[];
  /** The messages that were acknowledged, by their ids. */
  readonly messages: Map<string, string>;
  /** The ids that each client of the stream received. */
  readonly streams: (readonly string[])[];
  /** The whole log, at the end. */
  log: readonly (readonly [id: string, text: string])[];
}

const COUNTS = [
  "requests",
  "failures",
  "sessions ended",
  "requests after the end",
  "orders done",
  "orders repeated",
  "orders given up",
  "messages sent",
  "messages received",
  "streams opened",
  "streams moved",
] as const;
type Count = typeof COUNTS[number];

/** An order: the ids of its responses. */
interface Order {
  readonly ids: Set<string>;
}

/** What came of the requests to a limit, from the first on. */
interface Limited {
  readonly name: string;
  readonly quota: number;
  readonly window: number;
  allowed: number;
  refused: number;
  /** How long requests were sent, in seconds. */
  seconds: number;
}

/** What clients are told. */
export interface ClientOptions {
  /** Whether the instances serve `examples/service`, too. */
  readonly service: boolean;
  /** How many listen to the stream. */
  readonly listeners: number;
}

/** Clients that run. */
export interface Clients {
  /** How much they did so far. */
  readonly counts: Readonly<Record<Count, number>>;
  /** Waits until sessions were ended, orders done, messages received and requests limited anew. */
  progress(): Promise<void>;
  /** Stops them, once all listeners have the last message, and looks for sessions that are accepted after their end. */
  finish(): Promise<Recording>;
  /** Stops them at once. */
  abandon(): void;
}

/** A response, read whole. */
interface Received {
  readonly status: number;
  readonly cookie: string;
  readonly text: string;
}

/** Starts clients that send their requests to a balancer. What fails is repeated after a while. */
export function startClients(origin: string, { service, listeners }: ClientOptions): Clients {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<Count, number>;
  const record: Recording = {
    counts,
    faults: [],
    orders: new Map(),
    limits: [],
    messages: new Map(),
    streams: [],
    log: [],
  };
  const abandoned = new AbortController();
  /** Each request has a connection of its own: `fetch` repeats a POST whose connection was used before, and is closed. */
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  let stopped = false;
  const ended: (() => Promise<void>)[] = [];

  async function send(
    path: string,
    init: RequestInit & { client?: Deno.HttpClient } = {},
  ): Promise<Received | undefined> {
    counts.requests++;
    try {
      const signal = AbortSignal.any([abandoned.signal, AbortSignal.timeout(20_000)]);
      const response = await fetch(origin + path, { ...init, redirect: "manual", signal });
      const text = await response.text();
      const [cookie = ""] = response.headers.getSetCookie()[0]?.split(";", 1) ?? [];
      if (response.status < 500) return { status: response.status, cookie, text };
    } catch { /* the instance, or the balancer's connection to it, has ended */ }
    counts.failures++;
    await pause(100);
    return undefined;
  }

  /** Repeats a request until one of these comes, also after the clients are told to stop. */
  async function insist(statuses: readonly number[], path: string, init: RequestInit): Promise<Received | undefined> {
    while (!abandoned.signal.aborted) {
      const received = await send(path, init);
      if (received && statuses.includes(received.status)) return received;
      if (received) record.faults.push(`${path} responded ${received.status}: ${received.text}`);
    }
    return undefined;
  }

  /** A session is accepted until its end, and never after. */
  async function look(path: string, cookie: string, name: string): Promise<void> {
    counts["requests after the end"]++;
    const received = await send(path, { headers: { cookie } });
    if (received && received.status !== 401) record.faults.push(`Accepted after its end: ${name}`);
  }
  async function lookAfterEnd(path: string, cookie: string, name: string): Promise<void> {
    counts["sessions ended"]++;
    ended.push(() => look(path, cookie, name));
    for (let turn = 0; turn < 3; turn++) await look(path, cookie, name);
  }

  /** Begins sessions, uses them, and ends each in another way: while it is used, from another session, by no use. */
  async function visit(number: number): Promise<void> {
    const headers = { authorization: `user${number}` };
    const post = { method: "POST", headers };
    for (let turn = number; !stopped; turn++) {
      const { cookie = "" } = await insist([201], "/own/begin", post) ?? {};
      /** When the session ends at the latest, and at the earliest. A renewal moves its end by a tenth at least. */
      let latest = Date.now() + IDLE * 1000;
      let earliest = 0;
      let isEnding = false;
      const use = async () => {
        const sent = Date.now();
        const received = await send("/own/me", { headers: { ...headers, cookie } });
        const now = Date.now();
        // Without a response, it may have been renewed as well.
        latest = now + IDLE * 1000;
        if (received?.status === 200) earliest = Math.max(earliest, sent + IDLE * 900);
        else if (received && now < earliest && !isEnding) record.faults.push(`Lost: a session of user${number}`);
      };
      for (let uses = 0; uses < 4; uses++) {
        await use();
        await pause(150);
      }
      isEnding = true;
      if (turn % 3 === 0) {
        const racing = [use(), use()];
        await insist([204], "/own/end", { method: "POST", headers: { ...headers, cookie } });
        await Promise.all(racing);
        await lookAfterEnd("/own/me", cookie, "a session that was ended");
      } else if (turn % 3 === 1) {
        const { cookie: other = "" } = await insist([201], "/own/begin", post) ?? {};
        const racing = [use(), use()];
        const fromOther = { method: "POST", headers: { ...headers, cookie: other } };
        await insist([204], "/own/end-others", fromOther);
        await Promise.all(racing);
        await lookAfterEnd("/own/me", cookie, "a session that was ended from another one");
        await insist([204], "/own/end", fromOther);
        await lookAfterEnd("/own/me", other, "a session that had ended others");
      } else {
        await pause(latest - Date.now() + 50);
        await lookAfterEnd("/own/me", cookie, "a session that was not used");
      }
    }
  }

  /** Signs up at `examples/service`, out and in again. */
  async function signInAndOut(number: number): Promise<void> {
    const headers = (turn: number) => ({ origin: ORIGIN, "x-forwarded-for": `192.0.${number}.${turn % 250}` });
    const fields = { email: `user${number}@example.com`, password: "correct horse" };
    const form = (fields: Record<string, string>, turn: number) => ({
      method: "POST",
      body: new URLSearchParams(fields),
      headers: headers(turn),
    });
    let signedIn = await insist([303, 409], "/sign-up", form({ ...fields, name: "?" }, 0));
    for (let turn = 1; !stopped; turn++) {
      // 429: an account has ten sign-ins in fifteen minutes.
      if (signedIn?.status !== 303) signedIn = await insist([303, 429], "/sign-in", form(fields, turn));
      if (signedIn?.status !== 303) return;
      const { cookie } = signedIn;
      for (let uses = 0; uses < 3; uses++) {
        const received = await send("/api/me", { headers: { cookie } });
        if (received && received.status !== 200) record.faults.push(`Lost: a session of the service`);
        await pause(500);
      }
      await insist([303], "/sign-out", { method: "POST", headers: { ...headers(turn), cookie } });
      await lookAfterEnd("/api/me", cookie, "a session of the service");
      signedIn = undefined;
    }
  }

  /** Sends more requests than a limit allows. */
  async function exceed(path: string, init: RequestInit, allowed: number, limit: typeof LIMITED): Promise<void> {
    const limited: Limited = { name: path, ...limit, allowed: 0, refused: 0, seconds: 0 };
    record.limits.push(limited);
    const from = performance.now();
    await Promise.all([1, 2, 3].map(async () => {
      while (!stopped) {
        const received = await send(path, init);
        if (received?.status === allowed) limited.allowed++;
        else if (received?.status === 429) limited.refused++;
        else if (received) record.faults.push(`${path} responded ${received.status}: ${received.text}`);
        await pause(50);
      }
    }));
    limited.seconds = (performance.now() - from) / 1000;
  }

  /** Orders, and repeats each order until it has a response. Some are sent twice at once, or again afterwards. */
  async function orderAll(number: number): Promise<void> {
    for (let turn = 0; !stopped; turn++) {
      const key = `order-${number}-${turn}`;
      const order: Order = { ids: new Set() };
      record.orders.set(key, order);
      const headers = { authorization: `user${number}`, "idempotency-key": key };
      const attempt = async () => {
        const received = await send("/own/orders", { method: "POST", body: `"${key}"`, headers });
        if (received?.status === 201) order.ids.add(JSON.parse(received.text).id);
        return received?.status;
      };
      let refused = 0;
      for (let attempts = 0; order.ids.size === 0 && refused < 25 && !abandoned.signal.aborted; attempts++) {
        if (attempts > 0) counts["orders repeated"]++;
        const statuses = await Promise.all(turn % 3 === 0 ? [attempt(), attempt()] : [attempt()]);
        if (order.ids.size > 0) break;
        if (statuses.includes(409)) refused++;
        await pause(50);
      }
      counts[order.ids.size > 0 ? "orders done" : "orders given up"]++;
      if (turn % 2 === 0) {
        counts["orders repeated"]++;
        await attempt();
      }
      await pause(50);
    }
  }

  /** Adds messages. One that is not acknowledged may be there or not: none is sent twice. */
  async function speak(): Promise<void> {
    for (; !stopped; await pause(80)) await say();
  }
  async function say(): Promise<string | undefined> {
    const text = `message ${counts["messages sent"]++}`;
    const received = await send("/own/messages", { method: "POST", body: JSON.stringify(text), client });
    if (received?.status !== 201) return undefined;
    const { id } = JSON.parse(received.text);
    record.messages.set(id, text);
    return id;
  }

  /** The id that ends all streams. */
  let last: string | undefined;

  /** Listens for a while, and comes back to another instance, until the last message has come. */
  async function listen(rest: () => number, receive: (id: string, text: string) => void): Promise<void> {
    let lastEventId = "0";
    let instance: string | null = null;
    while (lastEventId !== last && !abandoned.signal.aborted) {
      const leaving = new AbortController();
      let left = rest();
      try {
        const signal = AbortSignal.any([abandoned.signal, leaving.signal]);
        const response = await fetch(`${origin}/own/events`, { headers: { "last-event-id": lastEventId }, signal });
        if (response.status !== 200) {
          await response.body?.cancel();
          await pause(200);
          continue;
        }
        counts["streams opened"]++;
        const next = response.headers.get("x-instance");
        if (instance !== null && next !== instance) counts["streams moved"]++;
        instance = next;
        for await (const { id, data, isMissed } of readMessages(response)) {
          if (isMissed) record.faults.push("A listener was told that it has missed messages");
          lastEventId = id;
          receive(id, data);
          counts["messages received"]++;
          if (--left <= 0 || lastEventId === last) break;
        }
      } catch { /* the instance has ended, or its engine: what came before counts */ }
      leaving.abort();
      await pause(20);
    }
  }

  const own = { headers: { authorization: "everybody" } };
  const ofService = { method: "POST", headers: { origin: ORIGIN, "x-forwarded-for": "198.51.100.7" } };
  const working = [
    ...Array.from({ length: 12 }, (_, number) => visit(number)),
    ...Array.from({ length: 8 }, (_, number) => orderAll(number)),
    ...service ? [1, 2, 3].map(signInAndOut) : [],
    exceed("/own/limited", own, 204, LIMITED),
    ...service ? [exceed("/sign-out", ofService, 303, OF_SERVICE)] : [],
    speak(),
  ];
  const listening = Array.from({ length: listeners }, (_, number) => {
    const ids: string[] = [];
    record.streams.push(ids);
    let turn = number;
    return listen(() => 10 + (turn += 7) % 30, (id) => ids.push(id));
  });

  return {
    counts,
    async progress() {
      const state = () => [
        counts["sessions ended"] / 3,
        counts["orders done"] / 10,
        record.messages.size / 10,
        counts["messages received"] / listeners / 5,
        ...record.limits.map(({ allowed, refused }) => (allowed + refused) / 10),
      ];
      const before = state();
      const isDone = () => state().every((value, index) => value >= (before[index] ?? 0) + 1);
      await until(isDone, () => `No progress: ${before} became ${state()}, ${JSON.stringify(counts)}`);
    },
    async finish() {
      stopped = true;
      await Promise.all(working);
      while (last === undefined) last = await say();
      await Promise.all(listening);
      const log: [string, string][] = [];
      await listen(() => Infinity, (id, text) => log.push([id, text]));
      record.log = log;
      for (let at = 0; at < ended.length; at += 20) {
        await Promise.all(ended.slice(at, at + 20).map((lookAgain) => lookAgain()));
      }
      return record;
    },
    abandon() {
      stopped = true;
      abandoned.abort();
      client.close();
    },
  };
}

/** The origin of the pages of `examples/service`. */
export const ORIGIN = "https://pictures.example.com";
