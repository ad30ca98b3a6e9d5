import { describeKind } from "../core/values/assert.ts";
import type { Span } from "./open_telemetry.ts";

/** The status of a span of what has failed. */
export const ERROR = 2;

/**
 * Records in a span what was thrown.
 *
 * @param span The span.
 * @param error What was thrown.
 * @returns The `error.type`: the name of an error, or `_OTHER`.
 */
export function recordError(span: Span, error: unknown): string {
  span.recordException(error instanceof Error || typeof error === "string" ? error : describeKind(error));
  return error instanceof Error ? error.name : "_OTHER";
}
