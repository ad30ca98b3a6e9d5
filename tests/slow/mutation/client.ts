/** The tests that mutants of the client have to fail. */
import "../../entry_points/client/client_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
