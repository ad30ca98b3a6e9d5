/** A server that a page of the documentation has a reader start. */
export interface Program extends AsyncDisposable {
  /** The port that it has said. */
  readonly port: string;
}

/**
 * Starts a server and waits until it prints a url.
 *
 * @param program The program to run.
 * @param args Its arguments.
 * @param options Where, and with which environment variables in addition to those of this process.
 * @returns The server: dispose of it.
 */
export async function startProgram(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Program> {
  const server = new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { ...env, NO_COLOR: "1", PORT: "0" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const port = Promise.withResolvers<string>();
  const read = async (output: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    let printed = "";
    for await (const text of output.pipeThrough(new TextDecoderStream())) {
      printed += text;
      const [, found] = /http:\/\/\S+?:(\d+)/.exec(printed) ?? [];
      if (found !== undefined) port.resolve(found);
    }
    return printed;
  };
  const ended = Promise.all([read(server.stdout), read(server.stderr)]);
  ended.then((printed) => port.reject(new Error(`The server ended: ${printed.join("")}`)));
  return {
    port: await port.promise,
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM"); // not SIGKILL: srvx and its child that serves end together
      await ended;
      await server.status;
    },
  };
}
