import { readVariable } from "../../examples/shared/read_variable.ts";

/**
 * Asserts that tests may be skipped if something that they need is missing. CI sets `NO_SKIPS`, so no test is skipped there.
 *
 * @param missing What is missing, for the error message.
 * @throws If `NO_SKIPS` is set.
 */
export function assertMaySkip(missing: string): void {
  if (readVariable("NO_SKIPS")) throw new Error(`${missing} is missing, and NO_SKIPS allows no test to be skipped`);
}
