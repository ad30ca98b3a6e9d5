/** The tests that mutants of the hooks have to fail. */
import "../../doors/hooks/compose_test.ts";
import "../../doors/hooks/cors_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
