/** The first sample of README, and the mistakes in it that README lists. */
import { assert } from "@std/assert";

/** The modules with a mistake, in the order in which README lists them. */
export const README_MISTAKES = ["status.ts", "body.ts", "guard.ts", "endpoint.ts", "release.ts"] as const;

/** The first sample, and the same with each of the mistakes that README lists. */
export function readmeModules(readme: string): Readonly<Record<"correct.ts" | typeof README_MISTAKES[number], string>> {
  const [sample = ""] = samplesOf(readme);
  const change = (from: string, to: string) => {
    assert(sample.includes(from), `The sample must have ${from}`);
    return sample.replace(from, to);
  };
  return {
    "correct.ts": sample,
    "status.ts": change("reply(404);", "reply(410);"),
    "body.ts": change("reply(200, { id: row.id, title: row.title })", "reply(200, row)"),
    "guard.ts": change("title: row.title", "title: c.locals.user"),
    "endpoint.ts": change("[showBook]", "[]"),
    "release.ts": `import type { Compatible } from "@fw/core/client";\n${sample}${RELEASE}`,
  };
}

/** Compares the endpoints with later ones, whose book lacks its title. */
const RELEASE = `
const later = { showBook: endpoint.get("/books/:id", {
  responses: { 200: { schema: book.omit({ title: true }) }, 404: {} },
}) };
true satisfies Compatible<typeof api, typeof later>;
`;

/** The messages that README quotes, by the module with the mistake. */
export function messagesOf(readme: string): Readonly<Record<string, string>> {
  const [, mistakes = ""] = readme.split("TypeScript reports each of these mistakes");
  const quoted = [...mistakes.matchAll(/^- .*:\s+`(.*)`$/gm)].map(([, text = ""]) => text);
  return Object.fromEntries(README_MISTAKES.map((name, index) => [name, quoted[index] ?? ""]));
}

/**
 * Asserts that README quotes a part of what the compiler prints.
 *
 * @param readme The text of README.
 * @param name The module with the mistake.
 * @param printed What the compiler prints of it.
 */
export function assertQuoted(readme: string, name: string, printed: string): void {
  const message = messagesOf(readme)[name] ?? "";
  assert(message !== "" && printed.replaceAll('\\"', '"').includes(message), `README must quote: ${printed}`);
}

/** The samples in TypeScript. */
export function samplesOf(readme: string): readonly string[] {
  return [...readme.matchAll(/^```ts.*\n([^]*?)^```$/gm)].map(([, code = ""]) => code);
}
