import type { KindOfResponse } from "./kind.ts";
import { describeError } from "../describe_error.ts";

/** The app rejects, or the body of its response breaks off. */
export const throws: KindOfResponse<"throws"> = {
  kind: "throws",
  meaning: "The app rejects with an error, or the body of its response breaks off.",
  shownBy: "response",
  judge({ result: { thrown } }) {
    if (thrown === undefined) return undefined;
    const { name, message, at } = describeError(thrown.error);
    return { what: `throws ${name}: ${message}${at && ` at ${at}`}`, key: `throws ${name} ${at || message}` };
  },
};
