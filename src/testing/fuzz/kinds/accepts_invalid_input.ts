import type { KindOfResponse } from "./kind.ts";

/** A handler that does not look at `c.input.ok`. */
export const acceptsInvalidInput: KindOfResponse<"accepts invalid input"> = {
  kind: "accepts invalid input",
  meaning: "A request that a schema rejects gets a status from 200 to 299. The handler does not check `c.input.ok`.",
  shownBy: "response",
  judge({ prepared: { isValid, invalid, reasons }, isOk, result: { status } }) {
    if (isValid !== false || !isOk) return undefined;
    return { what: `accepts invalid ${invalid.join(" and ")} with ${status}`, details: reasons };
  },
};
