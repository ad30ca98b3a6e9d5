import { ROOT, type ServerProcess, startServer } from "../support/server_process.ts";

export { granted } from "../support/granted.ts";
export { ROOT, type ServerProcess as Served, startServer };

/** Permissions and environment variables for an example. */
export interface ServeOptions {
  /** Permission flags in addition to those of its command. None by default. */
  readonly permissions?: readonly string[];
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts an example with the command on its first line, on a free port, and waits until it listens.
 *
 * @param file The path of the example, relative to the root of the repository.
 * @param options Further permissions and environment variables.
 * @returns The running example. The caller must stop it, or declare it by `await using`.
 */
export async function serve(file: string, { permissions = [], env = {} }: ServeOptions = {}): Promise<ServerProcess> {
  const flags = ["--port", "0", ...await readFlags(file), ...permissions];
  return await startServer(Deno.execPath(), ["serve", ...flags, file], env);
}

/** Reads the flags of the command on the first line of an example. */
async function readFlags(file: string): Promise<readonly string[]> {
  const [firstLine = ""] = (await Deno.readTextFile(new URL(file, ROOT))).split("\n", 1);
  const command = COMMAND.exec(firstLine)?.groups;
  if (command?.file !== file) throw new Error(`${file} must begin with the command that serves it: ${firstLine}`);
  return command.flags?.match(/\S+/g) ?? [];
}

const COMMAND = /^\/\/ npx -y deno@\S+ serve (?<flags>--host 127\.0\.0\.1 (?:--\S+ )*)(?<file>\S+)$/;
