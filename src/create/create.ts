import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { TEMPLATES } from "./templates.ts";

/** A runtime for which there is a template. */
export type Runtime = keyof typeof TEMPLATES;

/**
 * Writes an app into a new folder.
 *
 * @param args The arguments of the program: the folder, and `--for=` with a runtime.
 * @param own The runtime that runs the program, for which the app is by default.
 * @returns What to tell the user.
 * @throws An error that says what is wrong with the arguments, or that the folder is not empty.
 */
export function create(args: readonly string[], own: Runtime): string {
  const runtime = args.find((arg) => arg.startsWith("--for="))?.slice("--for=".length) ?? own;
  // `npx @fw/core create my-app` passes the name of the program, too.
  const [folder, ...others] = args.filter((arg, index) => !arg.startsWith("--for=") && (arg !== "create" || index > 0));
  if (folder === undefined || others.length > 0 || folder.startsWith("-") || !isRuntime(runtime)) {
    throw new Error(`Name one folder, and a runtime if it is not ${own}: create my-app --for=${RUNTIMES.join("|")}`);
  }
  const path = resolve(folder);
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new Error(`The folder ${folder} is not empty: name a new one`);
  }
  mkdirSync(path, { recursive: true });
  const name = nameOf(path);
  for (const [file, text] of Object.entries(TEMPLATES[runtime])) {
    // npm leaves files of that name out of packages.
    writeFileSync(join(path, file === "gitignore" ? ".gitignore" : file), text.replaceAll("my-app", name));
  }
  return `${folder} is an app for ${NAMES[runtime]}. Next:\n\n  cd ${folder}\n${NEXT[runtime]}`;
}

/** The name of a package that is in a folder, with the characters that npm and Cloudflare allow. */
function nameOf(path: string): string {
  return basename(path).toLowerCase().replace(/[^a-z\d]+/g, "-").replace(/^-+|-+$/g, "") || "my-app";
}

function isRuntime(name: string): name is Runtime {
  return Object.hasOwn(TEMPLATES, name);
}

const RUNTIMES = Object.keys(TEMPLATES);

const NAMES: Readonly<Record<Runtime, string>> = {
  bun: "Bun",
  deno: "Deno",
  node: "Node.js",
  workers: "Cloudflare Workers",
};

const NEXT: Readonly<Record<Runtime, string>> = {
  bun: "  bun install\n  bun test\n  bun start",
  deno: "  deno task test\n  deno task start",
  node: "  npm install\n  npm test\n  npm start",
  workers: "  npm install\n  npm test\n  npm start",
};
