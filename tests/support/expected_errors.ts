/**
 * What `@ts-expect-error` comments say, and what the compiler prints in their places. A comment names the code that an
 * error underlines, and the part of the message that a user acts on:
 *
 * ```ts ignore
 * // @ts-expect-error at `row`: The schema has no key "hash": name the keys to send, or add it to the schema
 * reply(200, row);
 * ```
 */
import { tmpdir } from "node:os";
import { FLAGS } from "./flags.ts";
import { ROOT } from "./server_process.ts";

/** A source with expected errors, and the comments that the compiler's messages would make. */
export interface Expected {
  /** The path in the repository. */
  readonly path: string;
  /** The text with comments that say what the compiler prints. */
  readonly written: string;
  /** Each comment that says something else, and each expected error that is not reported. */
  readonly differences: readonly string[];
}

/** What the compiler reports about sources. */
export interface Reported {
  readonly sources: readonly Expected[];
  /** Errors that no comment expects. */
  readonly unexpected: readonly string[];
  /** What it prints of each quoted module that has errors. */
  readonly quoted: ReadonlyMap<string, string>;
}

/**
 * Compiles the sources in one program, without their `@ts-expect-error`, as `deno test --doc` does.
 *
 * @param paths The paths of the sources in the repository: modules, or files with samples of code.
 * @param others Paths of modules, files and folders that the program also has: their errors are unexpected.
 * @param modules The texts of modules whose errors a document quotes, by name, with a folder: `readme/body.ts`.
 * @returns What the comments of the sources must say.
 */
export async function reportedIn(
  paths: readonly string[],
  others: readonly string[],
  modules: Readonly<Record<string, string>>,
): Promise<Reported> {
  // The same folder each time: the compiler checks only files that depend on a change since the last run.
  const folder = `${tmpdir()}/messages${ROOT.pathname.replaceAll("/", "-")}`;
  await Deno.mkdir(folder, { recursive: true });
  const sources = new Map<string, string>();
  const copies = new Map<string, string>();
  for (const path of paths) {
    const text = await Deno.readTextFile(new URL(path, ROOT));
    sources.set(path, text);
    for (const [index, program] of programsOf(path, text).entries()) {
      const copy = `${folder}/${path.replaceAll("/", "-").replace(/\.\w+$/, "")}-${index}.ts`;
      await Deno.writeTextFile(copy, program);
      copies.set(copy, path);
    }
  }
  for (const [name, text] of Object.entries(modules)) {
    await Deno.mkdir(`${folder}/${name.replace(/[^/]*$/, "")}`, { recursive: true });
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  const quoted = new Map<string, string>();
  const unexpected: string[] = [];
  const expected = new Map<string, CompilerError[]>();
  const programs = [...copies.keys(), ...Object.keys(modules).map((name) => `${folder}/${name}`), ...others];
  for (const error of errorsIn(await check(programs))) {
    const name = error.file.replace(`${folder}/`, "");
    if (Object.hasOwn(modules, name)) {
      quoted.set(name, `${quoted.get(name) ?? ""}${error.message}\n`);
      continue;
    }
    const path = copies.get(error.file) ?? error.file;
    const line = directiveAbove(sources.get(path)?.split("\n") ?? [], error.line);
    if (line === undefined) unexpected.push(`${path}:${error.line}: ${error.message}`);
    else expected.set(`${path}:${line}`, [...expected.get(`${path}:${line}`) ?? [], error]);
  }
  return { sources: [...sources].map(([path, text]) => compare(path, text, expected)), unexpected, quoted };
}

/** Whether a text expects an error, in code or in a sample. */
export function expectsErrors(text: string): boolean {
  return DIRECTIVE.test(text);
}

/** The modules to compile: the text itself if it is one, and each sample that expects an error. Lines keep their numbers. */
function programsOf(path: string, text: string): readonly string[] {
  const lines = text.split("\n");
  const samples: string[][] = [];
  let sample: string[] | undefined;
  let isModule = false;
  for (const [index, line] of lines.entries()) {
    const content = line.replace(PREFIX, "");
    if (content.startsWith("```")) {
      if (sample?.some((text) => DIRECTIVE.test(text))) samples.push(sample);
      sample = sample === undefined && content.startsWith("```ts") ? [] : undefined;
    } else if (sample !== undefined) sample[index] = content;
    else isModule ||= path.endsWith(".ts") && DIRECTIVE.test(line);
  }
  isModule ||= path.endsWith(".ts") && samples.length === 0;
  return [...samples.map((sample) => Array.from(sample, (line) => line ?? "").join("\n")), ...isModule ? [text] : []]
    .map((program) =>
      // Without the text of its comments, a program that is compiled again after they are written has not changed.
      program.replaceAll(COMMENT, (comment) => comment.replaceAll(/\/\/.*/g, "//"))
        .replaceAll(RELATIVE, (_all, before, specifier) => `${before}"${new URL(specifier, new URL(path, ROOT))}"`)
        .replaceAll(PACKAGE, (_all, before, name = "") => `${before}"${new URL(MODULES[`.${name}`] ?? "", ROOT)}"`)
    );
}

/** What Deno prints about the types of files, and of the samples in them. */
async function check(files: readonly string[]): Promise<string> {
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-run", "--doc", "--quiet", "--config=deno.json", ...FLAGS, ...files],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdout: "null",
  }).output();
  const printed = new TextDecoder().decode(stderr);
  if (!/^TS\d+ \[ERROR\]/m.test(printed)) throw new Error(`No types are checked: ${printed}`);
  return printed;
}

