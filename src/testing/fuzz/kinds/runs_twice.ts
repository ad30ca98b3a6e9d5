import { ID } from "../names.ts";
import { isSuccess } from "../run.ts";
import type { KindOfResponse } from "./kind.ts";

/** A retry that does the work again. */
export const runsTwice: KindOfResponse<"runs twice"> = {
  kind: "runs twice",
  meaning: "A request with `Idempotency-Key` is sent twice, and the second response has another id.",
  shownBy: "response",
  async judge({ operation: { parts, isSafe }, prepared, isOk, result, run }) {
    if (!isOk || isSafe || !prepared.headers.has(KEY)) return undefined;
    const isDeclared = parts.some(({ name, properties }) =>
      name === "headers" && Object.keys(properties).some((key) => key.toLowerCase() === KEY)
    );
    const id = idOf(result.json);
    if (!isDeclared || id === undefined) return undefined;
    const again = await run.probe(prepared);
    const other = idOf(again.json);
    if (!isSuccess(again.status) || other === undefined || other === id) return undefined;
    return {
      what: `responds with id ${id}, and with id ${other} when the same request with the same ${KEY} is sent again`,
    };
  },
};

const KEY = "idempotency-key";

/** The id of the thing that a response has made. */
function idOf(json: unknown): string | undefined {
  const [found] = Object.entries(Object(json)).filter(([key]) => ID.test(key));
  return found === undefined ? undefined : JSON.stringify(found[1]);
}
