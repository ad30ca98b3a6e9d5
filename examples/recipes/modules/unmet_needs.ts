// npx -y deno@2.9.6 check examples/recipes/modules/unmet_needs.ts
//
// What the compiler says where the need of a guard is not met. Where one of these errors is missing, the check fails.

import { route, setup } from "@fw/core";
import { authenticated, librarianOnly, type Routes } from "./guards.ts";

/** No guard before this one adds the user that it needs. The error stands at the guard, in the file of the feature. */
export const unguarded = route.delete("/books/:id", {
  // @ts-expect-error at `librarianOnly`: No guard before this one adds the local "user". If onRequest returns it, use
  //   route.with<{ user: … }>()
  guards: [librarianOnly],
  resolve: () => new Response(null, { status: 204 }),
});

/** Guards run in order: here the one that adds the user comes too late. */
export const misordered = route.delete("/books/:id", {
  // @ts-expect-error at `librarianOnly`: The guard that adds the local "user" must come before this one
  guards: [librarianOnly, authenticated],
  resolve: (c) => new Response(c.locals.user.name),
});

/** This scope says that `onRequest` returns the tenant. */
const unknownTenant = route.with<{ tenant: string }>().get("/books", {
  resolve: (c) => new Response(c.locals.tenant),
});

/** `satisfies` reports it in the file of the feature, on the route. */
export const routes = [
  // @ts-expect-error at `unknownTenant`: Property 'tenant' is missing in type 'OnEachRequest' but required in type '{
  //   tenant: string; }'.
  unknownTenant,
] satisfies Routes;

/** `setup` reports it once, whatever file the routes are from. */
// @ts-expect-error at `setup({ handlers: [unknownTenant] })`: onRequest must return the local "tenant", which
//   route.with<{ tenant: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
//   instead
export const app = () => setup({ handlers: [unknownTenant] });
