/** The tests that mutants of `@fw/core/events` have to fail. */
import "../../core/events/read_events_test.ts";
import "../../core/events/reply_events_test.ts";
import "../../core/events/resume_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
