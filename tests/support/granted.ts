/** Whether these permissions are granted. A test without its permissions is skipped, so that Deno never prompts. */
export function granted(...names: readonly ("env" | "net" | "read" | "run" | "write")[]): boolean {
  return names.every((name) => Deno.permissions.querySync({ name }).state === "granted");
}
