/** The documents that the package for npm has beside its code: README, SKILL for language models, the licence, and the manual. */
import { dirname, join, relative } from "node:path/posix";

/** Where the package has a file of the repository; `undefined` if it lacks it. */
function packedPath(path: string): string | undefined {
  if (path === "README.md" || path === "LICENSE") return path;
  if (/^\.github\/(?:SKILL|manual\/[\w-]+)\.md$/.test(path)) return path.replace(".github/", "");
  // Editors open the declarations, which have the doc comments.
  return /^(?:mod|src\/.+)\.ts$/.test(path) ? path.replace(/\.ts$/, ".d.ts") : undefined;
}

/**
 * Returns a document as the package has it. A link to a file of the package leads there, a link to another file of the
 * repository to its page on GitHub, at the tag of the version. Without the name of a repository, its text stays alone.
 *
 * @param path The path of the document in the repository.
 * @param text Its text.
 * @param version The version of the package.
 * @param repository The owner and the name on GitHub, if they are known.
 * @returns The path in the package, and the text.
 */
export function packDocument(
  path: string,
  text: string,
  version: string,
  repository: string | undefined,
): { readonly path: string; readonly text: string } {
  const packed = packedPath(path);
  if (packed === undefined) {
    throw new TypeError(`${path} must be README.md, LICENSE, .github/SKILL.md or a page of the manual`);
  }
  const changed = text.replaceAll(LINK, (link, label: string, target: string) => {
    if (/^(?:https?:|#)/.test(target)) return link;
    const [file = "", anchor = ""] = target.split(/(?=#)/);
    const linked = join(dirname(path), file);
    const inPackage = packedPath(linked);
    if (inPackage !== undefined) return `[${label}](${relative(dirname(packed), inPackage)}${anchor})`;
    return repository === undefined
      ? label
      : `[${label}](https://github.com/${repository}/blob/v${version}/${linked}${anchor})`;
  });
  return { path: packed, text: changed };
}

/** A link of Markdown: its label, and its target. */
const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;
