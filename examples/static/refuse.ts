import { reply } from "@fw/core";
import type { Refusal, RefusedStatus } from "@fw/core/files";

const ERRORS: Readonly<Record<RefusedStatus, string>> = {
  400: "Invalid name",
  403: "Forbidden",
  404: "Not found",
  412: "The file has changed",
  416: "Range not satisfiable",
  503: "Overloaded",
};

/** The responses without a file. */
export function refuse(_c: unknown, { status }: Refusal) {
  const headers = { "retry-after": status === 503 ? "5" : undefined };
  return reply(status, { error: ERRORS[status] }, { headers });
}
