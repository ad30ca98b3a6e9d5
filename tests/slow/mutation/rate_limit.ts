/** The tests that mutants of `@fw/core/rate-limit` have to fail. */
import "../../core/rate_limit/by_address_test.ts";
import "../../core/rate_limit/rate_limit_store_test.ts";
import "../../core/rate_limit/limit_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
