import { z } from "zod";

/**
 * A whole number in a query: decimal digits and nothing else. `z.coerce.number` accepts `0x10`, `1e3`, `+5` and `5.0`,
 * too. In JSON Schema it is an integer. Give it a default with `prefault`: a `default` would be missing there.
 */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): z.ZodType<number> {
  const error = `Must be a whole number from ${min} to ${max}, in decimal digits`;
  return z.preprocess(
    (value) => typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value,
    z.int({ error, abort: true }).min(min, { error }).max(max, { error }),
  );
}
