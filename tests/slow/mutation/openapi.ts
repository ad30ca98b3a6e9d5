/** The tests that mutants of the OpenAPI part have to fail. */
import "../../entry_points/openapi/bodies_test.ts";
import "../../entry_points/openapi/docs_test.ts";
import "../../entry_points/openapi/libraries_test.ts";
import "../../entry_points/openapi/openapi_test.ts";
import "../../entry_points/openapi/parameters_test.ts";
import "../../entry_points/openapi/paths_test.ts";
import "../../entry_points/openapi/references_test.ts";
import "../../entry_points/openapi/responses_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
