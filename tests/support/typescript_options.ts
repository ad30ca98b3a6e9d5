import ts from "typescript";

/** The options of a strict project whose modules import each other with `.ts`. */
export const OPTIONS: ts.CompilerOptions = {
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
  lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ES2024,
  types: [],
};
