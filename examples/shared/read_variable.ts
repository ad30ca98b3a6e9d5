import process from "node:process";

/**
 * Reads an environment variable. Returns `undefined` without the permission to read it, so that Deno does not prompt.
 */
export function readVariable(name: string): string | undefined {
  return mayReadVariable(name) ? process.env[name] : undefined;
}

/** Whether an environment variable can be read without a prompt. Always true on runtimes other than Deno. */
export function mayReadVariable(name: string): boolean {
  const { state } = globalThis.Deno?.permissions.querySync({ name: "env", variable: name }) ?? { state: "granted" };
  return state === "granted";
}
