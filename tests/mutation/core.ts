/** The tests that mutants of the core have to fail, the quick ones first. */
import "../option_test.ts";
import "../deny_invalid_test.ts";
import "../guard_test.ts";
import "../before_body_test.ts";
import "../body_reader_test.ts";
import "../headers_test.ts";
import "../form_test.ts";
import "../lifecycle_test.ts";
import "../hook_context_test.ts";
import "../setup_test.ts";
import "../route_test.ts";
import "../endpoint_test.ts";
import "../reply_test.ts";
import "../pattern_test.ts";
import "../plain_path_test.ts";
import "../router_test.ts";
import "../validate_test.ts";
import "../url_test.ts";
import "../params_test.ts";
import "../query_test.ts";
import "../body_test.ts";
import "../cost/router_test.ts";
import "../cost/url_test.ts";
import "../hostile_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
