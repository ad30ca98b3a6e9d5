/** The tests that mutants of `@fw/core/session` have to fail. */
import "../../entry_points/memory/session_store_test.ts";
import "../../entry_points/session/own_pages_test.ts";
import "../../entry_points/session/sessions_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
