/**
 * A free port of the loopback interface. It is below those that systems give to clients and to servers that ask for any
 * port. So it stays free until a server listens on it, and while that server is down.
 */
export function freePort(): number {
  for (;;) {
    const port = 10_000 + Math.floor(6_000 * Math.random());
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
