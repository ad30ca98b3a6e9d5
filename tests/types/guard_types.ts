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
  type Input,
  type NoLocals,
  type Reply,
  reply,
  route,
  setup,
  type ValidInputGuard,
} from "../../mod.ts";
import { accepting } from "../support/accepting.ts";

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
  // @ts-expect-error at `isIn(c) ? allow(ada) : deny(reply(418))`: Name this reply in the annotation, as in
  //   GuardResult<{ user: User }, Reply<Answer<401, undefined>>>, or write no annotation
  isIn(c) ? allow(ada) : deny(reply(418));
export const byReplyLater = async (c: Context): Promise<GuardResult<{ user: User }>> =>
  // @ts-expect-error at `deny(reply(418))`: Name this reply in the annotation, as in GuardResult<{ user: User },
  //   Reply<Answer<401, undefined>>>, or write no annotation
  await Promise.resolve(isIn(c)) ? allow(ada) : deny(reply(418));
export function byReplyEarly(c: Context): GuardResult<{ user: User }> {
  // @ts-expect-error at `return`: Name this reply in the annotation, as in GuardResult<{ user: User },
  //   Reply<Answer<401, undefined>>>, or write no annotation
  if (!isIn(c)) return deny(reply(418, { code: "teapot" }));
  return allow(ada);
}
// @ts-expect-error at `isIn(c) ? allow(ada) : { deny: reply(418…`: Name this reply in the annotation, as in
//   GuardResult<{ user: User }, Reply<Answer<401, undefined>>>, or write no annotation
export const inFull: GuardFn<NoLocals, { user: User }, [Env]> = (c) => isIn(c) ? allow(ada) : { deny: reply(418) };
// @ts-expect-error at `valid`: Name this reply in the annotation, as in GuardResult<{ user: User }, Reply<Answer<401,
//   undefined>>>, or write no annotation
export const valid: ValidInputGuard = denyInvalid(() => reply(418));
export const validByResponse: ValidInputGuard = denyInvalid(() => new Response(null, { status: 418 }));
export class Guards {
  // @ts-expect-error at `isIn(c) ? allow(ada) : deny(reply(418))`: Name this reply in the annotation, as in
  //   GuardResult<{ user: User }, Reply<Answer<401, undefined>>>, or write no annotation
  readonly signedIn: GuardFn<NoLocals, { user: User }> = (c) => isIn(c) ? allow(ada) : deny(reply(418));
  check(c: Context): GuardResult<{ user: User }> {
    // @ts-expect-error at `deny(reply(418))`: Name this reply in the annotation, as in GuardResult<{ user: User },
    //   Reply<Answer<401, undefined>>>, or write no annotation
    return isIn(c) ? allow(ada) : deny(reply(418));
  }
}
export const kept = (c: Context) => isIn(c) ? allow(ada) : deny(reply(418));
// @ts-expect-error at `forgotten`: Name this reply in the annotation, as in GuardResult<{ user: User },
//   Reply<Answer<401, undefined>>>, or write no annotation
export const forgotten: GuardFn<NoLocals, { user: User }> = kept;
// @ts-expect-error at `satisfies`: Name this reply in the annotation, as in GuardResult<{ user: User },
//   Reply<Answer<401, undefined>>>, or write no annotation
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
  // @ts-expect-error at `responses`: 418 must be declared, with the body that a guard denies with
  undeclared: route.get("/4", { responses: { 200: {} }, guards: [named], resolve: () => reply(200) }),
  // @ts-expect-error at `responses`: 418 must be declared, with the body that a guard denies with
  later: route.get("/5", { responses: { 200: {} }, guards: [namedLater], resolve: () => reply(200) }),
  // @ts-expect-error at `responses`: 418 must be declared, with the body that a guard denies with
  early: route.get("/6", { responses: { 200: {} }, guards: [early], resolve: () => reply(200) }),
  // @ts-expect-error at `responses`: 418 must be declared, with the body that a guard denies with
  kept: route.get("/7", { responses: { 200: {} }, guards: [kept], resolve: () => reply(200) }),
  // @ts-expect-error at `guards`: Type 'Context<…' is not assignable to type 'never'.
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
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  app.fetch(new Request("http://localhost/same"));
  const mocked = setup({ handlers: handlers.slice(1, 2) });
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  mocked.fetch(new Request("http://localhost/mock"));
  const optionally = route.get("/", { guards: [isTest ? optional : mock], resolve: () => new Response() });
  setup({ handlers: [optionally] }).fetch(new Request("http://localhost/"));
  const both = route.get("/", { guards: [isTest ? real : withMore], resolve: () => new Response() });
  setup({ handlers: [both] }).fetch(new Request("http://localhost/"), { KEY: "x", URL: "y" }, 1);
  // @ts-expect-error at `{ KEY: "x" }`: Property 'URL' is missing in type '{ KEY: string; }' but required in type '{
  //   readonly URL: string; }'.
  setup({ handlers: [both] }).fetch(new Request("http://localhost/"), { KEY: "x" }, 1);
  const members = route.with({ guards: [isTest ? mock : real] });
  const shown = members.get("/", { resolve: (c) => new Response(`${c.locals.id}`) });
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  setup({ handlers: [shown] }).fetch(new Request("http://localhost/"));
  return [app, mocked];
}

