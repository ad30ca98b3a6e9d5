import { hasProperties, requireThat } from "../core/values/assert.ts";

/**
 * Requires the module `@opentelemetry/api`.
 *
 * @param api What should be the module.
 * @param owner The function that has received it.
 * @throws A `TypeError` if it is something else.
 */
export function requireModule(api: unknown, owner: string): void {
  const isModule = hasProperties(api) && ["trace", "context", "propagation", "metrics"].every((name) => name in api);
  requireThat(isModule, `Argument api of ${owner}`, 'import * as api from "@opentelemetry/api"', api);
}
