/**
 * Builds the site from the Markdown of this repository: `deno task site`. The result is in `.site/dist`.
 *
 * The pages are staged in `.site/pages`, with links that fit there. A link to a file of source leads to its text.
 * VitePress fails on a dead link. The pages of the API are those of `deno doc --html`.
 */
import { dirname, join, normalize, relative } from "node:path/posix";
import { fileURLToPath } from "node:url";
import config from "../../deno.json" with { type: "json" };
import { messagesOf, readmeModules, samplesOf } from "../../tests/support/readme_sample.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const VITEPRESS = "vitepress@1.6.4";
/** The path of the site on its host. */
const BASE = Deno.env.get("SITE_BASE") ?? "/";

type Page = readonly [file: string, title: string, use: string];

/** The pages of the manual, in the order of its index. */
const MANUAL: readonly Page[] = Array.from(
  (await read(".github/manual/README.md")).matchAll(/^\| ([^|]+?) +\| \[([^|]+?)\]\(([\w-]+\.md)\) +\|$/gm),
  ([, use = "", title = "", file = ""]) => [`.github/manual/${file}`, title, use],
);

/** What the two files for language models have, in this order, with what each page is for. */
const FOR_MODELS: readonly Page[] = [
  ["README.md", "Overview", "the least program, how it is started, and what the same endpoints give"],
  ...MANUAL,
  [".github/SECURITY.md", "Security", "what the framework promises, and what is up to the app"],
  ["examples/README.md", "Examples and recipes", "a table of tasks, each with the file that does it"],
];

const listed = await run("git", ["ls-files"]);
const files = new Set(listed.trim().split("\n"));
const folders = new Set(Array.from(files, (file) => dirname(file)));
const pages = Array.from(files).filter((file) => file.endsWith(".md"));

/** The names of the tabs of mistakes. */
const TABS: Readonly<Record<string, string>> = {
  "status.ts": "reply(410)",
  "body.ts": "reply(200, row)",
  "guard.ts": "c.locals.user",
  "endpoint.ts": "no route",
};

/**
 * The style of `deno doc` has no room for less than 800 pixels, and colours of code and of kinds that are hard to read.
 * Each colour here has a contrast of at least 4.5 to 1.
 */
const API_STYLE = `
@media (max-width: 60rem) {
  .ddoc { display: block }
  .ddoc > * { min-width: 0; max-width: 100% }
  .ddoc * { overflow-wrap: anywhere }
  .ddoc code { white-space: pre-wrap; word-break: normal }
  #topnav, #topnav > div, #topnav .breadcrumbs { flex-wrap: wrap; height: auto }
  #searchbar { min-width: 0 }
}
.ddoc .breadcrumbs ul span { display: none }
.ddoc .breadcrumbs ul li + li::before { content: "." }
.ddoc .namespaceSection * { opacity: 1 !important }
html:not(.dark) .ddoc {
  .contextLink { color: #0b5175 }
  .documentNavigation a { color: #57606a }
  :is(code a, a code, .markdown a) { color: #1d4ed8 }
  .td-kw { color: #0b6b7a }
  .td-lit { color: #a8380a }
  .td-str { color: #166534 }
  .td-ref { color: #1d4ed8 }
  .td-tp { color: #854d0e }
  .td-op { color: #be185d }
  .token:is(.comment, .punctuation) { color: #57606a }
  .token:is(.string, .builtin, .attr-name, .inserted) { color: #3f6212 }
  .token:is(.operator, .interpolation-punctuation) { color: #7a4f1d }
  .token:is(.function, .class-name) { color: #b1214a }
  .token:is(.regex, .variable, .important) { color: #854d0e }
  :is(.text-Class, .text-Enum) { color: #166534 }
  :is(.text-Function, .text-Method) { color: #0550ae }
  :is(.text-Interface, .text-Namespace) { color: #854d0e }
  :is(.text-Property, .text-Variable) { color: #6b3fa0 }
  .text-TypeAlias { color: #86307a }
  :is(.text-readonly, .text-protected, .text-unstable, .text-writeonly) { color: #5b3fd1 }
  :is(.text-optional, .text-abstract, .text-private) { color: #0b6b7a }
}
html.dark .ddoc {
  .contextLink { color: #86d3f3 }
  .token:is(.comment) { color: #a3b1c2 }
  .token:is(.constant, .property, .tag, .deleted, .symbol) { color: #ff8fb3 }
  .td-op { color: #f472b6 }
  .td-ref { color: #7fb8ff }
  :is(.text-Interface) { color: #e0a36b }
  :is(.text-readonly, .text-protected, .text-unstable, .text-writeonly) { color: #a695ff }
}
`;