interface CompilerError {
  readonly file: string;
  /** The number of the line, from 1. */
  readonly line: number;
  /** The number of the first character that is underlined, from 1. */
  readonly column: number;
  /** How many characters of the line are underlined, if it is printed. */
  readonly length: number | undefined;
  readonly message: string;
}

function errorsIn(printed: string): readonly CompilerError[] {
  const errors: CompilerError[] = [];
  for (const block of printed.split(/^(?=TS\d+ \[ERROR\]: )/m)) {
    const lines = block.replaceAll(ROOT.href, "").split("\n");
    // What is indented more belongs to another place, which the error mentions.
    const at = lines.findIndex((line) => PLACE.test(line));
    const [, file = "", line, column] = PLACE.exec(lines[at] ?? "") ?? [];
    if (at === -1 && /^TS(?!2793|6236)/.test(block)) throw new Error(`No place is printed: ${block}`);
    if (at === -1) continue;
    // The line is printed with the underlined code below it, unless it is long.
    const underline = /^ *([~^]+)$/.exec(lines[at - 1] ?? "")?.[1];
    errors.push({
      file,
      line: Number(line),
      column: Number(column),
      length: underline?.length,
      message: lines.slice(0, underline === undefined ? at : at - 2).join("\n").replace(/^TS\d+ \[ERROR\]: /, ""),
    });
  }
  return errors;
}

/** The index of the comment that expects an error in a line, as TypeScript looks for it: above comments and empty lines. */
function directiveAbove(lines: readonly string[], number: number): number | undefined {
  for (let index = number - 2; index >= 0; index--) {
    const line = lines[index] ?? "";
    if (DIRECTIVE.test(line)) return index;
    const content = line.replace(PREFIX, "").trim();
    if (content !== "" && !content.startsWith("//")) return undefined;
  }
  return undefined;
}

