import type { Prepared } from "./prepare.ts";
import type { Result } from "./run.ts";

/** What the latest response to each GET of a run was. */
export type ShownByGet = ReadonlyMap<string, VersionShown>;

/** A response with a version. */
export interface VersionShown {
  readonly etag: string | null;
  readonly text: string;
  readonly json: unknown;
}

/** What decides on the response to a GET, beside what the app has. */
export function keyOfShown({ actor, path, query, headers }: Prepared): string {
  return [actor, headers.get("accept"), path, query].join("\n");
}

/**
 * Notes what a GET has shown.
 *
 * @param shown What earlier ones have shown.
 * @param prepared The request.
 * @param result The response.
 */
export function noteShown(
  shown: Map<string, VersionShown>,
  prepared: Prepared,
  { status, headers, text, json }: Result,
): void {
  if (prepared.operation.method !== "GET" || status !== 200) return;
  shown.set(keyOfShown(prepared), { etag: headers.get("etag"), text, json });
}
