/**
 * Limits the rate of requests for each address, user or any other key, with the headers that tell clients.
 *
 * @example Two limits on one route
 * ```ts
 * import { beforeBody, reply, route, setup } from "@fw/core";
 * import { byAddress, limit } from "@fw/core/rate-limit";
 * import { rateLimitStore } from "@fw/core/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const common = {
 *   key: byAddress({ proxies: 0, address: (_c, address: string) => address }),
 *   refuse: () => reply(429, { error: "Too many requests" }),
 *   whenStoreFails: () => reply(503, { error: "Try again" }),
 * };
 * const burst = limit({ name: "burst", quota: 5, window: 1, store: rateLimitStore({ most: 100_000 }), ...common });
 * const daily = limit({
 *   name: "daily",
 *   quota: 1000,
 *   window: 86_400,
 *   store: rateLimitStore({ most: 100_000 }),
 *   ...common,
 * });
 *
 * const limited = route.with({ guards: [beforeBody(burst), beforeBody(daily)] });
 * const app = setup({ handlers: [limited.get("/search", { resolve: () => reply(200, []) })] });
 *
 * const response = await app.fetch(new Request("http://localhost/search"), "192.0.2.1");
 * assertEquals(response.headers.get("ratelimit"), '"burst";r=4;t=1, "daily";r=999;t=87');
 * ```
 *
 * @module
 */

export { type AddressOptions, byAddress } from "./by_address.ts";
export { limit, type LimitOptions, type RateLimit, type RateLimited } from "./limit.ts";
export { networkOf } from "./network_of.ts";
export type { Quota, RateLimitStore, Taken } from "../stores/stores.ts";
