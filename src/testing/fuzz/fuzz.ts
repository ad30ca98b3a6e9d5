import type { FuzzableApp } from "./app.ts";
import { type FuzzOptions, type Given, requireFuzzOptions } from "./options.ts";
import type { Faults } from "./report.ts";
import { startWatch } from "./run.ts";
import { search } from "./search.ts";

/**
 * Finds faults of an app. It makes requests of what the app declares, in process: valid ones, at the bounds and just
 * outside, with texts, numbers and dates at which programs fail. Ids of earlier responses go into later requests, by
 * the names of paths and properties. It reports each fault once, with the shortest requests that it has found to show
 * it.
 *
 * The kinds of faults, each with the rule that is broken:
 *
 * - `throws`: The app rejects with an error, or the body of its response breaks off.
 * - `fails`: The app responds with a status from 500 on. A declared 503 with `Retry-After` is no fault.
 * - `undeclared`: The response is not one that the endpoint declares, as `holdToEndpoints` judges: declare it, or mend
 *   the handler.
 * - `accepts invalid input`: A request that a schema rejects gets a status from 200 to 299: the handler does not look
 *   at `c.input.ok`.
 * - `refuses valid input`: A request that all schemas accept gets 400 or 422, as if it were invalid: say the rule in
 *   the schema, or respond with 409.
 * - `needs no credentials`: An endpoint whose `docs.security` demands credentials responds with 200 to 299 to a request
 *   without any.
 * - `crosses owners`: With `actors`, one reads or changes what another has made, and `shared` does not name the
 *   endpoint.
 * - `is there after DELETE`: A thing is found by its path or in its list after its DELETE, and nothing in it has
 *   changed.
 * - `lets nobody in`: With `actors`, all of 20 requests or more were refused, most with 401 or 403: nothing behind the
 *   guards is tested.
 * - `never got past 4xx`: No request of 20 or more got past its 4xx, though the schemas accept them: what lies behind
 *   is not tested.
 *
 * Endpoints with `docs.security: []` are for everybody.
 *
 * Values lead on by a rule. Ids go into parameters and properties by the kind of the thing, which its collection or the
 * name says: `userId` takes the `id` of users. Cursors go back to their list (`nextCursor` to `cursor`), an `etag` goes
 * into `if-match` of its path, and the paths in `location`, `link` and bodies give their parameters. What names do not
 * say, the option `links` does.
 *
 * An app that calls others, or sends mail, does so here, too: give it something else instead.
 *
 * @param create Makes an app with its store in memory. It is called for each run, and for each try of fewer requests.
 * @param options What generates values, who sends requests, what is left out.
 * @returns The faults: an empty array if none was found, which is no proof that there is none. Its property `reached`
 * says how often each endpoint sent each status. An assertion that fails prints it.
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
