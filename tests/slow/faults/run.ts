import { assert } from "@std/assert";

/**
 * Runs a command in a directory that every user may read. What a server prints goes into its log: it must not keep our pipes
 * open.
 *
 * @returns What it prints.
 */
export async function run(program = "", ...args: readonly string[]): Promise<string> {
  const file = await Deno.makeTempFile();
  const { code } = await new Deno.Command("sh", {
    args: ["-c", '"$@" >"$0" 2>&1', file, program, ...args],
    cwd: "/",
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  const printed = await Deno.readTextFile(file);
  await Deno.remove(file);
  assert(code === 0, `${program} ${args.join(" ")}: ${printed}`);
  return printed;
}
