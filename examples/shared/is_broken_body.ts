/**
 * Tells a body that could not be read to its end, as the client broke off or sent no valid chunks, from failures of the
 * server's own. Deno has one class of errors for all that is gone before it was read.
 *
 * @param error What `onError` got.
 * @param request The request.
 * @returns Whether it is the client's doing: a 400, where there is anybody left to read it.
 */
export function isBrokenBody(error: unknown, request: Request): boolean {
  return error instanceof Deno.errors.BadResource && request.bodyUsed;
}
