// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/csrf.ts
//
// Guards against cross-site request forgery (CSRF) by `Sec-Fetch-Site`, `Origin` and the content type.
// It only uses web standards, so it also runs on Bun and Node.js.
//
// curl -i -H 'origin: http://localhost:8000' -H 'content-type: application/json' \
//   -d '{"to":"grace","amount":5}' http://localhost:8000/transfers
//
// A page of another site can make a browser send a request, and the browser adds the cookies of our site to it. Every route
// that changes something for a user who is known by a cookie needs these guards, and must not answer to GET.
//
// A JSON body is no defence. A form with `enctype="text/plain"` can send text that is JSON, without a preflight, and the
// framework parses a body as JSON whatever its content type. `SameSite=Lax` is not enough by itself: a page on another
// subdomain is of the same site.

import { allow, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";

/**
 * Creates the guard that denies requests of other pages than our own. It does not look at the method: list it for the routes
 * that change something.
 *
 * `Sec-Fetch-Site: same-origin` is enough. Browsers send this header over https and to localhost, and no page can set it.
 * Otherwise the origin must be one of the list: for older browsers, and for trusted pages elsewhere. A request with neither
 * header is denied. Every browser sends `Origin` with a POST.
 *
 * @param origins The origins of the pages, such as `https://app.example.com`. They are compared as a whole.
 * @returns The guard.
 */
export function fromOwnPages(origins: ReadonlySet<string>) {
  return ({ request: { headers } }: Context) => {
    if (headers.get("sec-fetch-site") === "same-origin") return allow();
    return origins.has(headers.get("origin") ?? "") ? allow() : deny(reply(403, { error: "Cross-site request" }));
  };
}

/**
 * Denies bodies whose content type is not JSON. A page of another origin can send JSON only after a preflight.
 *
 * @param c The context.
 * @returns Denies with 415.
 */
export function jsonBody({ request: { headers } }: Context) {
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  return type === "application/json" ? allow() : deny(reply(415, { error: "Unsupported media type" }));
}

const failure = z.object({ error: z.string() });
const transfer = z.object({ to: z.string().min(1), amount: z.int().positive() });

const ownPages = beforeBody(fromOwnPages(new Set(["http://localhost:8000"])));

/** All routes of this scope have the guards. They come before `denyInvalid`: a forged request learns nothing of its input. */
const protectedRoute = route.with({
  guards: [ownPages, beforeBody(jsonBody), denyInvalid(({ issues }) => reply(400, { issues }))],
  responses: {
    400: { schema: z.object({ issues: z.array(z.unknown()) }) },
    403: { schema: failure },
    415: { schema: failure },
  },
});

const app = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    protectedRoute.post("/transfers", {
      request: { body: transfer },
      responses: { 201: { schema: transfer } },
      // Here, the guard of sessions.ts would add the user.
      resolve: ({ input }) => reply(201, input.body),
    }),
  ],
});

export default app;
