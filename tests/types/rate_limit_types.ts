/** Types of rate limits. If this file compiles, the tests have passed. */
import { allow, beforeBody, type Context, reply, route, setup } from "../../mod.ts";
import { byAddress, limit, type RateLimit } from "../../src/rate_limit/mod.ts";
import { rateLimitStore } from "../../src/memory/mod.ts";

type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const exact = <_Same extends true>(): void => {};

interface User {
  readonly id: string;
}
interface Info {
  readonly hostname: string;
}
const text = (value: unknown): value is string => typeof value === "string";
const policy = {
  quota: 1,
  window: 1,
  store: rateLimitStore({ most: 10 }),
  refuse: () => reply(429, "too many"),
  whenStoreFails: () => reply(503, "try again"),
};

const byUser = limit({ name: "user", key: (c: Context<{ user: User }>) => c.locals.user.id, ...policy });
const byHeader = limit({ name: "header", key: (c) => c.request.headers.get("x") ?? "", ...policy });
const key = byAddress({ proxies: 0, address: (_c, info: Info) => info.hostname });
const address = limit({ name: "address", key, ...policy });
const signedIn = () => allow({ user: { id: "7" } as User });

// The key reads locals of earlier guards, and an extra argument of fetch.
const route1 = route.get("/", {
  guards: [beforeBody(address), signedIn, byUser, byHeader],
  resolve: (c) => {
    exact<Exact<typeof c.locals, { user: User; readonly rateLimits: readonly RateLimit[] }>>();
    return reply(200, c.locals.rateLimits.map(({ remaining }) => remaining));
  },
});
const app = setup({ handlers: [route1] });
void (() => app.fetch(new Request("http://localhost"), { hostname: "192.0.2.1" }));
// @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
void (() => app.fetch(new Request("http://localhost")));
// @ts-expect-error at `byUser`: No guard before this one adds the local "user". If onRequest returns it, use
//   route.with<{ user: … }>()
route.get("/no-user", { guards: [byUser], resolve: () => reply(204) });

// The responses of the guard must be declared, each of them.
route.get("/declared", {
  responses: { 204: {}, 429: { schema: text }, 503: { schema: text } },
  guards: [byHeader],
  resolve: () => reply(204),
});
route.get("/undeclared", {
  // @ts-expect-error at `responses`: 503 must be declared, with the body that a guard denies with
  responses: { 204: {}, 429: { schema: text } },
  guards: [byHeader],
  resolve: () => reply(204),
});
route.get("/undeclared", {
  // @ts-expect-error at `responses`: 429 must be declared, with the body that a guard denies with
  responses: { 204: {}, 503: { schema: text } },
  guards: [byHeader],
  resolve: () => reply(204),
});
// If the store fails, an error or a request without a limit is no response to declare.
for (
  const whenStoreFails of [() => undefined, (error: unknown) => {
    throw error;
  }, (error: unknown) => console.error(error)]
) {
  const open = limit({ name: "open", key: () => "", ...policy, whenStoreFails });
  route.get("/open", { responses: { 204: {}, 429: { schema: text } }, guards: [open], resolve: () => reply(204) });
}
const either = limit({
  name: "either",
  key: () => "",
  ...policy,
  whenStoreFails: (error) => error instanceof Error ? reply(503, "try again") : undefined,
});
route.get("/either", {
  // @ts-expect-error at `responses`: 503 must be declared, with the body that a guard denies with
  responses: { 204: {}, 429: { schema: text } },
  guards: [either],
  resolve: () => reply(204),
});

// @ts-expect-error at `7`: Type 'number' is not assignable to type 'string'.
void (() => limit({ name: "user", key: () => 7, ...policy }));
// What happens if the store fails is the application's to choose.
// @ts-expect-error at `{ name: "user", key: () => "", quota: 1,…`: Property 'whenStoreFails' is missing in type '{…'
//   but required in type 'LimitOptions<…'.
void (() => limit({ name: "user", key: () => "", quota: 1, window: 1, store: policy.store, refuse: policy.refuse }));
// The answer is the application's.
// @ts-expect-error at `{ name: "user", key: () => "", quota: 1,…`: Property 'refuse' is missing in type '{…' but
//   required in type 'LimitOptions<NoLocals, [], Response, Response>'.
void (() => limit({ name: "user", key: () => "", quota: 1, window: 1, store: policy.store, whenStoreFails() {} }));
// How many proxies there are must be said.
// @ts-expect-error at `{ address: () => "" }`: Property 'proxies' is missing in type '{ address: () => string; }' but
//   required in type 'AddressOptions<[]>'.
void (() => byAddress({ address: () => "" }));
