/**
 * Copies a response, so that its headers can be changed: those of `fetch()` and of `Response.redirect` cannot.
 *
 * @param response The response. Its body moves to the copy. Not one of the status 101, of which there is no copy.
 * @param headers The headers of the copy; by default, its own.
 * @returns The copy.
 */
export function copyResponse(response: Response, headers?: Headers): Response {
  const { body, status, statusText } = response;
  if (headers !== undefined) {
    return new Response(body, { status, statusText, headers: describeBody(response, headers) });
  }
  // With the response itself, not with an object of its values, @hono/node-server sends `content-length`.
  const copy = new Response(body, response);
  describeBody(response, copy.headers);
  return copy;
}

/**
 * Removes what headers say of the body of a response, if `fetch()` has decoded it: a runtime sends such a response
 * itself as it is, and a copy of it with the decoded body.
 *
 * @param response The response.
 * @param headers Its headers, which are changed.
 * @returns The headers.
 */
export function describeBody({ body, url }: Response, headers: Headers): Headers {
  // Only a response of `fetch()` has a url.
  if (url !== "" && body !== null) {
    headers.delete("content-encoding");
    headers.delete("content-length");
  }
  return headers;
}
