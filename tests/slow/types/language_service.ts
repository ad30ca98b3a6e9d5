import { fileURLToPath } from "node:url";
import type ts from "typescript";
import { ROOT } from "../../support/server_process.ts";

/** A file beside `mod.ts`, which need not exist. */
export const fileOf = (name: string): string => fileURLToPath(new URL(name, ROOT));

/**
 * Opens files as an editor does, with TypeScript's own language service.
 *
 * @param files The files.
 * @param textOf The current text of a file; `undefined` for one that is on disk.
 * @returns The service, and the module of TypeScript.
 */
export async function openInEditor(
  files: readonly string[],
  textOf: (file: string) => string | undefined,
): Promise<{ readonly service: ts.LanguageService; readonly typescript: typeof ts }> {
  // Imported here, since the compiler reads the environment on import: without that permission these tests are skipped.
  const { default: typescript } = await import("typescript");
  const { OPTIONS } = await import("../../support/typescript_options.ts");
  const { sys, ScriptSnapshot, createLanguageService, getDefaultLibFilePath } = typescript;
  const read = (name: string) => textOf(name) ?? sys.readFile(name);
  const service = createLanguageService({
    fileExists: (name) => textOf(name) !== undefined || sys.fileExists(name),
    getCompilationSettings: () => OPTIONS,
    getCurrentDirectory: () => fileURLToPath(ROOT),
    getDefaultLibFileName: (settings) => getDefaultLibFilePath(settings),
    getScriptFileNames: () => [...files],
    getScriptSnapshot(name) {
      const text = read(name);
      return text === undefined ? undefined : ScriptSnapshot.fromString(text);
    },
    getScriptVersion: (name) => textOf(name) ?? "on disk",
    readFile: read,
  });
  return { service, typescript };
}
