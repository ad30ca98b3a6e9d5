import { fails } from "./fails.ts";
import type { KindOfResponse } from "./kind.ts";

/** A response that the endpoint does not declare. */
export const undeclared: KindOfResponse<"undeclared"> = {
  kind: "undeclared",
  meaning:
    "The endpoint does not declare the response, or a message of its socket. The rules for responses are those of `holdToEndpoints`. Declare it, or fix the handler.",
  shownBy: "response",
  judge(exchange) {
    const { operation: { name }, result } = exchange;
    if (result.undeclared === undefined || result.thrown !== undefined || fails.judge(exchange) !== undefined) {
      return undefined;
    }
    const what = result.undeclared.replace(` of ${name}`, "").replace(/^[IMR]/, (first) => first.toLowerCase());
    return { what, key: keyOf(what) };
  },
};

/** What is the same for each item of a list, and for each value. */
function keyOf(what: string): string {
  const [rule = "", faults = ""] = what.replace(/: received .*/, "").replace(/^item \d+/, "item").split(" schema: ");
  return `${rule} ${[...new Set(faults.replace(/\b\d+: /g, "").split("; "))].join()}`;
}
