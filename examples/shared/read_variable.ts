import process from "node:process";

/** An environment variable, where it may be read already: to ask would make Deno prompt. */
export function readVariable(name: string): string | undefined {
  return mayReadVariable(name) ? process.env[name] : undefined;
}

/** Whether an environment variable may be read without a prompt. Runtimes other than Deno have no permissions. */
export function mayReadVariable(name: string): boolean {
  const { state } = globalThis.Deno?.permissions.querySync({ name: "env", variable: name }) ?? { state: "granted" };
  return state === "granted";
}
