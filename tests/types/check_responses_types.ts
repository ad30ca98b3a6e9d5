/** What declared responses may have, and what guards deny with: it must be declared. No function is called. */
import { assertType, type IsExact } from "@std/testing/types";
import * as v from "valibot";
import { z } from "zod";
import {
  allow,
  type Answer,
  beforeBody,
  type Context,
  type Deny,
  deny,
  denyInvalid,
  endpoint,
  type GuardFn,
  type NoLocals,
  type Reply,
  reply,
  route,
} from "../../mod.ts";

const book = z.object({
  id: z.string(),
  title: z.string(),
  tags: z.array(z.string()).optional(),
  at: z.date().optional(),
});
const missing = z.object({ code: z.literal("missing") });
const responses = {
  200: { schema: book },
  404: { schema: missing },
  204: {},
  303: { description: "Elsewhere" },
} as const;
const who = { 401: { schema: z.object({ code: z.literal("who") }) } } as const;
const authenticated = (c: Context) =>
  c.request.headers.has("authorization") ? allow({ user: "ada" }) : deny(reply(401, { code: "who" }));

const text = (value: unknown): value is string => typeof value === "string";
const signedIn = (c: Context) =>
  c.request.headers.has("authorization")
    ? allow({ user: "ada" })
    : c.request.body
    ? deny(reply(401))
    : deny(reply(403));

// A scope that declares responses, and not all that its guards deny with: one error, at the scope.
// @ts-expect-error at `responses`: 403 must be declared, with the body that a guard denies with
const members = route.with({ guards: [signedIn], responses: { 401: {} } });
export const reportedOnce = [
  members.get("/1", { responses: { 200: {} }, resolve: () => reply(200) }),
  members.get("/2", {
    responses: { 200: {} },
    resolve: (c) => reply(200, undefined, { headers: { user: c.locals.user } }),
  }),
  members.with({ prefix: "/3" }).get("", { responses: {}, resolve: () => reply(401) }),
  members.with({ responses: { 404: {} } }).get("/4", { responses: {}, resolve: () => reply(404) }),
  members.on(endpoint.get("/5", { responses: { 401: {} } }), { resolve: () => reply(401) }),
];
// A guard of the route itself, and one of a scope in it, are reported where they stand.
const teapotGuard = (c: Context) => c.request.body ? allow() : deny(reply(418));
export const own = members.get("/6", {
  // @ts-expect-error at `responses`: 418 must be declared, with the body that a guard denies with
  responses: { 200: {} },
  guards: [teapotGuard],
  resolve: () => reply(200),
});
// @ts-expect-error at `responses`: 418 must be declared, with the body that a guard denies with
export const inner = members.with({ guards: [teapotGuard], responses: {} });
export const innerRoute = inner.get("/7", { responses: { 200: {} }, resolve: () => reply(200) });

// A scope that declares all: a route need not repeat it, and must not replace it by another response.
const declared = route.with({ guards: [signedIn], responses: { 401: {}, "4XX": {} } });
export const kept = declared.get("/8", { responses: { 200: {} }, resolve: () => reply(200) });
export const replaced = declared.get("/9", {
  // @ts-expect-error at `responses`: 401 is declared with another body than a guard denies with: if other routes have
  //   the guard, declare its body here, else change the guard
  responses: { 200: {}, 401: { schema: text } },
  resolve: () => reply(200),
});
// @ts-expect-error at `responses`: 401 is declared with another body than a guard denies with: if other routes have the
//   guard, declare its body here, else change the guard
export const replacedInScope = declared.with({ responses: { 401: { schema: text } } });
// @ts-expect-error at `endpoint.get("/10", { responses: { 200:…`: 401 must be declared, with the body that a guard
//   denies with | 403 must be declared, with the body that a guard denies with
export const implemented = declared.on(endpoint.get("/10", { responses: { 200: {} } }), { resolve: () => reply(200) });

// A scope without responses leaves them to each of its routes.
const open = route.with({ guards: [signedIn] });
export const each = open.get("/11", { responses: { 200: {}, 401: {}, 403: {} }, resolve: () => reply(200) });
// @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with | 403 must be declared,
//   with the body that a guard denies with
export const undeclared = open.get("/12", { responses: { 200: {} }, resolve: () => reply(200) });
export const unchecked = open.get("/13", { resolve: () => new Response() });

