/**
 * The error for a response that the endpoint does not declare. Its status is another one, a required header is missing,
 * its body is not the declared JSON, or the validator rejects the body. The message has no credentials, no values of
 * parameters, no query, and no string of the response.
 *
 * @example A status that is not declared
 * ```ts
 * import { endpoint } from "@fw/core";
 * import { createClient, UnexpectedResponse } from "@fw/core/client";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const client = createClient({ ping: endpoint.get("/ping", { responses: { 204: {} } }) }, {
 *   fetch: () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
 * });
 * const error = await assertRejects(() => client.ping(), UnexpectedResponse);
 * assertEquals(error.message, "GET http://localhost/ping has answered 502");
 * assertEquals(await error.response.text(), "<h1>Bad gateway</h1>");
 * ```
 */
export class UnexpectedResponse extends Error {
  /** The name of the class. */
  override readonly name = "UnexpectedResponse";
  /** The status of the response; 0 for a redirect that a browser hides. */
  declare readonly status: number;
  /** The url that was requested. */
  declare readonly url: string;
  /** The response. Its body is unread if the status is not declared, or if a required header is missing. */
  declare readonly response: Response;

  /**
   * Creates the error. The client calls this.
   *
   * @param request The request.
   * @param response The response.
   * @param path The pattern of the endpoint, for the message.
   * @param fault The fault of the response, if its status is declared. The message ends with it.
   * @param options `cause` is the result of the validator, if there is one.
   */
  constructor(
    request: Request,
    response: Response,
    path: string,
    fault = ", with another body than declared",
    options?: ErrorOptions,
  ) {
    super(`${request.method} ${new URL(request.url).origin}${path} has answered ${response.status}${fault}`, options);
    this.status = response.status;
    this.url = request.url;
    this.response = response;
  }
}
