/** An example, served by a process of its own as its first line says. */
export interface Served {
  /** Where it listens: `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** Ends the process. */
  stop(): Promise<void>;
}

/** What an example may do and see. */
export interface ServeOptions {
  /** Flags that grant permissions; none by default. */
  readonly permissions?: readonly string[];
  /** Environment variables, on top of those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts an example and waits until it listens, on a free port of the loopback interface.
 *
 * @param file The example, from the root of the repository.
 * @param options What it may do and see.
 * @returns The running example: stop it.
 */
export async function serve(file: string, { permissions = [], env = {} }: ServeOptions = {}): Promise<Served> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["serve", "--host", "127.0.0.1", "--port", "0", ...permissions, file],
    cwd: ROOT,
    env: { ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();

  const listening = Promise.withResolvers<string>();
  // Read to its end, or a server that logs much would wait for a reader.
  const ended = (async () => {
    let log = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      log += text;
      const origin = LISTENING.exec(log)?.[1];
      if (origin !== undefined) listening.resolve(origin);
    }
    listening.reject(new Error(`${file} has ended before it listened: ${log}`));
  })();

  return {
    origin: await listening.promise,
    async stop() {
      child.kill();
      await child.status;
      await ended;
    },
  };
}

/** Whether these permissions are granted already: what needs others is skipped, so that nothing ever prompts. */
export function granted(...names: readonly ("env" | "net" | "read" | "run" | "write")[]): boolean {
  return names.every((name) => Deno.permissions.querySync({ name }).state === "granted");
}

/** The root of the repository. */
export const ROOT = new URL("../../", import.meta.url);

const LISTENING = /Listening on (http:\/\/127\.0\.0\.1:\d+)\//;
