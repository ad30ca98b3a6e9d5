/** Several guards as one. If this file compiles, the tests have passed: no function is called. */
import {
  allow,
  beforeBody,
  type Context,
  deny,
  denyInvalid,
  every,
  type NoLocals,
  type RawParams,
  reply,
  route,
} from "../../mod.ts";
import { z } from "zod";

interface User {
  readonly id: string;
}
const ok = () => new Response();
const signedIn = (c: Context) => c.request.headers.has("a") ? allow({ user: { id: "" } as User }) : deny(reply(401));
const isAdmin = (c: Context<{ user: User }>) => c.locals.user.id ? allow({ admin: true }) : deny(reply(403));
const isLate = async (c: Context<{ user: User & { role: string } }>, env: { readonly HOUR: number }) =>
  await Promise.resolve(c.locals.user.role === "" && env.HOUR > 17 ? allow() : deny(ok()));
const findBook = (c: Context<NoLocals, { readonly slug: string }>) =>
  c.raw.params.slug ? allow({ book: 1 }) : deny(reply(404));
const keepsOwner = (
  c: Context<{ book: number }, RawParams, { readonly ok: true; readonly body: { readonly owner: string } }>,
) => c.input.body.owner ? allow() : deny(reply(403));
const make = <T extends { readonly key: string }>(made: T) => (_c: Context) => allow({ made });
const body = z.object({ owner: z.string(), title: z.string() });
const admin = every(signedIn, isAdmin);

/** It needs and adds what its guards need and add. */
export function guards() {
  const responses = { 200: {}, 401: {}, 403: {} } as const;
  route.get("/", { responses, guards: [admin], resolve: (c) => reply(c.locals.admin && c.locals.user.id ? 200 : 403) });
  route.get("/", { responses, guards: [every(signedIn, isAdmin)], resolve: (c) => reply(c.locals.admin ? 200 : 403) });
  route.get("/", { guards: [signedIn, every(isAdmin)], resolve: (c) => new Response(c.locals.user.id) });
  route.with({ guards: [every(signedIn, (c) => allow({ url: c.request.url }))] }).get("/", {
    guards: [isAdmin, every(isAdmin, () => allow())],
    resolve: (c) => new Response(c.locals.url + c.locals.user.id),
  });
  route.with<{ user: User & { role: string } }>().get("/", {
    guards: [every(isAdmin, isLate)],
    resolve: (c, env: { HOUR: number }) => new Response(c.locals.user.role + env.HOUR),
  });
  route.with({ guards: [beforeBody(admin)] }).get("/", { resolve: (c) => new Response(c.locals.user.id) });
  // Input and path parameters.
  const change = every(findBook, denyInvalid(() => reply(400)), keepsOwner);
  route.put("/books/:slug", {
    request: { body },
    guards: [every(signedIn, change)],
    resolve: (c) => new Response(c.input.body.title + c.locals.book + c.locals.user.id),
  });
  // A guard that a generic function returns.
  route.get("/", { guards: [every(make({ key: "a" }))], resolve: (c) => new Response(c.locals.made.key) });
  route.get("/", {
    guards: [make({ key: "a" })],
    // @ts-expect-error at `made`: Property 'made' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards
    //   that a call returns into constants">'.
    resolve: (c) => new Response(c.locals.made.key),
  });
}

/** Each line is a mistake. */
export function mistakes() {
  // @ts-expect-error at `responses`: 403 must be declared, with the body that a guard denies with
  route.get("/", { responses: { 200: {}, 401: {} }, guards: [admin], resolve: () => reply(200) });
  // @ts-expect-error at `every(isAdmin)`: No guard before this one adds the local "user". If onRequest returns it, use
  //   route.with<{ user: … }>()
  route.get("/", { guards: [every(isAdmin)], resolve: ok });
  // @ts-expect-error at `every(isAdmin, signedIn)`: No guard before this one adds the local "user". If onRequest
  //   returns it, use route.with<{ user: … }>()
  route.get("/", { guards: [every(isAdmin, signedIn)], resolve: ok });
  // @ts-expect-error at `signedIn, (c: Context<{ user: { id: numb…`: The local "user" has another type than this guard
  //   reads
  every(signedIn, (c: Context<{ user: { id: number } }>) => allow({ id: c.locals.user.id }));
  // @ts-expect-error at `every(isAdmin, isLate)`: The local "user" has another type than this guard reads
  route.with<{ user: User }>().get("/", { guards: [every(isAdmin, isLate)], resolve: ok });
  // @ts-expect-error at `every(findBook)`: Property 'slug' is missing in type '{ readonly id: string; }' but required
  //   in type '{ readonly slug: string; }'.
  route.put("/books/:id", { guards: [every(findBook)], resolve: ok });
  // @ts-expect-error at `satisfies`: Property 'body' is missing in type 'InvalidInputUntil<"c.input.ok is checked, or
  //   denyInvalid is among the guards; put guards that a call returns into constants">' but required in type '{…'.
  every(findBook, keepsOwner, denyInvalid(() => reply(400))) satisfies (
    c: Context<NoLocals, { slug: string }>,
  ) => unknown;
  // @ts-expect-error at `3`: Argument of type 'number' is not assignable to parameter of type '(…'.
  every(signedIn, 3);
  // @ts-expect-error at `() => 3`: A guard must return allow(), allow(locals) or deny(response), or a promise of it
  every(() => 3);
  // @ts-expect-error at `(c) => c.request.url ? { allow: true, lo…`: A guard must return allow(), allow(locals) or
  //   deny(response), or a promise of it
  every((c) => c.request.url ? { allow: true, local: {} } : deny(ok()));
  // @ts-expect-error at `beforeBody(signedIn), isAdmin`: Mark the whole, not one of its guards: beforeBody(every(…))
  every(beforeBody(signedIn), isAdmin);
  // @ts-expect-error at `every()`: Give every at least one guard: without any, it would let everybody in
  every();
  const list = [signedIn];
  // @ts-expect-error at `every(...list)`: Write the guards of every one by one: what a list of unknown length needs is
  //   not known
  route.get("/", { guards: [every(...list)], resolve: ok });
}
