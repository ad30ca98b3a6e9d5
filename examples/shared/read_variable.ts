import process from "node:process";

/** An environment variable, where it may be read already: to ask would make Deno prompt. Other runtimes have no permissions. */
export function readVariable(name: string): string | undefined {
  const { state } = globalThis.Deno?.permissions.querySync({ name: "env", variable: name }) ?? { state: "granted" };
  return state === "granted" ? process.env[name] : undefined;
}
