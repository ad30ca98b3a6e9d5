/** The tests that mutants of the OpenAPI part have to fail. */
import "../../core/openapi/openapi_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
