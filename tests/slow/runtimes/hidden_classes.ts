/**
 * Prints, as JSON, how many of the objects of one kind do not share the hidden class of the first. Run it on V8 with
 * `--allow-natives-syntax`.
 */
import { allow, endpoint, reply, route } from "../../../mod.ts";

// Not written out: a parser of TypeScript does not know the syntax.
const share: (a: object, b: object) => boolean = new Function("a", "b", "return %HaveSameMap(a, b)") as never;

const scope = route.with({
  prefix: "/v1",
  docs: { tags: ["v1"] },
  responses: { 401: {} },
  guards: [() => allow()],
});
const copied = { method: "GET", path: "/", guards: [] };

const KINDS: { readonly [kind: string]: (n: number) => object } = {
  "of a method": (n) => route.get(`/${n}`, { resolve: () => new Response() }),
  "with a schema": (n) => route.post(`/${n}`, { request: { body: {} }, resolve: () => new Response() }),
  "in a scope": (n) => scope.get(`/${n}`, { docs: {}, responses: { 204: {} }, resolve: () => reply(204) }),
  "of an endpoint": (n) => route.on(endpoint.get(`/${n}`), { resolve: () => new Response() }),
  // What routes must not be.
  "that a spread copies": (n) => ({ ...copied, path: `/${n}`, resolve: () => new Response() }),
};

const alone = Object.entries(KINDS).map(([kind, create]) => {
  const [first, ...others] = Array.from({ length: 50 }, (_, n) => create(n));
  return [kind, others.filter((other) => !share(first as object, other)).length];
});
console.log(JSON.stringify(Object.fromEntries(alone)));
