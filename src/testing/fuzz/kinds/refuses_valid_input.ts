import type { KindOfResponse } from "./kind.ts";

/** A rule of the input that the schemas do not say. */
export const refusesValidInput: KindOfResponse<"refuses valid input"> = {
  kind: "refuses valid input",
  meaning:
    "A request that all schemas accept gets 400 or 422, as if it were invalid: say the rule in the schema, or respond with 409.",
  shownBy: "response",
  judge({ prepared: { isValid }, result, past }) {
    const { status } = result;
    if (!isValid || status !== 400 && status !== 422 || !past.refusesLike(result)) return undefined;
    return { what: `refuses valid input with ${status}, as if it were invalid` };
  },
};