/** The files and folders of source that pages link to. */
const linked = new Set<string>();

await Deno.remove(`${ROOT}.site/pages`, { recursive: true }).catch(() => {});
for (const page of pages) await stage(page);
for (const path of linked) await stageSource(path);

await write("public/llms.txt", await indexForModels());
const forModels = (await Promise.all(FOR_MODELS.map(([file]) => pageForModels(file)))).join("\n\n");
await write("public/llms-full.txt", forModels);
await run(Deno.execPath(), [
  ...["doc", "--html", "--name=@fw/core", "--output=.site/pages/public/api", "mod.ts"],
  ...Array.from(files).filter((file) => /^src\/\w+\/mod\.ts$/.test(file)),
]);
await adaptApi(`${ROOT}.site/pages/public/api`);
// VitePress finds its own modules beside its configuration.
await Deno.mkdir(`${ROOT}.site/.vitepress`, { recursive: true });
await Deno.copyFile(`${ROOT}.github/site/config.mts`, `${ROOT}.site/.vitepress/config.mts`);
await run("npm", ["install", "--prefix", ".site", "--no-audit", "--no-fund", VITEPRESS]);
const sidebar = MANUAL.map(([file, text]) => ({ text, link: `/${pathOf(file).replace(/\.md$/, "")}` }));
await run("npx", ["--prefix", ".site", "vitepress", "build", ".site"], { SITE_MANUAL: JSON.stringify(sidebar) });
console.log(`llms-full.txt has about ${Math.round(forModels.length / 4)} tokens, at four characters each`);

/** Writes a page of Markdown. README is the home page. */
async function stage(page: string): Promise<void> {
  const text = rewriteLinks(await read(page), page);
  const home = page === "README.md" && `---\nsidebar: false\naside: false\n---\n\n${withMistakes(text)}`;
  await write(pathOf(page), home || text);
}

/** README with its first sample as tabs: the program, and each mistake in it with the message that tests have found. */
function withMistakes(readme: string): string {
  const { "correct.ts": correct, "release.ts": _later, ...broken } = readmeModules(readme);
  const lines = correct.trimEnd().split("\n");
  const messages = messagesOf(readme);
  const tabs = Object.entries(broken).map(([name, code]) => {
    const shown = code.trimEnd().split("\n").flatMap((line, index) =>
      line === lines[index]
        ? [line]
        : [`${line} // [!code error]`, comment(/^ */.exec(line) + "// ", messages[name] ?? "")]
    );
    return `\`\`\`ts [${TABS[name]}]\n${shown.join("\n")}\n\`\`\``;
  });
  const sample = `\`\`\`ts\n${samplesOf(readme)[0]}\`\`\``;
  const group = [sample.replace("```ts", "```ts [app.ts]"), ...tabs].join("\n\n");
  return readme.replace(
    sample,
    () => `Break the program: each tab has a mistake.\n\n::: code-group\n\n${group}\n\n:::`,
  );
}

/** A message of the compiler as comments, with lines that fit on a phone. */
function comment(start: string, message: string): string {
  return message.replaceAll(/(.{1,32})(?: |$)/g, `${start}$1\n`).trimEnd();
}