export function guardsBeforeTheBody() {
  type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
  const exact = <_Same extends true>(): void => {};
  const response = new Response();
  interface User {
    readonly name: string;
  }
  const authenticated = (c: Context) =>
    c.request.headers.has("x") ? allow({ user: { name: "Ada" } as User }) : deny(response);
  const slowly = async (c: Context<{ user: User }>) =>
    await Promise.resolve(allow({ limit: c.locals.user.name.length }));
  const bound = (_c: Context, env: { readonly KEY: string }) => env.KEY === "" ? deny(response) : allow();
  const isTitle = (value: unknown): value is { title: string } => value !== null;

  // Inline in a list, and kept in a constant, with what they add and need.
  const early = beforeBody(authenticated);
  const created = route.post("/books/:id", {
    request: { body: isTitle },
    guards: [
      beforeBody(authenticated),
      beforeBody(slowly),
      (c: Context<{ user: User; limit: number }, { readonly id: string }, Input<{ body: typeof isTitle }>>) => {
        exact<Exact<typeof c.locals.user, User>>();
        exact<Exact<typeof c.locals.limit, number>>();
        return c.input.ok ? allow({ title: c.input.body.title }) : deny(response);
      },
    ],
    resolve: (c) => {
      exact<Exact<typeof c.locals.user, User>>();
      exact<Exact<typeof c.locals.limit, number>>();
      exact<Exact<typeof c.locals.title, string>>();
      exact<Exact<typeof c.raw.params, { readonly id: string }>>();
      return c.input.ok ? Response.json(c.input.body.title) : response;
    },
  });
  const kept = route.get("/", { guards: [early], resolve: (c) => new Response(c.locals.user.name) });
  // An inline function.
  const inline = route.post("/orgs/:orgId", {
    request: { body: isTitle },
    guards: [
      beforeBody((c) => {
        exact<Exact<typeof c, Context>>();
        return c.request.headers.has("x") ? allow({ org: "7" }) : deny(response);
      }),
      (c: Context<{ org: string }>) => c.locals.org === "7" ? allow() : deny(response),
    ],
    resolve: (c) => new Response(c.locals.org),
  });
  // A scope, a guard that lets only valid input pass behind it, and a extra argument.
  const scope = route.with({ prefix: "/v1", guards: [beforeBody(authenticated), denyInvalid(() => response)] });
  const scoped = scope.post("/books", {
    request: { body: isTitle },
    resolve: (c) => new Response(c.locals.user.name + c.input.body.title),
  });
  const onExtra = route.get("/extra", { guards: [beforeBody(bound)], resolve: () => response });
  const app = setup({ validator: accepting, handlers: [created, kept, inline, scoped, onExtra] });
  app.fetch(new Request("http://localhost/"), { KEY: "x" });
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  app.fetch(new Request("http://localhost/"));

  // @ts-expect-error at `beforeBody(slowly)`: No guard before this one adds the local "user". If onRequest returns it,
  //   use route.with<{ user: … }>()
  setup({ handlers: [route.get("/", { guards: [beforeBody(slowly)], resolve: () => response })] });
  // @ts-expect-error at `true`: Type 'boolean' is not assignable to type 'GuardResult<…'.
  beforeBody(() => true);
  // Nothing is valid yet, so this guard would deny every request.
  // @ts-expect-error at `denyInvalid(() => response)`: A guard before the body cannot require valid input: nothing has
  //   been validated yet
  beforeBody(denyInvalid(() => response));
  // @ts-expect-error at `async (c) => await Promise.resolve(c.inp…`: A guard before the body cannot require valid
  //   input: nothing has been validated yet
  beforeBody(async (c) => await Promise.resolve(c.input.ok ? { allow: true, valid: true } : deny(response)));
  beforeBody(() => deny(response));
  // @ts-expect-error at `early`: Put guards with beforeBody first: those without it run after the body is read
  route.get("/", { guards: [authenticated, early], resolve: () => response });
  // @ts-expect-error at `beforeBody(() => allow())`: Put guards with beforeBody first: those without it run after the
  //   body is read
  route.get("/", { guards: [early, () => allow(), beforeBody(() => allow())], resolve: () => response });
  // @ts-expect-error at `early`: Put guards with beforeBody first: those without it run after the body is read
  route.with({ guards: [authenticated, early] });
  const annotated: GuardFn<{ user: User }, { admin: boolean }> = () => allow({ admin: true });
  route.get("/", {
    guards: [early, beforeBody(annotated)],
    resolve: (c) => {
      exact<Exact<typeof c.locals.admin, boolean>>();
      return response;
    },
  });
  exact<Exact<ReturnType<typeof early>, ReturnType<typeof authenticated>>>();
  exact<Exact<Parameters<typeof early>, [c: Context<NoLocals>]>>();
}

/** Locals whose type is a type parameter, in an annotation. */
export function annotatedGeneric() {
  const keyed =
    <Key extends string, T>(key: Key, value: T) => (_c: Context): GuardResult<{ readonly [K in Key]: T }> => ({
      allow: true,
      locals: { [key]: value } as { readonly [K in Key]: T },
    });
  const tenant = keyed("tenant", 7);
  route.get("/", { guards: [tenant], resolve: (c) => new Response(`${c.locals.tenant satisfies number}`) });
}
