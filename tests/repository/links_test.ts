import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ROOT } from "../support/server_process.ts";
import { granted } from "../support/granted.ts";

/** A link of a document: where it stands, and its target. */
interface Link {
  readonly document: string;
  readonly target: string;
}

(granted("read") ? describe : describe.skip)("the documents of the repository", () => {
  it("link to files, folders and headings that exist", async () => {
    const links: Link[] = [];
    for (const document of await documents()) links.push(...linksOf(document, await read(document)));
    assert(links.length > 60, `Only ${links.length} links found`);
    const broken: Link[] = [];
    for (const link of links) if (!await leadsSomewhere(link)) broken.push(link);
    assertEquals(broken, []);
  });

  it("are mentioned by headings that exist", async () => {
    const headings = headingsOf(await read("README.md"));
    const missing: string[] = [];
    for (const file of await filesBelow(["mod.ts", "src", "tests", "examples", ".github"], /\.(ts|md|yml)$/)) {
      for (const [mention, heading = ""] of unwrap(await read(file)).matchAll(/\bREADME, "([^"]+?),?"/g)) {
        if (!headings.includes(anchorOf(heading))) missing.push(`${file}: ${mention}`);
      }
    }
    assertEquals(missing, []);
  });

  it("link each example and each recipe in the tables of examples/README.md", async () => {
    const found = await filesBelow(["examples"], /\.ts$/);
    const files = found.filter((file) => /^examples\/(?:recipes\/)?\w+\.ts$/.test(file));
    assert(files.length > 35, `Only ${files.length} examples found`);
    const targets = linksOf("examples/README.md", await read("examples/README.md")).map(({ target }) => target);
    assertEquals(files.filter((file) => !targets.includes(file.replace("examples/", ""))), []);
  });

  it("link each path of the repository that README names", async () => {
    const prose = (await read("README.md")).replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/\[[^\]]*\]\([^)]*\)/g, "");
    const named: string[] = [];
    for (const [, path = ""] of prose.matchAll(/`([\w.]+\/[\w./]*|[\w.]+\.(?:ts|json|md))`/g)) {
      if (await exists(new URL(path, ROOT))) named.push(path);
    }
    assertEquals(named, []);
  });
});

(granted("read") ? describe : describe.skip)("the lists of files and folders", () => {
  it("name each folder in src/README.md, and no other", async () => {
    const listed = [...(await read("src/README.md")).matchAll(/^\| `([\w/]+\/)`/gm)].map(([, folder = ""]) => folder);
    const files = (await filesBelow(["src"], /\.ts$/)).map((file) => file.replace("src/", ""));
    assertEquals(listed.toSorted(), [...new Set(files.map((file) => file.replace(/[^/]*$/, "")))].toSorted());
  });

  it("name only files that exist beside the mutants", async () => {
    const text = await read("tests/slow/mutation/README.md");
    const named = [...text.matchAll(/`(?:src\/)?([\w/]+\.ts)`/g)].map(([, file]) => `src/${file}`);
    const missing: string[] = [];
    for (const file of named) if (!await exists(new URL(file, ROOT))) missing.push(file);
    assert(named.length > 10);
    assertEquals(missing, []);
  });
});

/** Whether the target of a link exists. A link to another site is only a valid url. */
async function leadsSomewhere({ document, target }: Link): Promise<boolean> {
  if (/^https?:/.test(target)) return URL.canParse(target);
  const [path = "", anchor] = target.split("#");
  const url = path === "" ? new URL(document, ROOT) : new URL(path, new URL(document, ROOT));
  if (!url.href.startsWith(ROOT.href) || !await exists(url)) return false;
  return anchor === undefined || headingsOf(await Deno.readTextFile(url)).includes(anchor);
}

/** The documents whose links are read. */
async function documents(): Promise<readonly string[]> {
  return ["README.md", ...await filesBelow([".github", "examples", "tests"], /\.md$/)];
}

function linksOf(document: string, text: string): Link[] {
  const prose = withoutCode(text);
  const targets = [...prose.matchAll(/\]\(([^()\s]+)\)|<(https?:[^>\s]+)>/g)].map(([, link, bare]) =>
    link ?? bare ?? ""
  );
  return targets.map((target) => ({ document, target }));
}

/** The anchors of the headings, as GitHub makes them. */
function headingsOf(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, "");
}

/** Joins the lines of comments and paragraphs: a mention can stand on two of them. */
function unwrap(text: string): string {
  return text.replaceAll(/\s*\n\s*(?:\/\/|\*)?\s*/g, " ");
}

async function filesBelow(paths: readonly string[], name: RegExp): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) {
    if ((await Deno.stat(new URL(path, ROOT))).isFile) files.push(path);
    else {
      for await (const entry of Deno.readDir(new URL(path, ROOT))) {
        const inner = `${path}/${entry.name}`;
        if (inner === "examples/public") continue; // another test makes folders there, and removes them
        if (entry.isDirectory) files.push(...await filesBelow([inner], name));
        else if (name.test(entry.name)) files.push(inner);
      }
    }
  }
  return files.toSorted();
}

function read(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, ROOT));
}

async function exists(url: URL): Promise<boolean> {
  try {
    await Deno.stat(url);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
