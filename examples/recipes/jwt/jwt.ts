import { allow, type Context, deny, reply } from "@fw/core";
import { errors, jwtVerify, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import { RETRY_AFTER } from "./fetch_keys.ts";

export interface Trust {
  readonly issuer: string;
  /** The audience of the tokens: this API. */
  readonly audience: string;
  /** Finds the key that a token says it is signed with. */
  readonly keys: JWTVerifyGetKey;
}

/** What is read of a verified token. A signature says who wrote it, not that it has the right form. */
const claims = z.object({ sub: z.string().min(1), scope: z.string().default("") });

interface Bearer {
  readonly userId: string;
  readonly scopes: ReadonlySet<string>;
}

/** Creates the guard that requires a valid token, and adds its user and scopes. */
export function authenticatedBy({ issuer, audience, keys }: Trust) {
  let silentUntil = -Infinity;
  return async ({ request }: Context) => {
    const token = BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
    if (token === undefined) return deny(refuse(401)); // no error code where no token is sent (RFC 6750)
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ["ES256"], // the issuer chooses, never the token
        typ: "at+jwt", // rejects id tokens (RFC 9068); leave it out if your issuer does not send it
        requiredClaims: ["exp"],
        clockTolerance: 5, // seconds
      });
      const { sub, scope } = claims.parse(payload);
      return allow<Bearer>({ userId: sub, scopes: new Set(scope.split(" ")) });
    } catch (error) {
      if (error instanceof z.ZodError || (error instanceof errors.JOSEError && !OURS.has(error.code))) {
        return deny(refuse(401, 'error="invalid_token"'));
      }
      const time = performance.now();
      if (time >= silentUntil) {
        silentUntil = time + RETRY_AFTER;
        console.error("The keys of the issuer are not available:", error);
      }
      const headers = { "retry-after": String(RETRY_AFTER / 1000) };
      return deny(reply(503, new Response("Try again", { status: 503, headers })));
    }
  };
}

const BEARER = /^bearer +(\S+)$/i;

/** Errors in what the issuer sends. All other errors of jose are in the token. */
const OURS = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"]);

/** Creates the guard that requires a scope. Without a guard before it that adds the scopes, the app does not compile. */
export function requireScope(scope: string) {
  return ({ locals: { scopes } }: Context<Pick<Bearer, "scopes">>) =>
    scopes.has(scope) ? allow() : deny(refuse(403, `error="insufficient_scope", scope="${scope}"`));
}

function refuse<Status extends 401 | 403>(status: Status, parameters = "") {
  return reply(status, undefined, { headers: { "www-authenticate": `Bearer ${parameters}`.trim() } });
}
