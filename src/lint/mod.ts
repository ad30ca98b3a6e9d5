/**
 * A plugin for `deno lint` and ESLint. Its rule `no-dropped-result` reports results that nothing receives: a `deny`
 * without `return` lets the request pass, and a `reply` without it is not sent.
 *
 * It reports calls of `allow`, `deny`, `denyInvalid`, `beforeBody`, `every`, `reply`, `replyAs` and the functions that this
 * makes, `replyEvents`, `replyLines`, and each method of `route`, `endpoint` and their scopes. It also reports calls of
 * your own guards: functions and methods of the same file that return results of `allow` or `deny`, or that their types
 * declare as `GuardFn` or `GuardResult`. `await signedIn(c); return allow();` lets everybody in.
 *
 * It follows what one file says: imports under any name, `import * as fw`, and constants such as
 * `const members = route.with(…)`. It does not see guards and scopes that another file exports, variables of `let`, and
 * callbacks whose result their caller drops.
 *
 * In `deno.json`:
 *
 * ```json
 * { "lint": { "plugins": ["jsr:@fw/core/lint"] } }
 * ```
 *
 * @example What the rule reports
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import lint from "@fw/core/lint";
 *
 * const guard = `
 *   import { allow, deny, reply } from "@fw/core";
 *   export function signedIn(c) {
 *     if (!c.request.headers.has("authorization")) deny(reply(401));
 *     return allow();
 *   }`;
 *
 * const [problem] = Deno.lint.runPlugin(lint, "guard.ts", guard);
 * assertEquals(problem?.id, "fw/no-dropped-result");
 * assertEquals(problem?.message, "The result of `deny` is dropped, so it decides nothing: write `return deny(…)`");
 * ```
 *
 * @module
 */

import { noDroppedResult } from "./no_dropped_result.ts";
import type { LintPlugin } from "./syntax.ts";

/** The plugin: `no-dropped-result` is its rule. */
const plugin: LintPlugin = { name: "fw", rules: { "no-dropped-result": noDroppedResult } };

export default plugin;
export type { LintContext, LintNode, LintPlugin, LintRule, LintVisitor } from "./syntax.ts";
