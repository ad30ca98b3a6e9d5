/** The tests that mutants of `@fw/core/events` have to fail. */
import "../../entry_points/events/read_events_test.ts";
import "../../entry_points/events/reply_events_test.ts";
import "../../entry_points/events/resume_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
