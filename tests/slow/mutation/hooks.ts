/** The tests that mutants of the hooks have to fail. */
import "../../core/hooks/compose_test.ts";
import "../../core/hooks/cors_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
