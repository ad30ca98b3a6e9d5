import { after, before, describe } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { serve, type Served } from "./serve.ts";

/** An example that runs while its tests do. */
export interface Running extends Pick<Served, "origin" | "pid" | "printed"> {
  /** Sends it a request. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

/**
 * Declares the tests of an example, which is started before the first of them, and stopped after the last one. Without
 * the permissions to run it, they are skipped.
 *
 * @param name The path of the example, relative to the root of the repository, or what its tests are about.
 * @param test Declares the tests. What it receives can be used once they run.
 * @param file The path of the example, if the name is another one.
 */
export function describeServed(name: string, test: (served: Running) => void, file = name): void {
  (granted("net", "read", "run") ? describe : describe.skip)(name, () => {
    let started: Served;
    before(async () => {
      started = await serve(file);
    });
    // On SIGTERM, Deno waits up to 15 seconds for a WebSocket whose client disconnected without closing it.
    after(() => started.stop("SIGKILL"));
    test({
      get origin() {
        return started.origin;
      },
      get pid() {
        return started.pid;
      },
      printed: () => started.printed(),
      request: (path, init) => fetch(started.origin + path, init),
    });
  });
}
