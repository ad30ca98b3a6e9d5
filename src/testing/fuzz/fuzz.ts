import type { FuzzableApp } from "./app.ts";
import { type FuzzOptions, type Given, requireFuzzOptions } from "./options.ts";
import type { Faults } from "./report.ts";
import { startWatch } from "./run.ts";
import { search } from "./search.ts";

/**
 * Finds faults of an app. It generates requests from the declarations of the app, and sends them in the same process.
 * Some requests are valid, some are at the bounds or just outside, and some have texts, numbers and dates that often
 * break programs. It reports each fault once, with the shortest sequence of requests that it has found to show it.
 *
 * Each fault has a `kind`, such as `undeclared`, and the `rule` that is broken.
 *
 * Endpoints with `docs.security: []` are open to everybody.
 *
 * Later requests take values from earlier responses. A parameter or a property takes ids of the kind of resource that
 * its collection or its name says: `userId` takes the `id` of users. `cursor` takes the `nextCursor` of the same list.
 * `if-match` takes the `etag` of the same path. If `location`, `link` or a body contains a path, its parameters become
 * values. If a name does not tell the kind, use the option `links`.
 *
 * The app gets sockets without a network as the second argument. If the app accepts a socket, `fuzz` sends valid and
 * invalid messages over it, and checks that the server's messages are declared.
 *
 * If the app calls other servers or sends mail, it also does so during `fuzz`. Replace these services.
 *
 * @param create Creates an app with its store in memory. It is called for each run, and for each attempt to find a
 * shorter sequence of requests.
 * @param options The generator of values, the users, and what is left out.
 * @returns The faults. An empty array does not prove that the app has none. Its property `reached` says how often each
 * endpoint sent each status. A failing assertion prints it.
 * @throws A `TypeError` if an option is wrong, if `shared` or `skip` names no endpoint, or if a schema cannot be
 * expressed as JSON Schema. Errors of `create` are passed on.
 *
 * @example An app with a fault
 * ```ts
 * import { denyInvalid, reply, route, setup } from "@fw/core";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { fuzz } from "@fw/core/testing";
 * import { assertEquals } from "@std/assert";
 * import fc from "fast-check";
 * import { z } from "zod";
 *
 * const create = () =>
 *   setup({
 *     validator: standardSchema,
 *     handlers: [
 *       route.post("/mean", {
 *         request: { body: z.array(z.number().min(0).max(9)) },
 *         responses: { 200: { schema: z.number() }, 400: {} },
 *         guards: [denyInvalid(() => reply(400))],
 *         resolve: ({ input: { body } }) => reply(200, body.reduce((a, b) => a + b, 0) / body.length),
 *       }),
 *     ],
 *   });
 *
 * const faults = await fuzz(create, { fc, runs: 5 });
 * const [{ kind, fault, response, requests } = {}, ...others] = faults;
 * assertEquals(others, []);
 * assertEquals(kind, "undeclared");
 * assertEquals(fault, "POST /mean: response 200 must fit its schema: Invalid input: expected number, received null");
 * assertEquals(response, { status: 200, body: "null" });
 * assertEquals(requests, [
 *   'await fetch("http://localhost:8000/mean", { method: "POST", ' +
 *   'headers: { "content-type": "application/json" }, body: JSON.stringify([]) })',
 * ]);
 *
 * // What was tested: how often the endpoint sent each status.
 * assertEquals(Object.keys(faults.reached?.["POST /mean"] ?? {}), ["200", "400"]);
 * ```
 *
 * @example Users who sign in
 * ```ts
 * import { denyInvalid, reply, route, setup } from "@fw/core";
 * import { createSessions, ownPages } from "@fw/core/session";
 * import { sessionStore } from "@fw/core/memory";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { fuzz, type SignIn } from "@fw/core/testing";
 * import { assertEquals } from "@std/assert";
 * import fc from "fast-check";
 * import { z } from "zod";
 *
 * const create = () => {
 *   const refuse = () => reply(401);
 *   const ownPage = ownPages({ origins: [], refuse });
 *   const store = sessionStore({ most: 1000 });
 *   const sessions = createSessions({ store, idle: 600, absolute: 3600, perUser: 5, refuse });
 *   return setup({
 *     validator: standardSchema,
 *     handlers: [
 *       route.post("/sign-in", {
 *         request: { body: z.enum(["ada", "bob"]) },
 *         responses: { 204: {}, 400: {}, 401: {} },
 *         guards: [ownPage, denyInvalid(() => reply(400))],
 *         resolve: async (c) => reply(204, undefined, { headers: await sessions.begin(c.request, c.input.body) }),
 *       }),
 *       route.get("/me", {
 *         responses: { 200: { schema: z.string() }, 401: {} },
 *         guards: [sessions.reading],
 *         resolve: (c) => reply(200, c.locals.session.user),
 *       }),
 *     ],
 *   });
 * };
 *
 * const headers = { "sec-fetch-site": "same-origin" };
 * const signIn = (user: string): SignIn => async (app) => {
 *   const request = new Request("http://localhost/sign-in", { method: "POST", headers, body: JSON.stringify(user) });
 *   const cookie = (await app.fetch(request)).headers.get("set-cookie") ?? "";
 *   return { ...headers, cookie: cookie.split(";", 1).join() };
 * };
 * assertEquals(await fuzz(create, { fc, runs: 5, actors: { ada: signIn("ada"), bob: signIn("bob") } }), []);
 * ```
 */
export async function fuzz(
  create: (given: Given) => FuzzableApp | Promise<FuzzableApp>,
  options: FuzzOptions,
): Promise<Faults> {
  requireFuzzOptions(create, options);
  const watch = startWatch();
  try {
    return await search(create, options, watch);
  } finally {
    watch.stop();
  }
}
