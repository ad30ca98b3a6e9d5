/**
 * Whether a response with this status has no body: a null body status of Fetch.
 *
 * @param status The status.
 */
export function isNullBodyStatus(status: number): boolean {
  return status === 204 || status === 304 || status === 205 || status === 101;
}
