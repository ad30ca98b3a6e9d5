import { ID } from "../names.ts";
import type { KindOfEndpoint } from "./kind.ts";

/** A property that a request declares, and that has no effect. */
export const ignoresAProperty: KindOfEndpoint<"ignores a property"> = {
  kind: "ignores a property",
  meaning:
    "A request declares a property that has no effect: all responses to POST have the same value for it, or a PUT or PATCH never changes it.",
  shownBy: "endpoint",
  judge(_operation, { saves }) {
    for (const [name, { ignored, sent, answers, hasChanged, first }] of saves) {
      const isIgnored = !hasChanged && answers.size < 2 && ignored >= ENOUGH && sent.size >= DIFFERENT;
      if (first === undefined || !isIgnored || ID.test(name)) continue;
      const { request, result } = first;
      return {
        what: `ignores ${name}: ${ignored} requests sent other values, such as ${first.sent.slice(0, 60)}`,
        request,
        result,
      };
    }
    return undefined;
  },
};

/** How many requests have sent another value, and how many values. */
const ENOUGH = 6;
const DIFFERENT = 2;
