/** Types of idempotency. If this file compiles, the tests have passed. */
import { allow, type Context, reply, route, setup } from "../../mod.ts";
import { idempotent, type Refusal } from "../../src/idempotency/mod.ts";
import { idempotencyStore } from "../../src/memory/mod.ts";

type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const exact = <_Same extends true>(): void => {};
const text = (value: unknown): value is string => typeof value === "string";
interface Schema {
  readonly "~standard": { readonly types?: { readonly input: { id: number }; readonly output: { id: number } } };
}
const shape: Schema = { "~standard": {} };

const once = idempotent({
  client: (c: Context<{ user: string }>) => c.locals.user,
  lifetime: 60,
  perClient: 9,
  store: idempotencyStore({ most: 10 }),
  refuse: (_c, why) => {
    exact<Exact<typeof why, Refusal>>();
    return why === "missing" ? reply(400, "missing") : reply(409, "running");
  },
  whenStoreFails: () => reply(503, "try again"),
});
const signedIn = () => allow({ user: "ada", age: 36 });
const responses = { 201: { schema: shape }, 400: { schema: text }, 409: { schema: text }, 503: { schema: text } };

// The handler keeps its types: locals, parameters, extra arguments, and what the route declares.
const declared = route.post("/books/:id", {
  responses,
  guards: [signedIn],
  resolve: once(async (c, info: { readonly port: number }) => {
    exact<Exact<typeof c.locals.age, number>>();
    exact<Exact<typeof c.raw.params.id, string>>();
    return await Promise.resolve(reply(201, { id: info.port }));
  }),
});
const app = setup({ handlers: [declared] });
void (() => app.fetch(new Request("http://localhost"), { port: 1 }));
// @ts-expect-error the handler needs the argument
void (() => app.fetch(new Request("http://localhost")));

route.post("/keys", {
  responses,
  guards: [signedIn],
  // @ts-expect-error a key that the schema lacks
  resolve: once(() => reply(201, { id: 1, more: 2 })),
});
route.post("/status", {
  responses,
  guards: [signedIn],
  // @ts-expect-error a status that is not declared
  resolve: once(() => reply(202)),
});
route.post("/undeclared", {
  responses: { 201: { schema: shape }, 400: { schema: text }, 409: { schema: text } },
  guards: [signedIn],
  // @ts-expect-error 503 is not declared
  resolve: once(() => reply(201, { id: 1 })),
});
// @ts-expect-error no guard adds the user
route.post("/stranger", { resolve: once(() => new Response()) });
