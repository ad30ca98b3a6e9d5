/** A directory that is removed, with all that it contains, when it is disposed of. */
export interface TempDirectory extends AsyncDisposable {
  readonly path: string;
}

/** Makes an empty directory. Declare it by `await using`. */
export async function makeTempDirectory(): Promise<TempDirectory> {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
