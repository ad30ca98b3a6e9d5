/** The tests that mutants of the OpenAPI part have to fail. */
import "../../core/openapi/bodies_test.ts";
import "../../core/openapi/docs_test.ts";
import "../../core/openapi/libraries_test.ts";
import "../../core/openapi/openapi_test.ts";
import "../../core/openapi/parameters_test.ts";
import "../../core/openapi/paths_test.ts";
import "../../core/openapi/references_test.ts";
import "../../core/openapi/responses_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