function compare(path: string, text: string, expected: ReadonlyMap<string, readonly CompilerError[]>): Expected {
  const lines = text.split("\n");
  const written: string[] = [];
  const differences: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const errors = expected.get(`${path}:${index}`);
    if (!DIRECTIVE.test(line)) {
      written.push(line);
      continue;
    }
    const first = index;
    while (CONTINUATION.test(lines[index + 1] ?? "")) index++;
    const before = lines.slice(first, index + 1);
    const printed = errors === undefined ? before : commentOf(line.slice(0, line.indexOf("//")), errors, lines);
    const after = fits(before, printed) ? before : printed;
    written.push(...after);
    if (errors === undefined) differences.push(`${path}:${first + 1}: no error is reported`);
    else if (before.join("\n") !== after.join("\n")) {
      differences.push(`${path}:${first + 1} says\n${before.join("\n")}\nand the compiler prints\n${after.join("\n")}`);
    }
  }
  return { path, written: written.join("\n"), differences };
}

/**
 * Whether a comment says what the compiler prints. `…` in it stands for any text: of a union, the compiler prints any
 * member, whose place depends on what else it has read. If it checks only what depends on a change, that is less.
 */
function fits(comment: readonly string[], printed: readonly string[]): boolean {
  const textOf = (lines: readonly string[]) => lines.map((line) => line.replace(/^.*?\/\/\s*/, "")).join(" ");
  const pattern = textOf(comment).split("…").map((part) => part.replace(/[^\w\s]/g, "\\$&")).join("[^]*");
  return new RegExp(`^${pattern}$`).test(textOf(printed));
}

/** The lines of a comment that says where errors are and what to do. */
function commentOf(indent: string, errors: readonly CompilerError[], lines: readonly string[]): readonly string[] {
  return errors.flatMap(({ line, column, length = Infinity, message }, index) => {
    const code = (lines[line - 1] ?? "").replace(PREFIX, "").slice(column - 1);
    // Of code on several lines, the compiler underlines one character.
    const place = (/^\w\w/.test(code) && length === 1 ? code : code.slice(0, length)).trim();
    const text = `at \`${shortened(place, 40)}\`: ${whatToActOn(message)}`;
    return wrapped(`${index === 0 ? "@ts-expect-error" : " "} ${text}`, indent);
  });
}

/** The words of a comment in lines of the width that the formatter has. */
function wrapped(text: string, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = `${indent}//`;
  for (const word of text.split(" ")) {
    if (line.length + 1 + word.length > 120 && line.trim() !== "//") {
      lines.push(line);
      line = `${indent}//   ${word}`;
    } else line += ` ${word}`;
  }
  return [...lines, line];
}

/**
 * The part of a message that a user acts on. TypeScript prints a chain of reasons, of which the last one is the most
 * specific. A sentence of ours is a literal type or the name of a property in one of them. Without a sentence, the user
 * acts on the last reason, and also if the sentence is the name of a property that the last reason is about.
 *
 * @param message What the compiler prints.
 * @returns The sentences, and the last reason. Nothing in it depends on what else the compiler has read.
 */
