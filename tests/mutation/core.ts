/** The tests that mutants of the core have to fail, the quick ones first. */
import "../option_test.ts";
import "../deny_invalid_test.ts";
import "../guard_test.ts";
import "../lifecycle_test.ts";
import "../hook_context_test.ts";
import "../setup_test.ts";
import "../route_test.ts";
import "../pattern_test.ts";
import "../router_test.ts";
import "../validate_test.ts";
import "../url_test.ts";
import "../raw_test.ts";
import "../hostile_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
