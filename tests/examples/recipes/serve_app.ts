/** A server for an app, in this process, on the loopback interface. */
export interface ServedApp extends AsyncDisposable {
  /** Where it listens: `http://127.0.0.1:<port>`. */
  readonly origin: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves an app that a test has made, with a clock or a store of its own, behind a real socket.
 *
 * @param app The app.
 * @returns The server: dispose of it.
 */
export function serveApp(app: Deno.ServeDefaultExport): ServedApp {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, app.fetch);
  return { origin: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}
