/** Types of guards: what an annotation promises. If this file compiles, the tests have passed. */
import {
  allow,
  type Answer,
  type AnyGuard,
  beforeBody,
  type Context,
  deny,
  denyInvalid,
  type GuardFn,
  type GuardResult,
  type NoLocals,
  type Reply,
  reply,
  route,
  setup,
  type ValidInputGuard,
} from "../../mod.ts";

interface User {
  readonly id: string;
}
type Env = { readonly KEY: string };
const ada = { user: { id: "ada" } };
const isIn = (c: Context) => c.request.headers.has("authorization");

// Without a `Denial`, an annotation accepts denials by any response but a reply, which routes would not see.
export const byResponse: GuardFn<NoLocals, { user: User }> = (c) =>
  isIn(c) ? allow(ada) : deny(new Response(null, { status: 418 }));
export const byJson = async (c: Context): Promise<GuardResult<{ user: User }>> =>
  await Promise.resolve(isIn(c)) ? allow(ada) : deny(Response.json("Who?", { status: 418 }));
export const byReply: GuardFn<NoLocals, { user: User }> = (c) =>
  // @ts-expect-error: Name this reply in the annotation
  isIn(c) ? allow(ada) : deny(reply(418));
export const byReplyLater = async (c: Context): Promise<GuardResult<{ user: User }>> =>
  // @ts-expect-error: Name this reply in the annotation
  await Promise.resolve(isIn(c)) ? allow(ada) : deny(reply(418));
export function byReplyEarly(c: Context): GuardResult<{ user: User }> {
  // @ts-expect-error: Name this reply in the annotation
  if (!isIn(c)) return deny(reply(418, { code: "teapot" }));
  return allow(ada);
}
// @ts-expect-error: Name this reply in the annotation
export const inFull: GuardFn<NoLocals, { user: User }, [Env]> = (c) => isIn(c) ? allow(ada) : { deny: reply(418) };
// @ts-expect-error: Name this reply in the annotation
export const valid: ValidInputGuard = denyInvalid(() => reply(418));
export const validByResponse: ValidInputGuard = denyInvalid(() => new Response(null, { status: 418 }));
export class Guards {
  // @ts-expect-error: Name this reply in the annotation
  readonly signedIn: GuardFn<NoLocals, { user: User }> = (c) => isIn(c) ? allow(ada) : deny(reply(418));
  check(c: Context): GuardResult<{ user: User }> {
    // @ts-expect-error: Name this reply in the annotation
    return isIn(c) ? allow(ada) : deny(reply(418));
  }
}
export const kept = (c: Context) => isIn(c) ? allow(ada) : deny(reply(418));
// @ts-expect-error: Name this reply in the annotation
export const forgotten: GuardFn<NoLocals, { user: User }> = kept;
// @ts-expect-error: Name this reply in the annotation
kept satisfies GuardFn<NoLocals, { user: User }>;
// A list of guards of any type says nothing of their denials: a route does not accept it.
export const list: readonly AnyGuard[] = [kept];

// A named reply counts, as one that TypeScript infers.
export const named: GuardFn<NoLocals, { user: User }, [], Reply<Answer<418, undefined>>> = (c) =>
  isIn(c) ? allow(ada) : deny(reply(418));
export const namedLater = async (c: Context): Promise<GuardResult<{ user: User }, Reply<Answer<418, undefined>>>> =>
  await Promise.resolve(isIn(c)) ? allow(ada) : deny(reply(418));
export const early = beforeBody(named);
export const routes = {
  byResponse: route.get("/1", { responses: { 200: {} }, guards: [byResponse], resolve: () => reply(200) }),
  byJson: route.get("/2", { responses: { 200: {} }, guards: [byJson], resolve: () => reply(200) }),
  named: route.get("/3", { responses: { 200: {}, 418: {} }, guards: [named], resolve: () => reply(200) }),
  // @ts-expect-error: 418 must be declared
  undeclared: route.get("/4", { responses: { 200: {} }, guards: [named], resolve: () => reply(200) }),
  // @ts-expect-error: 418 must be declared
  later: route.get("/5", { responses: { 200: {} }, guards: [namedLater], resolve: () => reply(200) }),
  // @ts-expect-error: 418 must be declared
  early: route.get("/6", { responses: { 200: {} }, guards: [early], resolve: () => reply(200) }),
  // @ts-expect-error: 418 must be declared
  kept: route.get("/7", { responses: { 200: {} }, guards: [kept], resolve: () => reply(200) }),
  // @ts-expect-error: Type 'readonly AnyGuard[]' is not assignable to type 'GuardList<readonly AnyGuard[]
  list: route.get("/8", { responses: { 200: {} }, guards: list, resolve: () => reply(200) }),
};

// One of two guards: the route needs the extra arguments of each.
const real = (c: Context, env: Env) => c.request.headers.has(env.KEY) ? allow({ id: 1 }) : deny(reply(401));
const other = (c: Context, env: Env) => c.request.headers.has(env.KEY) ? allow({ id: 2 }) : deny(reply(403));
const mock = () => allow({ id: 3 });
const withMore = (_c: Context, env: { readonly URL: string }, port: number) => allow({ id: env.URL.length + port });
const optional = (_c: Context, env?: Env) => allow({ id: env?.KEY.length ?? 0 });
export function oneOfTwo(isTest: boolean) {
  const handlers = [
    route.get("/same", { guards: [isTest ? real : other], resolve: (c) => new Response(`${c.locals.id}`) }),
    route.get("/mock", { guards: [isTest ? mock : real], resolve: (c) => new Response(`${c.locals.id}`) }),
    route.get("/optional", { guards: [isTest ? optional : mock], resolve: (c) => new Response(`${c.locals.id}`) }),
  ];
  const app = setup({ handlers });
  app.fetch(new Request("http://localhost/same"), { KEY: "x" });
  // @ts-expect-error: Expected 2 arguments, but got 1.
  app.fetch(new Request("http://localhost/same"));
  const mocked = setup({ handlers: handlers.slice(1, 2) });
  // @ts-expect-error: Expected 2 arguments, but got 1.
  mocked.fetch(new Request("http://localhost/mock"));
  const optionally = route.get("/", { guards: [isTest ? optional : mock], resolve: () => new Response() });
  setup({ handlers: [optionally] }).fetch(new Request("http://localhost/"));
  const both = route.get("/", { guards: [isTest ? real : withMore], resolve: () => new Response() });
  setup({ handlers: [both] }).fetch(new Request("http://localhost/"), { KEY: "x", URL: "y" }, 1);
  // @ts-expect-error: Property 'URL' is missing
  setup({ handlers: [both] }).fetch(new Request("http://localhost/"), { KEY: "x" }, 1);
  const members = route.with({ guards: [isTest ? mock : real] });
  const shown = members.get("/", { resolve: (c) => new Response(`${c.locals.id}`) });
  // @ts-expect-error: Expected 2 arguments, but got 1.
  setup({ handlers: [shown] }).fetch(new Request("http://localhost/"));
  return [app, mocked];
}
