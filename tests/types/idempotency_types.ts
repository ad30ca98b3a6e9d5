/** Types of idempotency. If this file compiles, the tests have passed. */
import { allow, type Context, reply, route, setup } from "../../mod.ts";
import {
  type IdempotencyOptions,
  idempotent,
  type Key,
  type LeaseOptions,
  type Refusal,
} from "../../src/idempotency/mod.ts";
import { idempotencyStore } from "../../src/memory/mod.ts";
import type { idempotencyStore as postgresStore } from "../../src/postgres/mod.ts";

type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const exact = <_Same extends true>(): void => {};
const text = (value: unknown): value is string => typeof value === "string";
interface Schema {
  readonly "~standard": { readonly types?: { readonly input: { id: number }; readonly output: { id: number } } };
}
const shape: Schema = { "~standard": {} };

const once = idempotent({
  client: (c: Context<{ user: string }>) => c.locals.user,
  lifetime: 60,
  perClient: 9,
  store: idempotencyStore({ most: 10 }),
  refuse: (_c, why) => {
    exact<Exact<typeof why, Refusal>>();
    return why === "missing" ? reply(400, "missing") : reply(409, "running");
  },
  whenStoreFails: () => reply(503, "try again"),
});
const signedIn = () => allow({ user: "ada", age: 36 });
const responses = { 201: { schema: shape }, 400: { schema: text }, 409: { schema: text }, 503: { schema: text } };

// The handler keeps its types: locals, parameters, extra arguments, and what the route declares.
const declared = route.post("/books/:id", {
  responses,
  guards: [signedIn],
  resolve: once(async (c, info: { readonly port: number }) => {
    exact<Exact<typeof c.locals.age, number>>();
    exact<Exact<typeof c.raw.params.id, string>>();
    return await Promise.resolve(reply(201, { id: info.port }));
  }),
});
const app = setup({ handlers: [declared] });
void (() => app.fetch(new Request("http://localhost"), { port: 1 }));
// @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
void (() => app.fetch(new Request("http://localhost")));

route.post("/keys", {
  responses,
  guards: [signedIn],
  // @ts-expect-error at `resolve`: return reply(status, body)
  resolve: once(() => reply(201, { id: 1, more: 2 })),
});
route.post("/status", {
  responses,
  guards: [signedIn],
  // @ts-expect-error at `resolve`: return reply(status, body)
  resolve: once(() => reply(202)),
});
route.post("/undeclared", {
  responses: { 201: { schema: shape }, 400: { schema: text }, 409: { schema: text } },
  guards: [signedIn],
  // @ts-expect-error at `resolve`: return reply(status, body)
  resolve: once(() => reply(201, { id: 1 })),
});
// @ts-expect-error at `resolve`: Property 'user' is missing in type 'NoLocalsUntil<"a guard adds them; put guards that
//   a call returns into constants">' but required in type '{ user: string; }'.
route.post("/stranger", { resolve: once(() => new Response()) });

// With a lease, the handler receives the key after the context, and keeps its other types.
const store = idempotencyStore({ most: 10 });
declare const inTransaction: ReturnType<typeof postgresStore>;
const options = {
  client: (c: Context<{ user: string }>) => c.locals.user,
  lifetime: 60,
  perClient: 9,
  store,
  refuse: () => reply(409, "running"),
  whenStoreFails: () => reply(503, "try again"),
};
const kept = idempotent({ ...options, lease: 2 });
const leased = route.post("/books/:id", {
  responses,
  guards: [signedIn],
  resolve: kept(async (c, key, info: { readonly port: number }) => {
    exact<Exact<typeof key, Key>>();
    exact<Exact<typeof c.locals.age, number>>();
    exact<Exact<typeof c.raw.params.id, string>>();
    if (info.port === 0) return reply(400, "no port");
    return await key.keep(inTransaction, reply(201, { id: info.port }));
  }),
});
const leasing = setup({ handlers: [leased] });
void (() => leasing.fetch(new Request("http://localhost"), { port: 1 }));
// @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
void (() => leasing.fetch(new Request("http://localhost")));

/** A helper keeps the type of what it keeps. */
const work = async (key: Key) => await key.keep(inTransaction, reply(201, { id: 1 }));
route.post("/helper", { responses, guards: [signedIn], resolve: kept((_c, key) => work(key)) });

route.post("/now", {
  responses: { ...responses, 201: { schema: shape, headers: { location: { required: true } } }, 303: {} },
  guards: [signedIn],
  resolve: kept((c, key) => {
    if (c.locals.age < 18) return key.keepNow(store, 303, undefined);
    return key.keepNow(store, 201, { id: 1 }, { headers: { location: "/books/1" } });
  }),
});
route.post("/now", {
  responses,
  guards: [signedIn],
  // @ts-expect-error at `resolve`: return reply(status, body)
  resolve: kept((_c, key) => key.keepNow(store, 201, { id: 1, more: 2 })),
});
route.post("/now", {
  responses,
  guards: [signedIn],
  // @ts-expect-error at `resolve`: return reply(status, body)
  resolve: kept((_c, key) => {
    const response = key.keepNow(store, 201, { id: 1, more: 2 });
    return response;
  }),
});
route.post("/now", {
  responses,
  guards: [signedIn],
  // @ts-expect-error at `resolve`: return reply(status, body)
  resolve: kept((_c, key) => key.keepNow(store, 202, undefined)),
});
route.post("/now", {
  responses,
  guards: [signedIn],
  // @ts-expect-error at `inTransaction`: Type 'void' is not assignable to type 'boolean'.
  resolve: kept((_c, key) => key.keepNow(inTransaction, 201, { id: 1 })),
});
route.post("/keep", {
  responses,
  guards: [signedIn],
  // @ts-expect-error at `resolve`: return reply(status, body)
  resolve: kept((_c, key) => key.keep(inTransaction, reply(201, { id: 1, more: 2 }))),
});
// @ts-expect-error at `satisfies`: Target signature provides too few arguments. Expected 2 or more, but got 1.
idempotent(options)((_c: Context<{ user: string }>, _key: Key) => reply(201)) satisfies (c: never) => unknown;

// Annotated options have a lease or have none. Where it may be missing, nobody knows what the handler receives.
type Denied = ReturnType<typeof options.refuse>;
type Failed = ReturnType<typeof options.whenStoreFails>;
const plain: IdempotencyOptions<{ user: string }, Denied, Failed> = options;
const withLease: LeaseOptions<{ user: string }, Denied, Failed> = { ...options, lease: 2 };
idempotent(plain)((_c: Context<{ user: string }>) => reply(201));
idempotent(withLease)((_c: Context<{ user: string }>, key) => key.keepNow(store, 201, "done"));
const maybe: { readonly lease?: number } = {};
// @ts-expect-error at `{ ...options, ...maybe }`: Property 'lease' is optional in type '{…' but required in type
//   'LeaseOptions<…'.
idempotent({ ...options, ...maybe });
// @ts-expect-error at `lease`: Type 'number' is not assignable to type 'undefined'.
const _unleased: IdempotencyOptions<{ user: string }, Denied, Failed> = { ...options, lease: 2 };
