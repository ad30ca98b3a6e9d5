import type { Prepared } from "./prepare.ts";
import { ORIGIN } from "./requests.ts";

/**
 * Writes a request as code that can be pasted.
 *
 * @param prepared The request.
 * @returns The code.
 */
export function codeOf({ operation: { method }, path, query, headers, body }: Prepared): string {
  const options: string[] = [];
  if (method !== "GET") options.push(`method: ${quote(method)}`);
  const pairs = Array.from(headers, ([name, value]) => `${/^\w+$/.test(name) ? name : quote(name)}: ${quote(value)}`);
  if (pairs.length > 0) options.push(`headers: { ${pairs.join(", ")} }`);
  if (body !== undefined) {
    const isPlainJson = /^[[{]/.test(body) && stringify(body) === body;
    options.push(`body: ${isPlainJson ? `JSON.stringify(${escape(body)})` : quote(body)}`);
  }
  return `await fetch(${quote(ORIGIN + path + query)}${options.length > 0 ? `, { ${options.join(", ")} }` : ""})`;
}

/** The text as `JSON.stringify` writes it, so that code may have the value; `undefined` if it is no JSON. */
function stringify(text: string): string | undefined {
  try {
    return text.includes('"__proto__"') ? undefined : JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function quote(text: string): string {
  return escape(JSON.stringify(text));
}

/** Escapes what cannot be seen, or changes the direction of text. */
function escape(json: string): string {
  return json.replace(
    /[^\x20-\x7e\p{L}\p{N}\p{P}\p{S}]|\p{Surrogate}/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}
