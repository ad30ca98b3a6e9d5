// npx -y deno@2.9.6 serve examples/recipes/csrf.ts
//
// Guards against cross-site request forgery: by `Sec-Fetch-Site` and `Origin`, and by the content type.
// It only uses web standards, so it also runs on Bun and Node.js.
//
// curl -i -H 'origin: http://localhost:8000' -H 'content-type: application/json' \
//   -d '{"to":"grace","amount":5}' http://localhost:8000/transfers
//
// A browser adds the cookies of a site to requests that pages of other sites make it send. What needs these guards is every
// route that changes something for a user who is known by a cookie. Such a route must not answer to GET.
//
// That a route takes JSON is no defence. A form with `enctype="text/plain"` can send text that is JSON, without a preflight,
// and the framework parses a body as JSON whatever its content type. Nor is `SameSite=Lax` enough by itself: it treats
// other subdomains as the same site.

import { allow, type Context, deny, denyInvalid, type GuardFn, type GuardResult, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";

/**
 * Makes the guard that lets in only requests of our own pages, whatever the method: list it for routes that change something.
 *
 * `Sec-Fetch-Site: same-origin` is enough. Browsers send it to https and to localhost, and no page can set it. Otherwise the
 * origin must be listed: a trusted page elsewhere, or a browser without Fetch Metadata. Requests with neither header are
 * denied, as every browser sends `Origin` with a POST.
 *
 * @param origins The origins of the pages, such as `https://app.example.com`. They are compared as a whole.
 * @returns The guard.
 */
export function fromOwnPages(origins: ReadonlySet<string>): GuardFn {
  return ({ request: { headers } }) => {
    if (headers.get("sec-fetch-site") === "same-origin") return allow();
    return origins.has(headers.get("origin") ?? "") ? allow() : deny(refuse(403, "Cross-site request"));
  };
}

/**
 * Lets in only bodies that claim to be JSON. Pages of other origins cannot send them without a preflight.
 *
 * @param c The context.
 * @returns 415 for all others.
 */
export function jsonBody({ request: { headers } }: Context): GuardResult {
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  return type === "application/json" ? allow() : deny(refuse(415, "Unsupported media type"));
}

const ownPages = fromOwnPages(new Set(["http://localhost:8000"]));

/** The guards come first in the scope: a forged request learns nothing, and no route in it is forgotten. */
const protectedRoute = route.with({
  guards: [ownPages, jsonBody, denyInvalid(({ issues }) => Response.json({ issues }, { status: 400 }))],
});

const app = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    protectedRoute.post("/transfers", {
      request: { body: z.object({ to: z.string().min(1), amount: z.int().positive() }) },
      // Here, the guard of sessions.ts would add the user.
      resolve: ({ input }) => Response.json(input.body, { status: 201 }),
    }),
  ],
});

export default app;

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
