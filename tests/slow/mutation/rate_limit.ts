/** The tests that mutants of `@fw/core/rate-limit` have to fail. */
import "../../entry_points/rate_limit/by_address_test.ts";
import "../../entry_points/memory/rate_limit_store_test.ts";
import "../../entry_points/rate_limit/limit_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
