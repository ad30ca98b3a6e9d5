/** HTML whose values are escaped. */
export interface Html {
  readonly html: string;
}

/** A value in HTML: text is escaped, HTML is not. */
export type HtmlValue = string | number | Html | readonly Html[];

/**
 * Builds HTML: ``html`<p>${text}</p>` ``. Values must be in an element, or in an attribute in quotation marks. Elsewhere, in a
 * script, a style, a comment, or an `href`, where `javascript:` is a url, escaping is not enough.
 *
 * @param parts What stands in the template.
 * @param values The values, which are escaped.
 * @returns The HTML.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { html: parts.map((part, index) => part + toText(values[index] ?? "")).join("") };
}

function toText(value: HtmlValue): string {
  if (typeof value === "string" || typeof value === "number") return escape(String(value));
  return "html" in value ? value.html : value.map(({ html }) => html).join("");
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
