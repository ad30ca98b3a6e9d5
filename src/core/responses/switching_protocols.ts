/**
 * Makes a response of the status 101, for runtimes that send the response to the handshake themselves. The constructor of
 * Node.js rejects that status.
 */
export function switchingProtocols(): Response {
  return Object.defineProperty(new Response(null), "status", { value: 101 });
}
