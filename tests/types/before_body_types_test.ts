/** Types of guards that run before the body is read. If this file compiles, the tests have passed. */
import {
  allow,
  beforeBody,
  type Context,
  deny,
  denyInvalid,
  type GuardFn,
  type Input,
  type NoLocals,
  route,
  setup,
} from "../../mod.ts";
import { accepting } from "../support/accepting.ts";

type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const exact = <_Same extends true>(): void => {};
const response = new Response();
interface User {
  readonly name: string;
}
const authenticated = (c: Context) =>
  c.request.headers.has("x") ? allow({ user: { name: "Ada" } as User }) : deny(response);
const slowly = async (c: Context<{ user: User }>) => await Promise.resolve(allow({ limit: c.locals.user.name.length }));
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

// @ts-expect-error at `route.get("/", { guards: [beforeBody(slo…`: This route needs the local "user". List a guard that
//   adds it before the guard that reads it, or return "user" from onRequest
setup({ handlers: [route.get("/", { guards: [beforeBody(slowly)], resolve: () => response })] });
// @ts-expect-error at `true`: Type 'boolean' is not assignable to type 'GuardResult<…'.
beforeBody(() => true);
// Nothing is valid yet, so this guard would deny every request.
// @ts-expect-error at `denyInvalid(() => response)`: A guard before the body cannot require valid input: nothing has
//   been validated yet
beforeBody(denyInvalid(() => response));
// @ts-expect-error at `async (c) => await Promise.resolve(c.inp…`: A guard before the body cannot require valid input:
//   nothing has been validated yet
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
