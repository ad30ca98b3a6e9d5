import ts from "typescript";
import { COMPILER_OPTIONS } from "./project.ts";

/** A module in an editor. */
export interface Editor {
  /** Writes another comment above `client.`, and asks for the names after it, as an editor does while somebody types. */
  completeAfterEdit(): readonly string[];
}

/**
 * Opens a module in TypeScript's language service.
 *
 * @param file The path of the module. It has a `client`.
 * @returns The editor.
 */
export function openEditor(file: string): Editor {
  const { options, errors } = ts.convertCompilerOptionsFromJson(COMPILER_OPTIONS, ".");
  if (errors.length > 0) throw new Error(errors.map(({ messageText }) => messageText).join("\n"));
  const saved = ts.sys.readFile(file);
  let version = 0;
  let text = "";
  const read = (name: string) => name === file ? text : ts.sys.readFile(name);
  const service = ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    getCompilationSettings: () => options,
    getCurrentDirectory: () => ".",
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    getScriptFileNames: () => [file],
    getScriptSnapshot(name) {
      const text = read(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getScriptVersion: (name) => name === file ? `${version}` : "0",
    readFile: read,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    ...ts.sys.realpath && { realpath: ts.sys.realpath },
  });
  return {
    completeAfterEdit() {
      text = `${saved}// edit ${version++}\nclient.`;
      return service.getCompletionsAtPosition(file, text.length, {})?.entries.map(({ name }) => name) ?? [];
    },
  };
}
