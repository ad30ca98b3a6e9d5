import { describeError } from "../describe_error.ts";
import type { KindOfResponse } from "./kind.ts";

/** A status from 500 on. */
export const fails: KindOfResponse<"fails"> = {
  kind: "fails",
  meaning:
    "The app responds with a status from 500 on, or a handler of a socket throws. A declared 503 with `Retry-After` is not a fault.",
  shownBy: "response",
  judge({ operation: { expectation: { responses } }, result: { status, headers, errors, code } }) {
    if (status < 500 && (status !== 101 || errors.length === 0)) return undefined;
    const isDeclared = responses !== undefined && Object.hasOwn(responses, status);
    if (isDeclared && status === 503 && headers.has("retry-after")) return undefined;
    const over = code === 1011 ? "closes the socket with 1011" : "throws when the socket ends";
    const what = status === 101 ? over : `responds with ${status}`;
    if (errors.length === 0) return { what, key: `fails ${status}` };
    const { name, message, at } = describeError(errors[0]);
    return {
      what: `${what}: ${name}: ${message}${at && ` at ${at}`}`,
      key: `fails ${status} ${name} ${at || message}`,
    };
  },
};
