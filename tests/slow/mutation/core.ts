/** The tests that mutants of the core have to fail, the quick ones first. */
import "../../core/declare/option_test.ts";
import "../../core/guards/deny_invalid_test.ts";
import "../../core/guards/guard_test.ts";
import "../../core/guards/before_body_test.ts";
import "../../core/input/body_reader_test.ts";
import "../../core/input/headers_test.ts";
import "../../core/form/form_test.ts";
import "../../core/lifecycle_test.ts";
import "../../core/hook_context_test.ts";
import "../../core/setup_test.ts";
import "../../core/declare/route_test.ts";
import "../../core/declare/endpoint_test.ts";
import "../../core/responses/reply_test.ts";
import "../../core/routing/pattern_test.ts";
import "../../core/routing/plain_path_test.ts";
import "../../core/routing/router_test.ts";
import "../../core/input/validate_test.ts";
import "../../core/routing/url_test.ts";
import "../../core/routing/params_test.ts";
import "../../core/input/query_test.ts";
import "../../core/input/body_test.ts";
import "../../core/routing/router_cost_test.ts";
import "../../core/routing/url_cost_test.ts";
import "../../core/hostile_test.ts";
import { runUntilFailure } from "./run_until_failure.ts";

await runUntilFailure();
