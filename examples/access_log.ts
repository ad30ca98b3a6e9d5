// npx -y deno@2.9.6 serve examples/access_log.ts
//
// One line of JSON for every request, failed ones included. It names the route by its pattern: nothing that a client has
// written gets into the line, and there are only as many names as routes.
//
// curl http://localhost:8000/books/emma

import { type HookContext, route, setup } from "@fw/core";

const app = setup({
  handlers: [
    route.get("/books/:id", { resolve: ({ raw }) => Response.json({ id: raw.params.id }) }),

    route.get("/broken", {
      resolve: () => {
        throw new Error("The disk is full");
      },
    }),
  ],

  onRequest: () => ({ startedAt: performance.now() }),

  // Runs for every response, once: also for the 404 where no route matches, and for what onError returns.
  onResponse: ({ context, response, locals: { startedAt } }) => {
    // Until the response begins; its body may take longer to send.
    const durationMs = startedAt === undefined ? null : Number((performance.now() - startedAt).toFixed(1));
    console.log(JSON.stringify({ ...describe(context), status: response.status, durationMs }));
  },

  // A line of its own: JSON keeps the stack, line breaks and all, on it.
  onError: ({ error, context }) => {
    console.error(JSON.stringify({ ...describe(context), error: Deno.inspect(error) }));
    return new Response("Internal server error", { status: 500 });
  },
});

export default app satisfies Deno.ServeDefaultExport;

/** The pattern of the route, not the path; the method, unless it is one that a client has made up. */
function describe({ request, route }: HookContext): { readonly method: string; readonly route: string } {
  return { method: METHODS.has(request.method) ? request.method : "other", route: route?.path ?? "none" };
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
