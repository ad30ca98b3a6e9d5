/** The programs of this directory, on each runtime, and the body of an upload. */
import { FLAGS } from "../../../support/flags.ts";
import { type ServerProcess, startServer } from "../../../support/server_process.ts";
import { BUN, bundle, findProgram } from "../programs.ts";

/** What stands before the bytes of the file. */
export const HEAD = '--x\r\ncontent-disposition: form-data; name="photo"; filename="a.png"\r\n\r\n';

/** What stands after them. */
export const TAIL = "\r\n--x--\r\n";

/** Starts a program of uploads/, bundled: other runtimes do not know our import map. */
async function startBundled(program: string, name: string): Promise<ServerProcess> {
  const directory = await Deno.makeTempDir();
  const file = await bundle(`tests/slow/runtimes/uploads/${name}.ts`, directory);
  const server = await startServer(program, [file]);
  await Deno.remove(directory, { recursive: true });
  return server;
}

/** The runtimes, each with what starts its program. */
export const RUNTIMES: Readonly<Record<string, () => Promise<ServerProcess>>> = {
  "Deno": () => startServer(Deno.execPath(), ["run", "--allow-all", ...FLAGS, "tests/slow/runtimes/uploads/deno.ts"]),
  "Bun": async () => startBundled(await findProgram(BUN, "bun"), "bun"),
  "Node.js": () => startBundled("node", "node"),
  "Node.js 22": async () => startBundled(await findProgram("node@22", "node"), "node"),
  "Node.js 24": async () => startBundled(await findProgram("node@24", "node"), "node"),
};
