/** The faults that stores usually have. The tests for stores must find each of them. */
import { assert, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import type { EventLog } from "../../../src/events/mod.ts";
import type { IdempotencyStore, Reservation } from "../../../src/idempotency/mod.ts";
import type { RateLimitStore } from "../../../src/rate_limit/mod.ts";
import { deliveryStore, eventLog, idempotencyStore, rateLimitStore, sessionStore } from "../../../src/memory/mod.ts";
import type { SessionStore, StoredSession } from "../../../src/session/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";
import type { DeliveryStore } from "../../../src/webhooks/mod.ts";

const clock = { time: 0 };
const { now } = performance;
const pass = (seconds: number) => void (clock.time += seconds * 1000);
/** What another call may run in between. */
const roundTrip = () => new Promise((resolve) => setTimeout(resolve));

/** Stores of sessions that do one thing wrong. */
const SESSIONS: Readonly<
  Record<string, (own: SessionStore, all: Map<string, StoredSession>) => Partial<SessionStore>>
> = {
  "adds what it renews": (own, all) => ({
    async renew(digest, endsAt) {
      const session = all.get(digest);
      if (!await own.renew(digest, endsAt) && session) own.add({ ...session, endsAt }, 100);
      return true;
    },
  }),
  "moves an end to an earlier time": (own) => ({
    async renew(digest, endsAt) {
      const session = await own.find(digest);
      if (session === undefined) return false;
      own.end(digest);
      own.add({ ...session, endsAt }, 100);
      return true;
    },
  }),
  "begins a session anew when it is renewed": (own) => ({
    async renew(digest, endsAt) {
      const session = await own.find(digest);
      if (session === undefined) return false;
      if (endsAt > session.endsAt) {
        own.end(digest);
        own.add({ ...session, begunAt: Date.now(), endsAt }, 100);
      }
      return true;
    },
  }),
  "has no bound for a user": (own) => ({ add: (session) => own.add(session, 1000) }),
  "bounds all users together": (own, all) => ({
    add(session, perUser) {
      own.add(session, 1000);
      [...all.keys()].filter((digest) => digest !== session.digest).slice(perUser - 1).forEach(own.end);
    },
  }),
  "ends the new session beyond the bound": (own, all) => ({
    add(session, perUser) {
      own.add(session, 1000);
      const others = [...all.values()].filter(({ user }) => user === session.user);
      others.sort((a, b) => b.endsAt - a.endsAt).slice(perUser).forEach(({ digest }) => own.end(digest));
    },
  }),
  "orders the sessions of a user by their first end": (own, all) => ({
    add(session, perUser) {
      own.add(session, 1000);
      const others = [...all.values()].filter(({ user, digest }) => user === session.user && digest !== session.digest);
      others.sort((a, b) => b.endsAt - a.endsAt).slice(perUser - 1).forEach(({ digest }) => {
        own.end(digest);
        all.delete(digest);
      });
    },
  }),
  "counts sessions before others are added": (own, all) => ({
    async add(session, perUser) {
      const others = [...all.values()].filter(({ user }) => user === session.user);
      await roundTrip();
      others.sort((a, b) => b.endsAt - a.endsAt).slice(perUser - 1).forEach(({ digest }) => own.end(digest));
      own.add(session, 1000);
    },
  }),
  "counts sessions that were ended": (own, all) => ({
    add(session, perUser) {
      own.add(session, 1000);
      const others = [...all.values()].filter(({ user, digest }) => user === session.user && digest !== session.digest);
      others.sort((a, b) => b.endsAt - a.endsAt).slice(perUser - 1).forEach(({ digest }) => own.end(digest));
    },
  }),
  "ends all sessions of a user": (own, all) => ({ end: (digest) => own.endOthers(all.get(digest)?.user ?? "", "") }),
  "ends the session that is to go on": (own) => ({ endOthers: (user) => own.endOthers(user, undefined) }),
  "ends the others of everybody": (own, all) => ({
    endOthers: (_user, except) => [...all.keys()].filter((digest) => digest !== except).forEach(own.end),
  }),
  "ends no others without a session to go on": (own) => ({
    endOthers: (user, except) => except === undefined ? undefined : own.endOthers(user, except),
  }),
  "compares users without case": (own) => ({
    endOthers(user, except) {
      for (const name of [user.toLowerCase(), user.toUpperCase(), user]) own.endOthers(name, except);
    },
  }),
  "cuts off users": (own) => ({
    add: (session, most) => own.add({ ...session, user: session.user.slice(0, 255) }, most),
  }),
  "trims users": (own) => ({ add: (session, most) => own.add({ ...session, user: session.user.trim() }, most) }),
  "keeps seconds": (own) => ({
    add: (session, most) => own.add({ ...session, endsAt: Math.floor(session.endsAt / 1000) * 1000 - 1 }, most),
  }),
  "forgets a session at its first end": (own) => {
    const ends = new Map<string, number>();
    return {
      add(session, most) {
        ends.set(session.digest, clock.time + (session.endsAt - Date.now()));
        own.add(session, most);
      },
      find: (digest) => clock.time < (ends.get(digest) ?? 0) ? own.find(digest) : undefined,
    };
  },
  "returns the user alone": (own) => ({
    async find(digest) {
      const session = await own.find(digest);
      return session && { ...session, begunAt: 0 };
    },
  }),
};

/** Stores of rate limits that do one thing wrong. */
const LIMITS: Readonly<Record<string, (own: RateLimitStore) => Partial<RateLimitStore>>> = {
  "counts in windows": () => {
    const counts = new Map<string, [begunAt: number, count: number]>();
    return {
      take(key, { quota, window }) {
        const known = counts.get(key);
        const isOver = known === undefined || clock.time >= known[0] + window * 1000;
        const [begunAt, count] = isOver ? [clock.time, 0] : known;
        const missing = Math.min(count + 1, quota);
        counts.set(key, [begunAt, missing]);
        return { allowed: count < quota, missing };
      },
    };
  },
  "reads before it writes": (own) => {
    const read = new Map<string, number>();
    return {
      async take(key, quota) {
        const missing = read.get(key) ?? 0;
        await roundTrip();
        if (missing >= quota.quota) return { allowed: false, missing };
        read.set(key, missing + 1);
        return { ...await own.take(key, quota), allowed: true };
      },
    };
  },
  "counts refused requests": () => {
    const buckets = new Map<string, number>();
    return {
      take(key, { quota }) {
        const missing = (buckets.get(key) ?? 0) + 1;
        buckets.set(key, missing);
        return { allowed: missing <= quota, missing };
      },
    };
  },
  "has one bucket": (own) => ({ take: (_key, quota) => own.take("", quota) }),
  "compares keys without case": (own) => ({ take: (key, quota) => own.take(key.toLowerCase(), quota) }),
  "cuts off keys": (own) => ({ take: (key, quota) => own.take(key.slice(0, 191), quota) }),
  "keeps whole requests": (own) => ({
    async take(key, quota) {
      const taken = await own.take(key, quota);
      return { ...taken, missing: Math.floor(taken.missing) };
    },
  }),
  "never gives a request back": () => {
    const buckets = new Map<string, number>();
    return {
      take(key, { quota }) {
        const missing = buckets.get(key) ?? 0;
        if (missing >= quota) return { allowed: false, missing };
        buckets.set(key, missing + 1);
        return { allowed: true, missing: missing + 1 };
      },
    };
  },
  "takes the window for milliseconds": (own) => ({
    take: (key, { quota, window }) => own.take(key, { quota, window: window / 1000 }),
  }),
  "forgets a bucket after a minute": (own) => {
    const used = new Map<string, number>();
    return {
      take(key, quota) {
        const isOld = clock.time - (used.get(key) ?? 0) > 60_000;
        used.set(key, clock.time);
        return own.take(isOld ? `${key} ${clock.time}` : key, quota);
      },
    };
  },
};

/** Stores of idempotency keys that do one thing wrong. */
const KEYS: Readonly<Record<string, (own: IdempotencyStore) => Partial<IdempotencyStore>>> = {
  "looks before it reserves": (own) => {
    const taken = new Set<string>();
    return {
      async reserve(reservation, limits) {
        const isTaken = taken.has(reservation.key);
        await roundTrip();
        if (isTaken) return await own.reserve(reservation, limits);
        taken.add(reservation.key);
        return { state: "reserved" };
      },
    };
  },
  "gives a response to another request": (own) => ({
    async reserve(reservation, limits) {
      const reserved = await own.reserve(reservation, limits);
      return reserved.state === "mismatch" ? { state: "running" } : reserved;
    },
  }),
  "frees a key for anybody": (own) => {
    const owners = new Map<string, Reservation>();
    return {
      async reserve(reservation, limits) {
        const reserved = await own.reserve(reservation, limits);
        if (reserved.state === "reserved") owners.set(reservation.key, reservation);
        return reserved;
      },
      free: (reservation) => own.free(owners.get(reservation.key) ?? reservation),
    };
  },
  "keeps the response of anybody": (own) => {
    const owners = new Map<string, Reservation>();
    return {
      async reserve(reservation, limits) {
        const reserved = await own.reserve(reservation, limits);
        if (reserved.state === "reserved") owners.set(reservation.key, reservation);
        return reserved;
      },
      keep: (reservation, response) => own.keep(owners.get(reservation.key) ?? reservation, response),
    };
  },
  "adds a key with its response": (own) => ({
    async keep(reservation, response) {
      await own.reserve(reservation, { lifetime: 3600, perClient: 100 });
      await own.keep(reservation, response);
    },
  }),
  "counts the lifetime from the response": (own) => {
    const kept = new Map<string, [Reservation, string, number]>();
    return {
      reserve(reservation, limits) {
        const [first, response = "", at = 0] = kept.get(reservation.key) ?? [];
        if (first === undefined || clock.time >= at + limits.lifetime * 1000) return own.reserve(reservation, limits);
        return first.request === reservation.request ? { state: "done", response } : { state: "mismatch" };
      },
      async keep(reservation, response) {
        kept.set(reservation.key, [reservation, response, clock.time]);
        await own.keep(reservation, response);
      },
    };
  },
  "never forgets a key": (own) => ({
    reserve: (reservation, limits) => own.reserve(reservation, { ...limits, lifetime: 1e9 }),
  }),
  "has no bound for a client": (own) => ({
    reserve: (reservation, limits) => own.reserve(reservation, { ...limits, perClient: 1000 }),
  }),
  "bounds all clients together": (own) => ({
    reserve: (reservation, limits) => own.reserve({ ...reservation, client: "" }, limits),
  }),
  "says that a client has no place before it looks at the key": (own) => {
    let count = 0;
    return {
      async reserve(reservation, limits) {
        if (count >= limits.perClient && reservation.client === "ada") return { state: "full" };
        const reserved = await own.reserve(reservation, limits);
        if (reserved.state === "reserved") count++;
        return reserved;
      },
    };
  },
  "counts a key less for whoever frees it": (own) => {
    let freed = 0;
    return {
      reserve: (reservation, limits) => own.reserve(reservation, { ...limits, perClient: limits.perClient + freed }),
      async free(reservation) {
        await own.free(reservation);
        if (reservation.owner !== "a") freed++;
      },
    };
  },
  "takes an empty response for none": (own) => ({
    keep: (by, response) => response && own.keep(by, response) || undefined,
  }),
  "cuts off responses": (own) => ({ keep: (by, response) => own.keep(by, response.slice(0, 65_535)) }),
};

/** Logs that do one thing wrong. */
const LOGS: Readonly<Record<string, (own: EventLog<unknown>) => Partial<EventLog<unknown>>>> = {
  "begins with the oldest message": (own) => ({ read: (after, signal) => own.read(after ?? "0", signal) }),
  "gives the last message again": (own) => ({
    async *read(after, signal) {
      for await (const item of own.read(after, signal)) {
        yield item;
        yield item;
      }
    },
  }),
  "hides that messages are missing": (own) => ({
    async *read(after, signal) {
      for await (const item of own.read(after, signal)) if (item[1] !== undefined) yield item;
    },
  }),
  "gives the readers one message": (own) => {
    const messages = new Map<string, unknown>();
    return {
      async *read(after, signal) {
        for await (const [id, message] of own.read(after, signal)) {
          if (!messages.has(id)) messages.set(id, message);
          yield [id, messages.get(id)];
        }
      },
    };
  },
  "loses messages that are added at once": (own) => {
    let last: Promise<string> | undefined;
    return {
      append: (message) =>
        last ??= own.append(message).finally(() => {
          last = undefined;
        }),
    };
  },
  "shows messages in place of others that are added at once": (own) => {
    let latest: unknown;
    return {
      async append(message) {
        latest = message;
        await roundTrip();
        return await own.append(latest);
      },
    };
  },
  "keeps everything": () => eventLog<unknown>({ keep: 1000 }),
  "keeps one message": () => eventLog<unknown>({ keep: 1 }),
};

/** Stores of deliveries that do one thing wrong. `owners` has the owner that each receiver was given to last. */
const DELIVERIES: Readonly<
  Record<string, (own: DeliveryStore, owners: Map<string, string>) => Partial<DeliveryStore>>
> = {
  "gives a receiver to everybody": () => ({ take: () => ({ position: null }) }),
  "gives an owner one receiver": (own, owners) => ({
    take: (receiver, owner, seconds) =>
      [...owners].some(([other, its]) => its === owner && other !== receiver)
        ? undefined
        : own.take(receiver, owner, seconds),
  }),
  "does not give a receiver to its owner again": (own, owners) => ({
    take: (receiver, owner, seconds) => owners.get(receiver) === owner ? undefined : own.take(receiver, owner, seconds),
  }),
  "does not renew the time": (own, owners) => ({
    take: (receiver, owner, seconds) =>
      owners.get(receiver) === owner ? { position: null } : own.take(receiver, owner, seconds),
  }),
  "gives a receiver for too long": (own) => ({
    take: (receiver, owner, seconds) => own.take(receiver, owner, seconds * 100),
  }),
  "gives a receiver back to whoever had it": (own, owners) => {
    const had = new Set<string>();
    return {
      async take(receiver, owner, seconds) {
        if (had.has(`${receiver} ${owner}`)) own.release(receiver, owners.get(receiver) ?? "");
        const taken = await own.take(receiver, owner, seconds);
        if (taken !== undefined) had.add(`${receiver} ${owner}`);
        return taken;
      },
    };
  },
  "begins with a message": (own) => ({
    async take(receiver, owner, seconds) {
      const taken = await own.take(receiver, owner, seconds);
      return taken && { position: taken.position ?? "" };
    },
  }),
  "does not say that it has noted a message": (own) => ({
    advance(receiver, owner, position) {
      own.advance(receiver, owner, position);
      return false;
    },
  }),
  "forgets a receiver that is released": (own) => ({ release: (receiver) => own.remove(receiver) }),
  "says that it has noted a message of anybody": (own) => ({
    advance(receiver, owner, position) {
      own.advance(receiver, owner, position);
      return true;
    },
  }),
  "notes a message of anybody": (own, owners) => ({
    advance(receiver, owner, position) {
      own.advance(receiver, owners.get(receiver) ?? "", position);
      return owners.get(receiver) === owner;
    },
  }),
  "lets anybody release a receiver": (own, owners) => ({
    release: (receiver) => own.release(receiver, owners.get(receiver) ?? ""),
  }),
  "removes nothing": () => ({ remove() {} }),
  "keeps the message of a receiver that is removed": (own, owners) => ({
    remove(receiver) {
      own.release(receiver, owners.get(receiver) ?? "");
      own.take(receiver, "nobody", 0);
    },
  }),
  "removes all receivers": (own, owners) => ({
    remove: () => [...owners.keys()].forEach((receiver) => own.remove(receiver)),
  }),
  "compares receivers without case": (own) => ({
    take: (receiver, owner, seconds) => own.take(receiver.toLowerCase(), owner, seconds),
    advance: (receiver, owner, position) => own.advance(receiver.toLowerCase(), owner, position),
  }),
};

describe("storeCases", () => {
  beforeEach(() => {
    clock.time = 1e7;
    performance.now = () => clock.time;
  });
  afterEach(() => {
    performance.now = now;
  });

  const findFaults = <Store extends object>(
    kind: string,
    cases: Readonly<Record<string, (store: Store, pass: (seconds: number) => unknown) => Promise<void>>>,
    faults: Readonly<Record<string, () => Store>>,
  ) => {
    for (const [fault, create] of Object.entries(faults)) {
      it(`finds a store of ${kind} that ${fault}`, async () => {
        let isFound = false;
        for (const run of Object.values(cases)) {
          const waits = new Promise<true>((resolve) => setTimeout(resolve, 2000, true));
          isFound ||= await Promise.race([run(create(), pass).then(() => false, () => true), waits]);
        }
        assert(isFound);
      });
    }
  };
  const mapFaults = <Store>(
    faults: Readonly<Record<string, (own: Store) => Partial<Store>>>,
    create: () => Store,
  ) =>
    Object.fromEntries(
      Object.entries(faults).map(([fault, change]) => [fault, () => {
        const own = create();
        return { ...own, ...change(own) };
      }]),
    );

  it("finds a log of which only a thousand readers begin", async () => {
    const own = eventLog<unknown>({ keep: 10 });
    let readers = 0;
    const silent: typeof own.read = async function* (after, signal) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield* own.read(after, signal);
    };
    const read: typeof own.read = (...to) => ++readers > 1000 ? silent(...to) : own.read(...to);
    await assertRejects(
      async () => await storeCases.eventLogs["lets 1,500 readers begin at once"]?.({ ...own, read }, pass),
      Error,
      "gave a reader that begins no message",
    );
  });

  findFaults(
    "sessions",
    storeCases.sessions,
    Object.fromEntries(
      Object.entries(SESSIONS).map(([fault, change]) => [fault, () => {
        const memory = sessionStore({ most: 1000 });
        const all = new Map<string, StoredSession>();
        const own = {
          ...memory,
          add(session: StoredSession, perUser: number) {
            all.set(session.digest, session);
            return memory.add(session, perUser);
          },
        };
        return { ...own, ...change(own, all) };
      }]),
    ),
  );
  findFaults("rate limits", storeCases.rateLimits, mapFaults(LIMITS, () => rateLimitStore({ most: 1000 })));
  findFaults("idempotency keys", storeCases.idempotency, mapFaults(KEYS, () => idempotencyStore({ most: 1000 })));
  findFaults(
    "deliveries",
    storeCases.deliveries,
    Object.fromEntries(
      Object.entries(DELIVERIES).map(([fault, change]) => [fault, () => {
        const memory = deliveryStore();
        const owners = new Map<string, string>();
        const own = { ...memory, ...change(memory, owners) };
        return {
          ...own,
          async take(receiver: string, owner: string, seconds: number) {
            const taken = await own.take(receiver, owner, seconds);
            if (taken !== undefined) owners.set(receiver, owner);
            return taken;
          },
        };
      }]),
    ),
  );
  findFaults("events", storeCases.eventLogs, mapFaults(LOGS, () => eventLog<unknown>({ keep: 10 })));
});
