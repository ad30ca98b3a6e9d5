// npx -y wrangler@4 dev examples/runtimes/worker.ts --compatibility-date=2026-01-01
//
// Serves the routes of routes.ts on Cloudflare Workers.
//
// In this checkout, tsconfig.json resolves `@fw/core`. In your project, install it first: npm install @fw/core

import { createApp } from "./routes.ts";

interface Bindings {
  readonly RUNTIME?: string;
}

/** The types of Workers that this file uses. In a Workers project, install `@cloudflare/workers-types` instead. */
interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}

// Cloudflare passes only valid Host headers on, and nothing here decides by the path before the Worker.
const app = createApp({ trustUrl: true });

export default {
  fetch: (request: Request, bindings: Bindings, context: ExecutionContext): Response | Promise<Response> =>
    app.fetch(request, {
      runtime: bindings.RUNTIME ?? "Workers",
      clientAddress: () => request.headers.get("cf-connecting-ip") ?? undefined,
      // Without `waitUntil`, Workers may stop the work after the response. With it, the work gets 30 seconds.
      afterResponse: (work) => {
        context.waitUntil(work(AbortSignal.timeout(25_000)));
        return true;
      },
    }),
};
