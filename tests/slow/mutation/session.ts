/** The tests that mutants of `@fw/core/session` have to fail. */
import "../../doors/session/session_store_test.ts";
import "../../doors/session/own_pages_test.ts";
import "../../doors/session/sessions_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
