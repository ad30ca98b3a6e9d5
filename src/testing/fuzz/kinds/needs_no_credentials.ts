import type { KindOfResponse } from "./kind.ts";

/** A guard that is forgotten. */
export const needsNoCredentials: KindOfResponse<"needs no credentials"> = {
  kind: "needs no credentials",
  meaning:
    "An endpoint whose `docs.security` requires credentials responds with 200 to 299 to a request without credentials.",
  shownBy: "response",
  judge({ operation: { security }, actor, isOk, result: { status } }) {
    if (!isOk || actor !== undefined || security !== "some") return undefined;
    return { what: `responds with ${status} to a request without credentials, and declares security` };
  },
};
