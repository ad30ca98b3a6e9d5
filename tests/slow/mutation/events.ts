/** The tests that mutants of `@fw/core/events` have to fail. */
import "../../doors/events/read_events_test.ts";
import "../../doors/events/reply_events_test.ts";
import "../../doors/events/resume_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
