/** The arguments of Deno. */
export type Step = readonly string[];

/** The root of the repository. */
export const ROOT: URL = new URL("../../", import.meta.url);

/** Runs Deno in the root of the repository, with the input and output of this process. Returns its exit code. */
export async function runDeno(args: Step): Promise<number> {
  const { code } = await new Deno.Command(Deno.execPath(), { args: [...args], cwd: ROOT }).spawn().status;
  return code;
}

/** Runs Deno and returns what it prints: on standard output, and then on standard error. */
export async function readDeno(args: Step): Promise<{ readonly code: number; readonly printed: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args: [...args], cwd: ROOT }).output();
  const [output, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, printed: `${output}${errors}` };
}

/** Runs tests with the dot reporter, which writes each dot on a line of its own where there is no terminal: joins them. */
export async function runTestsWithDots(args: Step): Promise<number> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args, "--reporter=dot"],
    cwd: ROOT,
    // Tests that wait leave a core to others.
    env: { DENO_JOBS: "6" },
    stdout: "piped",
  });
  const child = command.spawn();
  const joinDots = (text: string, to: TransformStreamDefaultController<string>) =>
    to.enqueue(text.replace(/^([.,!])\n/gm, "$1"));
  await child.stdout
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new TransformStream<string, string>({ transform: joinDots }))
    .pipeThrough(new TextEncoderStream())
    .pipeTo(Deno.stdout.writable, { preventClose: true });
  const { code } = await child.status;
  return code;
}
