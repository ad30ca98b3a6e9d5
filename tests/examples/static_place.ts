import { until } from "../support/until.ts";
import { serve, type Served } from "./serve.ts";

/**
 * Creates a directory that contains `public`, to be served, and files that must not be served. Returns its real path.
 */
export async function makePlace(): Promise<string> {
  const place = await Deno.realPath(await Deno.makeTempDir());
  const directory = `${place}/public`;
  await Deno.mkdir(`${directory}/nested`, { recursive: true });
  await Deno.writeTextFile(`${directory}/file.txt`, "public");
  await Deno.writeTextFile(`${directory}/dated.txt`, "public");
  await Deno.mkdir(`${place}/public-secret/deep`, { recursive: true });
  for (const name of ["secret.txt", "public-secret/file.txt", "public-secret/deep/file.txt"]) {
    await Deno.writeTextFile(`${place}/${name}`, "secret");
  }
  return place;
}

/** Starts a server for the files of a directory. It works like examples/static.ts. */
export function serveDirectory(directory: string, permissions: readonly string[]): Promise<Served> {
  return serve("tests/examples/serve_directory.ts", { permissions, env: { DIRECTORY: directory } });
}

/** Counts the open files of a server whose path contains a text. */
export async function handlesOn({ pid }: Served, name: string): Promise<number> {
  const handles = `/proc/${pid}/fd`;
  let count = 0;
  for await (const { name: handle } of Deno.readDir(handles)) {
    // The file may have been closed meanwhile.
    const path = await Deno.readLink(`${handles}/${handle}`).catch(() => "");
    if (path.includes(name)) count++;
  }
  return count;
}

/** Waits until the server has closed all files with this name. */
export async function assertClosed(served: Served, name: string): Promise<void> {
  await until(async () => await handlesOn(served, name) === 0, () => `Handles on ${name} are left open`);
}
