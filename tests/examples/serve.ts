/** An example, served by a process of its own. */
export interface Served {
  /** Where it listens: `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** The process. */
  readonly pid: number;
  /** What it has printed so far. */
  printed(): string;
  /** Ends the process. */
  stop(): Promise<void>;
}

/** What an example may do and see beyond what its command says. */
export interface ServeOptions {
  /** Further flags that grant permissions; none by default. */
  readonly permissions?: readonly string[];
  /** Environment variables, on top of those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts an example with the very command of its first line and waits until it listens, on a free port of the loopback
 * interface.
 *
 * @param file The example, from the root of the repository.
 * @param options What it may do and see beyond that.
 * @returns The running example: stop it.
 */
export async function serve(file: string, { permissions = [], env = {} }: ServeOptions = {}): Promise<Served> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["serve", "--host", "127.0.0.1", "--port", "0", ...await readFlags(file), ...permissions, file],
    cwd: ROOT,
    env: { ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();

  let printed = "";
  const listening = Promise.withResolvers<string>();
  // Read to its end, or a server that prints much would wait for a reader.
  const read = async (output: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of output.pipeThrough(new TextDecoderStream())) {
      printed += text;
      const origin = LISTENING.exec(printed)?.[1];
      if (origin !== undefined) listening.resolve(origin);
    }
  };
  const ended = Promise.all([read(child.stdout), read(child.stderr)]).then(() => {
    listening.reject(new Error(`${file} has ended before it listened: ${printed}`));
  });

  return {
    origin: await listening.promise,
    pid: child.pid,
    printed: () => printed,
    async stop() {
      child.kill();
      await child.status;
      await ended;
    },
  };
}

/** The flags of the command on an example's first line. */
async function readFlags(file: string): Promise<readonly string[]> {
  const [firstLine = ""] = (await Deno.readTextFile(new URL(file, ROOT))).split("\n", 1);
  const command = COMMAND.exec(firstLine)?.groups;
  if (command?.file !== file) throw new Error(`${file} must begin with the command that serves it: ${firstLine}`);
  return command.flags?.match(/\S+/g) ?? [];
}

/** Whether these permissions are granted already: what needs others is skipped, so that nothing ever prompts. */
export function granted(...names: readonly ("env" | "net" | "read" | "run" | "write")[]): boolean {
  return names.every((name) => Deno.permissions.querySync({ name }).state === "granted");
}

/** The root of the repository. */
export const ROOT = new URL("../../", import.meta.url);

const COMMAND = /^\/\/ npx -y deno@2\.9\.6 serve (?<flags>(?:--\S+ )*)(?<file>\S+)$/;
const LISTENING = /Listening on (http:\/\/127\.0\.0\.1:\d+)\//;
