/** The tests that mutants of `@fw/core/session` have to fail. */
import "../../core/session/session_store_test.ts";
import "../../core/session/own_pages_test.ts";
import "../../core/session/sessions_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
