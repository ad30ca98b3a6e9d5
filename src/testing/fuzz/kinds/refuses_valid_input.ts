import { wordsOf } from "../past.ts";
import type { KindOfResponse } from "./kind.ts";

/** A rule of the input that the schemas do not say. */
export const refusesValidInput: KindOfResponse<"refuses valid input"> = {
  kind: "refuses valid input",
  meaning: "A request that all schemas accept gets 400 or 422. Express the rule in the schema, or respond with 409.",
  shownBy: "response",
  judge({ prepared: { isValid }, result, past }) {
    const { status, text } = result;
    if (!isValid || status !== 400 && status !== 422) return undefined;
    const likeness = past.refusesLike(result);
    if (likeness === undefined) return undefined;
    const what = `refuses valid input with ${status}, as if it were invalid`;
    if (likeness === "in these words") return { what };
    // It says something else: a rule of the business depends on what is there, a rule of the input does not.
    return STATE.test(text) ? undefined : { what, doubt: wordsOf(result) };
  },
};

/** What is said of a thing that is there, or is not. */
const STATE =
  /taken|exist|already|duplicate|in use|\bused\b|unique|conflict|enough|insufficient|balance|funds|stock|sold|available|expired|closed|locked|\bfull\b|quota|too many|unknown|not found|no such|archived|cancell?ed|not yet|must first/i;
