/** The tests that mutants of the module for tests have to fail. */
import "../../entry_points/testing/hold_to_endpoints_test.ts";
import "../../entry_points/testing/hold_to_streams_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
