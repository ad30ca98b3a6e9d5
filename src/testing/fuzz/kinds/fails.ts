import { describeError } from "../describe_error.ts";
import type { KindOfResponse } from "./kind.ts";

/** A status from 500 on. */
export const fails: KindOfResponse<"fails"> = {
  kind: "fails",
  meaning: "The app responds with a status from 500 on. A declared 503 with `Retry-After` is no fault.",
  shownBy: "response",
  judge({ operation: { expectation: { responses } }, result: { status, headers, errors } }) {
    if (status < 500) return undefined;
    const isDeclared = responses !== undefined && Object.hasOwn(responses, status);
    if (isDeclared && status === 503 && headers.has("retry-after")) return undefined;
    if (errors.length === 0) return { what: `responds with ${status}`, key: `fails ${status}` };
    const { name, message, at } = describeError(errors[0]);
    return {
      what: `responds with ${status}: ${name}: ${message}${at && ` at ${at}`}`,
      key: `fails ${status} ${name} ${at || message}`,
    };
  },
};
