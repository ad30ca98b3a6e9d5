import type { HookContext } from "../../mod.ts";

/**
 * Tells a body that could not be read to its end, as the client broke off or sent no valid chunks, from failures of the
 * server's own. It goes by how far the request came, as Deno has many errors for what may happen to a body.
 *
 * @param context What `onError` got.
 * @returns Whether it is the client's doing: a 400, where there is anybody left to read it.
 */
export function isBrokenBody({ request, raw, input }: HookContext): boolean {
  return request.bodyUsed && raw !== undefined && raw.body === undefined && input === undefined;
}
