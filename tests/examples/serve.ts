import { ROOT, type ServerProcess, startServer } from "../server_process.ts";

export { ROOT, type ServerProcess as Served };

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
export async function serve(file: string, { permissions = [], env = {} }: ServeOptions = {}): Promise<ServerProcess> {
  const flags = ["--host", "127.0.0.1", "--port", "0", ...await readFlags(file), ...permissions];
  return await startServer(Deno.execPath(), ["serve", ...flags, file], env);
}

/**
 * Serves an example for as long as it is used.
 *
 * @param file The example, from the root of the repository.
 * @param options What it may do and see beyond its command.
 * @param use What to do meanwhile.
 * @returns What `use` gives.
 */
export async function serveWhile<Result>(
  file: string,
  options: ServeOptions,
  use: (served: ServerProcess) => Promise<Result>,
): Promise<Result> {
  const served = await serve(file, options);
  try {
    return await use(served);
  } finally {
    await served.stop();
  }
}

/** The flags of the command on an example's first line. */
async function readFlags(file: string): Promise<readonly string[]> {
  const [firstLine = ""] = (await Deno.readTextFile(new URL(file, ROOT))).split("\n", 1);
  const command = COMMAND.exec(firstLine)?.groups;
  if (command?.file !== file) throw new Error(`${file} must begin with the command that serves it: ${firstLine}`);
  return command.flags?.match(/\S+/g) ?? [];
}

const COMMAND = /^\/\/ npx -y deno@2\.9\.6 serve (?<flags>(?:--\S+ )*)(?<file>\S+)$/;

/** Whether these permissions are granted already: what needs others is skipped, so that nothing ever prompts. */
export function granted(...names: readonly ("env" | "net" | "read" | "run" | "write")[]): boolean {
  return names.every((name) => Deno.permissions.querySync({ name }).state === "granted");
}
