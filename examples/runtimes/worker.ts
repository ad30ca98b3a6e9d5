// npx -y wrangler@4 dev examples/runtimes/worker.ts --compatibility-date=2026-01-01
//
// In this checkout, tsconfig.json resolves `@fw/core`. In your project, install it first: npx jsr add @fw/core

import { app } from "./routes.ts";

/** What a Worker is bound to; here, nothing but a name. */
interface Bindings {
  readonly RUNTIME?: string;
}

/** As much of Workers' own types as is used here; in a project of theirs they come with `@cloudflare/workers-types`. */
interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}

export default {
  fetch: (request: Request, bindings: Bindings, context: ExecutionContext): Response | Promise<Response> =>
    app.fetch(request, {
      runtime: bindings.RUNTIME ?? "Workers",
      clientAddress: () => request.headers.get("cf-connecting-ip") ?? undefined,
      waitUntil: (work) => context.waitUntil(work), // or the work may end with the response
    }),
};
