// npx -y deno@2.9.6 serve --allow-env=ISSUER,AUDIENCE,JWKS --allow-net examples/recipes/jwt.ts
//
// Lets in bearers of a signed token (JWT), whose issuer publishes its keys (JWKS), and asks for scopes.
// It also runs on Bun and Node.js. These variables say whose tokens it accepts:
//
// ISSUER=https://issuer.example.com AUDIENCE=https://api.example.com JWKS=https://issuer.example.com/jwks.json
//
// curl -i -H "authorization: Bearer $TOKEN" http://localhost:8000/books

import { allow, type App, deny, type GuardFn, type NoLocals, route, setup } from "@fw/core";
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import { readVariable } from "../shared/read_variable.ts";

/** Whose tokens are accepted. */
export interface Trust {
  readonly issuer: string;
  /** What the tokens must be meant for: this API. */
  readonly audience: string;
  /** Finds the key that a token says it is signed with. */
  readonly keys: JWTVerifyGetKey;
}

/** What a token says, once it is verified. The issuer signs it, but what is in it is checked as any input. */
const claims = z.object({ sub: z.string().min(1), scope: z.string().default("") });

/** What the first guard adds. */
interface Bearer {
  readonly userId: string;
  readonly scopes: ReadonlySet<string>;
}

/** Makes the guard that lets in only bearers of a valid token, and adds what it says. */
export function authenticatedBy({ issuer, audience, keys }: Trust): GuardFn<NoLocals, Bearer> {
  return async ({ request }) => {
    const token = BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
    if (token === undefined) return deny(refuse(401)); // no error code for who sends no token (RFC 6750)
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ["ES256"], // of the issuer's choice, never of the token's
        typ: "at+jwt", // no id token (RFC 9068); leave it out if your issuer does not send it
        requiredClaims: ["exp"],
        clockTolerance: 5, // seconds
      });
      const { sub, scope } = claims.parse(payload);
      return allow({ userId: sub, scopes: new Set(scope.split(" ")) });
    } catch (error) {
      if (error instanceof z.ZodError || (error instanceof errors.JOSEError && !OURS.has(error.code))) {
        return deny(refuse(401, 'error="invalid_token"'));
      }
      console.error("The keys of the issuer are not available:", error);
      return deny(new Response("Try again", { status: 503, headers: { "retry-after": "5" } }));
    }
  };
}

const BEARER = /^bearer +(\S+)$/i;

/** Errors in what the issuer sends. All others of jose are in the token. */
const OURS = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"]);

/** Makes the guard that asks for a scope. Without a guard before it that adds the scopes, the app does not compile. */
export function requireScope(scope: string): GuardFn<Pick<Bearer, "scopes">> {
  return ({ locals: { scopes } }) =>
    scopes.has(scope) ? allow() : deny(refuse(403, `error="insufficient_scope", scope="${scope}"`));
}

function refuse(status: number, parameters = ""): Response {
  return new Response(null, { status, headers: { "www-authenticate": `Bearer ${parameters}`.trim() } });
}

/** Creates the app. */
export function createApp(trust: Trust): App {
  const api = route.with({ guards: [authenticatedBy(trust)] });
  const writeBooks = requireScope("books:write");
  return setup({
    handlers: [
      api.get("/books", { resolve: (c) => Response.json({ readBy: c.locals.userId }) }),
      api.post("/books", {
        guards: [writeBooks],
        resolve: (c) => Response.json({ createdBy: c.locals.userId }, { status: 201 }),
      }),
    ],
  });
}

export default createApp({
  issuer: readVariable("ISSUER") ?? "https://issuer.example.com",
  audience: readVariable("AUDIENCE") ?? "https://api.example.com",
  // Fetched when a token comes, again after ten minutes, and for a key that is not known, at most every 30 seconds. An
  // issuer that changes its key publishes the new one before it signs with it.
  keys: createRemoteJWKSet(new URL(readVariable("JWKS") ?? "https://issuer.example.com/jwks.json")),
});
