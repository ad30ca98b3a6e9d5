/** Emits the declarations of a package that has installed the module and zod, as a package of a monorepo does. */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import config from "../../deno.json" with { type: "json" };
import { ROOT } from "./server_process.ts";
import { OPTIONS } from "./typescript_options.ts";

/** Where the package stands. There is no such folder. */
const PACKAGE = "/package/";

/** The folders of what it has installed. */
const INSTALLED: Readonly<Record<string, string>> = {
  [`${PACKAGE}node_modules/@fw/core/`]: fileURLToPath(ROOT),
  [`${PACKAGE}node_modules/zod/`]: fileURLToPath(new URL("./", import.meta.resolve("zod"))),
};

const MANIFESTS: Readonly<Record<string, string>> = {
  [`${PACKAGE}package.json`]: '{ "type": "module" }',
  [`${PACKAGE}node_modules/@fw/core/package.json`]: JSON.stringify({ ...config, type: "module" }),
};

/** What the compiler emits. */
export interface Emitted {
  /** What is wrong with the modules themselves, with the place. */
  readonly mistakes: readonly string[];
  /** Each type that the compiler cannot name, with the place. */
  readonly errors: readonly string[];
  /** The declarations, by the name of their module. */
  readonly declarations: Readonly<Record<string, string>>;
  /** The names that the entry points export, without those that are `@internal`: `@fw/core Route`. */
  readonly publicNames: ReadonlySet<string>;
  /** The types among them. */
  readonly publicTypes: readonly PublicType[];
}

/** A type that an entry point exports. */
export interface PublicType {
  /** The entry point: `@fw/core/client`. */
  readonly module: string;
  /** Its name. */
  readonly name: string;
  /** How many type arguments it needs. */
  readonly needed: number;
  /** The names of its properties and methods. */
  readonly members: readonly string[];
}

/**
 * Emits declarations.
 *
 * @param modules The texts of the modules of the package, by name: `values.ts`.
 * @returns The declarations, and what is wrong with them.
 */
export function emitDeclarations(modules: Readonly<Record<string, string>>): Emitted {
  const read = (path: string): string | undefined => {
    const text = MANIFESTS[path] ?? modules[path.replace(PACKAGE, "")];
    if (text !== undefined) return text;
    const [folder, real] = Object.entries(INSTALLED).find(([folder]) => path.startsWith(folder)) ?? [];
    return ts.sys.readFile(folder === undefined ? path : `${real}${path.slice(folder.length)}`);
  };
  const options = { ...OPTIONS, declaration: true, noEmit: false, emitDeclarationOnly: true, outDir: `${PACKAGE}out` };
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    directoryExists: (path) => `${path}/`.startsWith(PACKAGE) || ts.sys.directoryExists(path),
    fileExists: (path) => read(path) !== undefined,
    getCurrentDirectory: () => PACKAGE,
    getDirectories: () => [],
    getSourceFile: (path, version) => {
      const text = read(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, version);
    },
    readFile: read,
    realpath: (path) => path,
  };
  const program = ts.createProgram(Object.keys(modules).map((name) => PACKAGE + name), options, host);
  const declarations: Record<string, string> = {};
  const mistakes: string[] = [];
  const errors: string[] = [];
  for (const name of Object.keys(modules)) {
    const file = program.getSourceFile(PACKAGE + name);
    const describe = ({ start = 0, messageText }: ts.Diagnostic) => {
      const line = file?.text.slice(0, start).split("\n").length;
      return `${name}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    };
    mistakes.push(...program.getSemanticDiagnostics(file).map(describe));
    errors.push(...program.getDeclarationDiagnostics(file).map(describe));
    program.emit(file, (_path, text) => {
      declarations[name] = text;
    });
  }
  return { mistakes, errors, declarations, ...publicOf(program) };
}

function publicOf(program: ts.Program): Pick<Emitted, "publicNames" | "publicTypes"> {
  const checker = program.getTypeChecker();
  const publicNames = new Set<string>();
  const publicTypes: PublicType[] = [];
  for (const [entry, path] of Object.entries(config.exports)) {
    const file = program.getSourceFile(`${PACKAGE}node_modules/@fw/core/${path.slice("./".length)}`);
    const module = file && checker.getSymbolAtLocation(file);
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (symbol.getJsDocTags(checker).some((tag) => tag.name === "internal")) continue;
      const name = { module: entry.replace(".", config.name), name: exported.name };
      publicNames.add(`${name.module} ${name.name}`);
      if (!(symbol.flags & ts.SymbolFlags.Type)) continue;
      const parameters = symbol.declarations?.flatMap((declared) =>
        ts.getEffectiveTypeParameterDeclarations(declared as ts.DeclarationWithTypeParameters)
      );
      publicTypes.push({
        ...name,
        needed: parameters?.filter((parameter) => parameter.default === undefined).length ?? 0,
        members: checker.getDeclaredTypeOfSymbol(symbol).getProperties().map((member) => member.name),
      });
    }
  }
  return { publicNames, publicTypes };
}
