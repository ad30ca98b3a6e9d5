/** The tests that mutants of the hooks have to fail. */
import "../../entry_points/hooks/compose_test.ts";
import "../../entry_points/hooks/cors_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
