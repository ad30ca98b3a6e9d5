/** A server in a process of its own, on the loopback interface. */
export interface ServerProcess extends AsyncDisposable {
  /** Its origin: `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** The process. */
  readonly pid: number;
  /** What it has printed so far. */
  printed(): string;
  /** Its exit code, once it has ended. */
  readonly exitCode: Promise<number>;
  /** Ends the process, with SIGKILL abruptly. */
  stop(signal?: Deno.Signal): Promise<void>;
}

/**
 * Starts a server and waits until it says `Listening on http://127.0.0.1:<port>`.
 *
 * @param program The program to run.
 * @param args Its arguments.
 * @param env Environment variables, on top of those of this process.
 * @returns The running server. The caller must stop it, or declare it by `await using`.
 */
export async function startServer(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = new Deno.Command(program, {
    args: [...args],
    cwd: ROOT,
    env: { ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();

  let printed = "";
  const listening = Promise.withResolvers<string>();
  // Read to the end: a server that prints much would otherwise block.
  const read = async (output: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of output.pipeThrough(new TextDecoderStream())) {
      printed += text;
      const origin = LISTENING.exec(printed)?.[1];
      if (origin !== undefined) listening.resolve(origin);
      else if (ELSEWHERE.test(printed)) child.kill("SIGKILL");
    }
  };
  const ended = Promise.all([read(child.stdout), read(child.stderr)]).then(() => {
    listening.reject(new Error(`${program} ${args.join(" ")} ended before it listened: ${printed}`));
  });

  const stop = async (signal: Deno.Signal = "SIGTERM") => {
    child.kill(signal);
    await child.status;
    await ended;
  };
  return {
    origin: await listening.promise,
    pid: child.pid,
    printed: () => printed,
    exitCode: child.status.then(({ code }) => code),
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}

/** The root of the repository. */
export const ROOT = new URL("../../", import.meta.url);

/** Fail: whoever runs the same command would be open to the network. */
const ELSEWHERE = /Listening on http:\/\/(?!127\.0\.0\.1:)\S+:\d/;

const LISTENING = /Listening on (http:\/\/127\.0\.0\.1:\d+)/;
