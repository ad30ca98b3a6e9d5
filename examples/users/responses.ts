import type { InvalidInput } from "@fw/core";
import type { User } from "./store.ts";

/** 201 with a new user and its location. */
export function created<Created extends User>(user: Created): Response {
  return Response.json(user, { status: 201, headers: { location: `/users/${user.id}` } });
}

/** 413 if the body is too large, otherwise 400. Both list the issues of all parts of the request. */
export function invalid({ issues }: InvalidInput): Response {
  return issues.some(({ code }) => code === "body_too_large")
    ? Response.json({ error: "Body too large", issues }, { status: 413 })
    : Response.json({ error: "Invalid input", issues }, { status: 400 });
}

/** 401. It does not reveal what is wrong with the credential, which would help attackers to guess. */
export function unauthorized(): Response {
  return Response.json({ error: "Unauthorized" }, { status: 401, headers: { "www-authenticate": "Bearer" } });
}

/** 403: the user is known, but not allowed to do this. */
export function forbidden(): Response {
  return Response.json({ error: "Forbidden" }, { status: 403 });
}

/** 404: there is no such resource. */
export function notFound(): Response {
  return Response.json({ error: "Not found" }, { status: 404 });
}

/** 409: another user has this e-mail address. */
export function emailTaken(): Response {
  return Response.json({ error: "E-mail is already taken" }, { status: 409 });
}

/** 415: the content type is not JSON. */
export function unsupportedMediaType(): Response {
  return Response.json({ error: "Content-Type must be JSON" }, { status: 415 });
}

/** 429: too many sign-ins have failed. `wait` is in seconds. */
export function tooManyAttempts(wait: number): Response {
  return Response.json({ error: "Too many failed sign-ins" }, {
    status: 429,
    headers: { "retry-after": String(wait) },
  });
}

/** 503: the instance is overloaded. The client can retry, and may reach another instance. */
export function overloaded(): Response {
  return Response.json({ error: "Overloaded" }, { status: 503, headers: { "retry-after": "1" } });
}
