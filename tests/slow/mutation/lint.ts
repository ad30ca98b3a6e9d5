/** The tests that mutants of the lint plugin have to fail. */
import "../../lint/no_dropped_result_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
