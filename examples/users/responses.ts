import type { InvalidInput } from "@fw/core";
import type { User } from "./store.ts";

/** 201 with a new user, and where it is. */
export function created<Created extends User>(user: Created): Response {
  return Response.json(user, { status: 201, headers: { location: `/users/${user.id}` } });
}

/** 413 if the body is too large to be read, else 400; with everything that is wrong in any part of the request. */
export function invalid({ issues }: InvalidInput): Response {
  return issues.some(({ code }) => code === "body_too_large")
    ? Response.json({ error: "Body too large", issues }, { status: 413 })
    : Response.json({ error: "Invalid input", issues }, { status: 400 });
}

/** 401, the same whatever is wrong with the credential, so that nobody learns by guessing. */
export function unauthorized(): Response {
  return Response.json({ error: "Unauthorized" }, { status: 401, headers: { "www-authenticate": "Bearer" } });
}

/** 403: known who it is, and not allowed. */
export function forbidden(): Response {
  return Response.json({ error: "Forbidden" }, { status: 403 });
}

/** 404. */
export function notFound(): Response {
  return Response.json({ error: "Not found" }, { status: 404 });
}

/** 409. */
export function emailTaken(): Response {
  return Response.json({ error: "E-mail is already taken" }, { status: 409 });
}

/** 415. */
export function unsupportedMediaType(): Response {
  return Response.json({ error: "Content-Type must be JSON" }, { status: 415 });
}

/** 429: too many sign-ins have failed. The wait is in seconds. */
export function tooManyAttempts(wait: number): Response {
  return Response.json({ error: "Too many failed sign-ins" }, {
    status: 429,
    headers: { "retry-after": String(wait) },
  });
}

/** 503: try again, maybe at another instance. */
export function overloaded(): Response {
  return Response.json({ error: "Overloaded" }, { status: 503, headers: { "retry-after": "1" } });
}
