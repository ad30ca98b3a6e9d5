// npx -y deno@2.9.6 check examples/recipes/modules/unmet_needs.ts
//
// What the compiler says where the need of a guard is not met. Where one of these errors is missing, the check fails.

import { route, setup } from "@fw/core";
import { authenticated, librarianOnly, type Routes } from "./guards.ts";

/** No guard before this one adds the user that it needs, so it is left to `onRequest`. */
const unguarded = route.delete("/books/:id", {
  guards: [librarianOnly],
  resolve: () => new Response(null, { status: 204 }),
});

/** `satisfies` reports it in the file of the feature, on the route. */
export const routes = [
  // @ts-expect-error at `unguarded`: Property 'user' is missing in type 'OnEachRequest' but required in type '{
  //   readonly user: User; }'.
  unguarded,
] satisfies Routes;

/** `setup` reports it too, whatever file the route is from. */
export const app = () =>
  setup({
    handlers: [
      // @ts-expect-error at `unguarded`: This route needs the local "user". List a guard that adds it before the guard
      //   that reads it, or return "user" from onRequest
      unguarded,
    ],
  });

/** Guards run in order: here the one that adds the user comes too late. */
export const misordered = () =>
  setup({
    handlers: [
      // @ts-expect-error at `route.delete("/books/:id", {`: The order of the guards is wrong: "user" is needed before
      //   the guard that adds it. Put that guard first, or return "user" from onRequest
      route.delete("/books/:id", {
        guards: [librarianOnly, authenticated],
        resolve: (c) => new Response(c.locals.user.name),
      }),
    ],
  });
