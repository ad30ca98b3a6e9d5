import { until } from "../until.ts";
import { serve, type Served } from "./serve.ts";

/** Makes a directory with one to serve, `public`, and beside it what nobody may read. Returns its real path. */
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

/** Serves the files of a directory as examples/static.ts does. */
export function serveDirectory(directory: string, permissions: readonly string[]): Promise<Served> {
  return serve("tests/examples/serve_directory.ts", { permissions, env: { DIRECTORY: directory } });
}

/** How many files a server has open whose path contains this. */
export async function handlesOn({ pid }: Served, name: string): Promise<number> {
  const handles = `/proc/${pid}/fd`;
  let count = 0;
  for await (const { name: handle } of Deno.readDir(handles)) {
    // It may be closed by now.
    const path = await Deno.readLink(`${handles}/${handle}`).catch(() => "");
    if (path.includes(name)) count++;
  }
  return count;
}

/** Asserts that the server closes all that it has open by this name, sooner or later. */
export async function assertClosed(served: Served, name: string): Promise<void> {
  await until(async () => await handlesOn(served, name) === 0, () => `Handles on ${name} are left open`);
}