export function declarations() {
  // @ts-expect-error at `200`: This is a bare schema: write { schema: … } around it
  //   at `reply(200, { id: "", title: "" })`: return reply(status, body)
  route.get("/", { responses: { 200: book }, resolve: () => reply(200, { id: "", title: "" }) });
  // @ts-expect-error at `200`: This is a bare schema: write { schema: … } around it
  //   at `reply(200, { a: "" })`: return reply(status, body)
  route.get("/", { responses: { 200: v.object({ a: v.string() }) }, resolve: () => reply(200, { a: "" }) });
  // @ts-expect-error at `schema`: A response with this status has no body: leave the schema out, or use another status
  route.get("/", { responses: { 200: {}, 204: { schema: book } }, resolve: () => reply(200) });
  // @ts-expect-error at `schema`: A response with this status has no body: leave the schema out, or use another status
  route.with({ responses: { 205: { schema: book } } });
  // @ts-expect-error at `schema`: A response with this status has no body: leave the schema out, or use another status
  endpoint.get("/", { responses: { 304: { schema: book } } });
  // @ts-expect-error at `ok`: Not a status: write a number such as 200, a range such as "4XX", or default
  route.get("/", { responses: { ok: {} }, resolve: () => reply(200) });
  // @ts-expect-error at `"4xx"`: Not a status: write a number such as 200, a range such as "4XX", or default
  route.get("/", { responses: { 200: {}, "4xx": {} }, resolve: () => reply(200) });
  // @ts-expect-error at `"6XX"`: Not a status: write a number such as 200, a range such as "4XX", or default
  route.get("/", { responses: { 200: {}, "6XX": {} }, resolve: () => reply(200) });
  // @ts-expect-error at `shema`: Unknown key: a response has schema, description, contentType, headers and examples
  route.get("/", { responses: { 200: { description: "", shema: book } }, resolve: () => reply(200) });
  // @ts-expect-error at `shema`: Unknown key: a response has schema, description, contentType, headers and examples
  route.with({ responses: { 200: { description: "", shema: book } } });
  // @ts-expect-error at `responses`: Not a status: write a number such as 200, a range such as "4XX", or default
  //   at `new Response()`: return reply(status, body)
  route.get("/", { responses: [], resolve: () => new Response() });
  // @ts-expect-error at `responses`: Write responses beside docs, not in it: { responses, docs, resolve }
  route.get("/", { docs: { responses: {} }, resolve: () => new Response() });
  // @ts-expect-error at `responses`: Write responses beside docs, not in it: { responses, docs, resolve }
  route.with({ docs: { responses: { 200: { schema: book } } } });
  route.get("/", {
    responses: {
      200: { schema: book, contentType: "application/json", headers: { etag: { schema: z.string(), required: true } } },
    },
    // @ts-expect-error at `reply(201)`: This status is not declared, or it is declared with a body or with headers:
    //   reply(status, body, { headers })
    resolve: (_c) => reply(201),
  });
}

export function denials() {
  route.get("/", {
    responses: { ...responses, ...who },
    guards: [authenticated],
    resolve: (c) => reply(200, { id: c.locals.user, title: "" }),
  });
  route.get("/", { guards: [authenticated], resolve: (c) => new Response(c.locals.user) });
  route.get("/", {
    responses: who,
    guards: [(c) => c.request.url ? allow({ n: "who" as const }) : deny(reply(401, { code: "who" }))],
    resolve: (c) => reply(401, { code: c.locals.n }),
  });
  route.get("/", {
    // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
    responses,
    guards: [authenticated],
    resolve: (c) => reply(200, { id: c.locals.user, title: "" }),
  });
  route.get("/", {
    // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
    responses: { 200: { schema: book } },
    guards: [(c) => c.request.url ? allow({ n: "" }) : deny(reply(401, { code: "who" }))],
    resolve: (c) => reply(200, { id: c.locals.n, title: "" }),
  });
  route.get("/", {
    // @ts-expect-error at `responses`: 401 is declared with another body than a guard denies with: if other routes have
    //   the guard, declare its body here, else change the guard
    responses: { 200: { schema: book }, 401: { schema: missing } },
    guards: [authenticated],
    resolve: (c) => reply(200, { id: c.locals.user, title: "" }),
  });
  route.get("/", {
    // @ts-expect-error at `responses`: 403 must be declared, with the body that a guard denies with
    responses: { ...who, 204: {} },
    guards: [authenticated, async (c) => await Promise.resolve(c.request.body ? allow() : deny(reply(403)))],
    resolve: () => reply(204),
  });
  route.get("/", {
    responses: { default: {}, 200: { schema: book } },
    guards: [() => deny(reply(403))],
    resolve: () => reply(200, { id: "", title: "" }),
  });

  // A guard that denies with any response is not checked.
  const anyDenial = (c: Context) => c.request.url ? allow({ user: "ada" }) : deny(new Response(null, { status: 401 }));
  assertType<IsExact<Extract<ReturnType<typeof anyDenial>, { readonly deny: unknown }>, Deny<Response>>>(true);
  const typed: GuardFn<NoLocals, { user: string }> = anyDenial;
  // Not even if the route answers nothing of the kind: a denial by `reply` would be an error there.
  for (const guard of [anyDenial, typed]) route.get("/", { responses, guards: [guard], resolve: () => reply(204) });
  const typedDenial: GuardFn<NoLocals, { user: string }, [], Reply<Answer<401, { code: "who" }>>> = authenticated;
  // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
  route.get("/", { responses: { 204: {} }, guards: [typedDenial], resolve: () => reply(204) });
  const written = (c: Context) => c.request.url ? { allow: true as const } : { deny: reply(403) };
  // @ts-expect-error at `responses`: 403 must be declared, with the body that a guard denies with
  route.get("/", { responses, guards: [written], resolve: () => reply(204) });
  const list: readonly (typeof authenticated)[] = [];
  // A list of unknown length may deny, too.
  // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
  route.get("/", { responses, guards: list, resolve: () => reply(204) });
}

