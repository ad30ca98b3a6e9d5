/** The tests that mutants of the adapter for Standard Schema have to fail. */
import "../../entry_points/standard_schema/standard_schema_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
