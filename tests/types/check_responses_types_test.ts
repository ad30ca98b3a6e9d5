/** Types of the check of declared responses: what guards deny with. If this file compiles, the tests have passed. */
import { allow, type Context, deny, endpoint, reply, route } from "../../mod.ts";

const text = (value: unknown): value is string => typeof value === "string";
const signedIn = (c: Context) =>
  c.request.headers.has("authorization")
    ? allow({ user: "ada" })
    : c.request.body
    ? deny(reply(401))
    : deny(reply(403));

// A scope that declares responses, and not all that its guards deny with: one error, at the scope.
// @ts-expect-error: 403 must be declared
const members = route.with({ guards: [signedIn], responses: { 401: {} } });
export const reportedOnce = [
  members.get("/1", { responses: { 200: {} }, resolve: () => reply(200) }),
  members.get("/2", {
    responses: { 200: {} },
    resolve: (c) => reply(200, undefined, { headers: { user: c.locals.user } }),
  }),
  members.with({ prefix: "/3" }).get("/", { responses: {}, resolve: () => reply(401) }),
  members.with({ responses: { 404: {} } }).get("/4", { responses: {}, resolve: () => reply(404) }),
  members.on(endpoint.get("/5", { responses: { 401: {} } }), { resolve: () => reply(401) }),
];
// A guard of the route itself, and one of a scope in it, are reported where they stand.
const teapot = (c: Context) => c.request.body ? allow() : deny(reply(418));
export const own = members.get("/6", {
  // @ts-expect-error: 418 must be declared
  responses: { 200: {} },
  guards: [teapot],
  resolve: () => reply(200),
});
// @ts-expect-error: 418 must be declared
export const inner = members.with({ guards: [teapot], responses: {} });
export const innerRoute = inner.get("/7", { responses: { 200: {} }, resolve: () => reply(200) });

// A scope that declares all: a route need not repeat it, and must not replace it by another response.
const declared = route.with({ guards: [signedIn], responses: { 401: {}, "4XX": {} } });
export const kept = declared.get("/8", { responses: { 200: {} }, resolve: () => reply(200) });
export const replaced = declared.get("/9", {
  // @ts-expect-error: 401 is declared with another body than a guard denies with
  responses: { 200: {}, 401: { schema: text } },
  resolve: () => reply(200),
});
// @ts-expect-error: 401 is declared with another body than a guard denies with
export const replacedInScope = declared.with({ responses: { 401: { schema: text } } });
// @ts-expect-error: 401 must be declared
export const implemented = declared.on(endpoint.get("/10", { responses: { 200: {} } }), { resolve: () => reply(200) });

// A scope without responses leaves them to each of its routes.
const open = route.with({ guards: [signedIn] });
export const each = open.get("/11", { responses: { 200: {}, 401: {}, 403: {} }, resolve: () => reply(200) });
// @ts-expect-error: must be declared
export const undeclared = open.get("/12", { responses: { 200: {} }, resolve: () => reply(200) });
export const unchecked = open.get("/13", { resolve: () => new Response() });