/** Where the page of a file is. */
function pathOf(page: string): string {
  const path = page.replace(/README\.md$/, "index.md");
  return path.startsWith(".github/") ? path.slice(".github/".length).toLowerCase() : path;
}

/** Rewrites the relative links of a page: from paths of the repository to paths of the site. */
function rewriteLinks(text: string, page: string): string {
  return text.replace(/\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)/g, (_, target: string, fragment = "") => {
    const path = normalize(`${dirname(page)}/${target}`).replace(/\/$/, "");
    if (path.endsWith(".md")) return `](/${pathOf(path)}${fragment})`;
    if (folders.has(path) && files.has(`${path}/README.md`)) return `](/${path}/${fragment})`;
    linked.add(path);
    return `](/source/${path}.${files.has(path) ? "txt" : "html"})`;
  });
}

/** Writes a file of source as text, or a page that lists the files of a folder. */
async function stageSource(path: string): Promise<void> {
  if (files.has(path)) return await write(`public/source/${path}.txt`, await read(path));
  const listed = Array.from(files).filter((file) => file.startsWith(`${path}/`));
  if (listed.length === 0) throw new Error(`A page links to ${path}, which does not exist`);
  for (const file of listed) await stageSource(file);
  const links = listed.map((file) => `- [${relative(path, file)}](/source/${file}.txt)`);
  await write(`source/${path}.md`, `---\nsearch: false\naside: false\n---\n\n# ${path}\n\n${links.join("\n")}\n`);
}

/** Makes the pages of `deno doc` readable, links the manual from them, and lets them import what users import. */
async function adaptApi(folder: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/page.css`, API_STYLE, { append: true });
  const entryPoints = new Set(Object.keys(config.exports).map((path) => path.replace("./", "")));
  const usage = /(?<=import \{ [\w ]+ \} from &quot;)([\w.-]+)(?=&quot;;\n(?:<\/code>|"))/g;
  for (const file of (await run("find", [folder, "-name", "*.html"])).trim().split("\n")) {
    const page = await Deno.readTextFile(file);
    await Deno.writeTextFile(
      file,
      page.replaceAll(usage, (path) => entryPoints.has(path) ? join(config.name, path) : path)
        .replace('<button id="theme-toggle"', `<a href="${BASE}manual/" class="contextLink">Manual</a>$&`),
    );
  }
}

/** The list of pages for language models, as https://llmstxt.org proposes it. */
async function indexForModels(): Promise<string> {
  const links = FOR_MODELS.map(([file, title, use]) =>
    `- [${title}](${BASE}${pathOf(file).replace(/\.md$/, ".html")}): ${use}`
  );
  const [, summary = ""] = /^# .*\n\n([^]*?)\n\n/.exec(await read("README.md")) ?? [];
  return `# @fw/core\n\n> ${summary.replaceAll("\n", " ")}\n\n## Manual\n\n${links.join("\n")}
- [All of it in one file](${BASE}llms-full.txt)\n`;
}

/** A page as text, with links that lead to the pages of the site. */
async function pageForModels(file: string): Promise<string> {
  const links = /(?<=\]\()\/([^)#\s]*?)(?:\.md)?(?=[)#])/g;
  const text = rewriteLinks(await read(file), file).replace(
    links,
    (link, path: string) => BASE + (link.endsWith(".md") ? `${path}.html` : path),
  );
  return withoutPadding(text);
}

/** Leaves out the spaces that align the columns of tables. */
function withoutPadding(text: string): string {
  return text.replace(/ {2,}\|/g, " |").replace(/-{4,}/g, "---");
}

function read(path: string): Promise<string> {
  return Deno.readTextFile(ROOT + path);
}

async function write(path: string, text: string): Promise<void> {
  const file = `${ROOT}.site/pages/${path}`;
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.writeTextFile(file, text);
}

async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args], cwd: ROOT, env }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`${program} ${args.join(" ")} failed: ${out}${err}`);
  return out ?? "";
}