function whatToActOn(message: string): string {
  const reasons = message.trim().split("\n").map((line) => line.trim());
  // Of several sentences, the last reason has any one: the order of a union depends on what else the compiler has read.
  const counts = reasons.map((reason) => reason.split(QUOTED).flatMap(literalsIn).length);
  const said = reasons[counts.lastIndexOf(Math.max(...counts))] ?? "";
  const sentences = sentencesIn(said).join(" | ");
  if (sentences !== "" && !/\.\w+\["/.test(said)) return sentences;
  // Of a union that lacks a key, the last reason is about any one of its members, unless that says what to do.
  const [first = "", final = first] = [reasons[0], reasons.at(-1)];
  const reason = first.startsWith("Property ") && !final.includes('Until<"') ? first : final;
  const last = reason.replaceAll(QUOTED, (_all, type) => `'${shortType(type)}'`);
  return sentences === "" ? last : `${sentences}: ${last}`;
}

/** The sentences of ours in a reason, sorted: the order of a union depends on what else the compiler has read. */
function sentencesIn(reason: string): readonly string[] {
  // Each quoted type by itself: the compiler cuts long ones, which leaves a quotation mark without the other.
  const parts = reason.split(QUOTED).map((part) => ({
    isCut: part.includes("..."),
    found: literalsIn(part),
  }));
  const whole = parts.filter(({ isCut }) => !isCut).flatMap(({ found }) => found);
  if (whole.length > 0) return [...new Set(whole)].toSorted();
  // Which sentences the compiler leaves out depends on their order, too.
  const cut = [...new Set(parts.flatMap(({ found }) => found))];
  return cut.length > 1 ? [`${sharedStart(cut)}…`] : cut;
}

/** The literal types that are sentences. The argument of `NoLocalsUntil<"a guard adds them">` is none without its type. */
function literalsIn(part: string): readonly string[] {
  return [...part.matchAll(LITERAL)]
    .filter(([all]) => !/^<|>$/.test(all) || /^<?["`][A-Z]/.test(all))
    .map(([, literal, template]) => (literal ?? template ?? "").replaceAll('\\"', '"'))
    .filter((text) => /^[^~]\S* \S+ \S+/.test(text));
}

function sharedStart([first = "", ...others]: readonly string[]): string {
  let length = first.length;
  while (!others.every((other) => other.startsWith(first.slice(0, length)))) length--;
  return first.slice(0, length);
}

/** A type, or only the name or the bracket that a type begins with if it is long or if the order in it is not known. */
function shortType(type: string): string {
  if (type.length > 60 && !/^\w+Until<"|^\w+<"[^"]*">$/.test(type)) return `${OPENING.exec(type)?.[0] ?? ""}…`;
  const members: string[] = [];
  let depth = 0;
  for (const member of type.replaceAll(UNION, (union) => union.split(" | ").toSorted().join("|")).split(" | ")) {
    if (depth > 0) members.push(`${members.pop()} | ${member}`);
    else members.push(member);
    depth += (member.match(/[<{([]/g) ?? []).length - (member.match(/(?<!=)[>})\]]/g) ?? []).length;
  }
  return members.map((member) => member.includes(" | ") ? `${OPENING.exec(member)?.[0] ?? ""}…` : member)
    .toSorted().join("|").replaceAll("|", " | ");
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).trimEnd()}…` : text;
}

/** Where an error is: a path in the repository, or an absolute one. */
const PLACE = /^ {4}at (?:file:\/\/)?(\S*):(\d+):(\d+)$/;

/** A comment that expects an error, in code or in a comment with samples. */
const DIRECTIVE = /^\s*(?:\* *)?\/\/ @ts-expect-error\b/m;

/** A further line of such a comment. */
const CONTINUATION = /^\s*(?:\* *)?\/\/ {3}/;

/** Such a comment. */
const COMMENT = /^\s*\/\/ @ts-expect-error\b.*(?:\n\s*\/\/ {3}.*)*/gm;

/** What stands before a sample in a comment. */
const PREFIX = /^\s*\* ?/;

/** Specifiers of imports that the copies of modules resolve from elsewhere. */
const RELATIVE = /(from |import |import\()"(\.[^"]+)"/g;

/** Specifiers of the package itself. */
const PACKAGE = /(from |import |import\()"@fw\/core(\/[^"]+)?"/g;

/** What a type with arguments, members or items begins with. */
const OPENING = /^[\w. ]*[<{([]/;

/** A union whose members have an order of their own, once they are sorted. */
const UNION =
  /(?:\d+|"[^"]*"|undefined|null|string|number|boolean)(?: \| (?:\d+|"[^"]*"|undefined|null|string|number|boolean)(?!\w))+/g;

/** A literal type, or a template, with the brackets of a type whose only or last argument it is. */
const LITERAL = /<?(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)>?/g;

/** What TypeScript quotes: a type or a name. */
const QUOTED = /(?<=^|\s)'(.+?)'(?=[\s,.:?]|$)/g;

/** The modules of the package, by the name of each export. */
const MODULES: Readonly<Record<string, string>> =
  JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))).exports;
