/** The types of the module `bun` that a template uses. Bun has the module itself. */

/** Starts a server. */
export declare function serve(options: {
  fetch(request: Request): Response | Promise<Response>;
  readonly hostname: string;
  readonly port: number;
}): {
  readonly url: URL;
  /** Stops listening, and finishes the requests in flight. */
  stop(): Promise<void>;
};