export function denialsOfInvalidInput() {
  const issue = z.object({ path: z.array(z.string()), message: z.string() });
  const invalid = z.object({ code: z.literal("invalid"), issues: z.array(issue) });
  const checked = denyInvalid(({ issues }) =>
    reply(400, { code: "invalid", issues: issues.map(({ path, message }) => ({ path, message })) })
  );
  const request = { body: book };
  route.post("/", {
    request,
    responses: { ...responses, 400: { schema: invalid } },
    guards: [checked],
    resolve: (c) => reply(200, c.input.body),
  });
  // @ts-expect-error at `responses`: 400 must be declared, with the body that a guard denies with
  route.post("/", { request, responses, guards: [checked], resolve: (c) => reply(200, c.input.body) });
  const later = denyInvalid(async ({ issues }) =>
    reply(400, { code: "invalid", issues: await Promise.resolve(issues) })
  );
  // @ts-expect-error at `responses`: 400 must be declared, with the body that a guard denies with
  route.post("/", { request, responses, guards: [later], resolve: (c) => reply(200, c.input.body) });
  const any = denyInvalid(() => new Response(null, { status: 400 }));
  route.post("/", { request, responses, guards: [any], resolve: (c) => reply(200, c.input.body) });
}

export function responsesOfScopes() {
  const scope = route.with({ guards: [authenticated], responses: who });
  scope.get("/", {
    responses: { 200: { schema: book } },
    resolve: (c) => reply(200, { id: c.locals.user, title: "" }),
  });
  scope.get("/", { responses: {}, resolve: () => reply(401, { code: "who" }) });
  // Without responses of its own, a route returns any response.
  scope.get("/", { resolve: () => new Response() });
  // The scope declares another body.
  // @ts-expect-error at `reply(401, { code: "what" })`: return reply(status, body)
  scope.get("/", { responses: {}, resolve: () => reply(401, { code: "what" }) });
  // @ts-expect-error at `reply(404)`: This status is not declared, or it is declared with a body or with headers:
  //   reply(status, body, { headers })
  scope.get("/", { responses: {}, resolve: (_c) => reply(404) });
  // @ts-expect-error at `new Response()`: return reply(status, body)
  scope.get("/", { responses: {}, resolve: () => new Response() });
  // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
  route.with({ guards: [authenticated], responses });
  // The route replaces what the guard of its scope denies with.
  // @ts-expect-error at `responses`: 401 is declared with another body than a guard denies with: if other routes have
  //   the guard, declare its body here, else change the guard
  scope.get("/", { responses: { 401: { schema: missing } }, resolve: () => reply(401, { code: "missing" }) });
  // The inner scope replaces it.
  // @ts-expect-error at `responses`: 401 is declared with another body than a guard denies with: if other routes have
  //   the guard, declare its body here, else change the guard
  scope.with({ responses: { 401: { schema: missing } } });
  scope.with({ prefix: "/v1" }).with<{ id: string }>().get("", {
    responses: { 204: {} },
    resolve: (c) => c.locals.id ? reply(204) : reply(401, { code: "who" }),
  });

  const bare = route.with({ guards: [authenticated] });
  bare.get("/", { resolve: () => new Response() });
  bare.get("/", { responses: { ...who, 204: {} }, resolve: () => reply(204) });
  // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
  bare.get("/", { responses: { 204: {} }, resolve: () => reply(204) });
  // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
  bare.with({ prefix: "/v1" }).get("", { responses: { 204: {} }, resolve: () => reply(204) });
  // A guard of an inner scope is checked against the responses of the outer scope.
  const inner = route.with({ responses: who }).with({ guards: [authenticated] });
  inner.get("/", { responses: { 204: {} }, resolve: () => reply(204) });
}

export function denialsBeforeTheBody() {
  const early = beforeBody(authenticated);
  route.get("/", { responses: { ...who, 204: {} }, guards: [early], resolve: () => reply(204) });
  // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
  route.get("/", { responses: { 204: {} }, guards: [early], resolve: () => reply(204) });
  const scope = route.with({ guards: [early] });
  // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
  scope.get("/", { responses: { 204: {} }, resolve: () => reply(204) });
}

/** A schema in the place of a response, and statuses that the compiler does not know. */
export function misplaced() {
  const HTTP = { OK: 200 };
  // @ts-expect-error at `200`: This is a bare schema: write { schema: … } around it
  endpoint.get("/", { responses: { 200: z.string(), 404: {} } });
  // @ts-expect-error at `responses`: This status is any number to the compiler: write as const after the object that it
  //   comes from
  endpoint.get("/", { responses: { [HTTP.OK]: { schema: z.string() } } });
}

export function denialsWithoutAStatus(some: Reply) {
  // @ts-expect-error at `responses`: A guard denies with a reply that is not declared
  route.get("/", { responses, guards: [() => deny(some)], resolve: () => reply(204) });
}
