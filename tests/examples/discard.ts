/** Cancels the body of a response of which only status and headers matter. */
export async function discard(response: Response): Promise<Response> {
  await response.body?.cancel();
  return response;
}
