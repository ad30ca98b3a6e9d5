import { OLD_VERSION } from "../prepare.ts";
import type { KindOfResponse } from "./kind.ts";

/** A change of a version that its sender has not seen. */
export const ignoresIfMatch: KindOfResponse<"ignores If-Match"> = {
  kind: "ignores If-Match",
  meaning:
    "An endpoint that declares 412 responds with 200 to 299 to a request whose `If-Match` names a version that never existed.",
  shownBy: "response",
  judge({ operation: { expectation }, prepared: { headers }, isOk, result: { status } }) {
    const isAsked = isOk && headers.get("if-match") === OLD_VERSION;
    if (!isAsked || !Object.hasOwn(Object(expectation.responses), 412)) return undefined;
    return { what: `responds with ${status} to If-Match: ${OLD_VERSION}, which is not a version of the resource` };
  },
};
