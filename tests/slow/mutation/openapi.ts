/** The tests that mutants of the OpenAPI part have to fail. */
import "../../doors/openapi/bodies_test.ts";
import "../../doors/openapi/docs_test.ts";
import "../../doors/openapi/libraries_test.ts";
import "../../doors/openapi/openapi_test.ts";
import "../../doors/openapi/parameters_test.ts";
import "../../doors/openapi/paths_test.ts";
import "../../doors/openapi/references_test.ts";
import "../../doors/openapi/responses_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
