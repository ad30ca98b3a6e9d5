/** Markup. Everything else that a page is made of is text, and is escaped. No JSON is an instance of this class. */
export class Markup {
  /** The markup. */
  readonly text: string;

  /** @param text The markup. */
  constructor(text: string) {
    this.text = text;
  }
}

/** What an element may contain. `undefined` and `false` are nothing. */
export type HtmlContent = Markup | string | number | false | undefined | readonly HtmlContent[];

/** The attributes of an element. One that is `true` has no value, one that is `undefined` or `false` is left out. */
export type Attributes = { readonly [name: string]: string | boolean | undefined };

/**
 * Writes an element. Nothing of a document becomes markup, neither in an attribute nor in the content.
 *
 * @param tag The name of the element.
 * @param attributes Its attributes. Their names must not come from a document.
 * @param children Its content.
 * @returns The markup.
 */
export function element(tag: string, attributes: Attributes, ...children: readonly HtmlContent[]): Markup {
  const written = Object.entries(attributes).map(([name, value]) => {
    if (value === undefined || value === false) return "";
    return value === true ? ` ${name}` : ` ${name}="${escape(value)}"`;
  });
  const start = `<${tag}${written.join("")}>`;
  return new Markup(VOID.has(tag) ? start : `${start}${write(children)}</${tag}>`);
}

/** Elements without content and without an end tag. */
const VOID = /* @__PURE__ */ new Set(["input", "link", "meta"]);

/**
 * Writes content as markup.
 *
 * @param content The content.
 * @returns The markup.
 */
function write(content: HtmlContent): string {
  if (content instanceof Markup) return content.text;
  if (content === undefined || content === false) return "";
  return typeof content === "object" ? content.map(write).join("") : escape(String(content));
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text of the kind of a name in a program. */
export function code(...children: readonly HtmlContent[]): Markup {
  return element("code", {}, ...children);
}

/**
 * A description of a document, whose lines stay lines.
 *
 * @param text The description.
 * @param tag The element: `span` within a line.
 * @returns The markup; nothing without a description.
 */
export function description(text: unknown, tag: "p" | "span" = "p"): HtmlContent {
  return typeof text === "string" && element(tag, { class: "text" }, text);
}

/**
 * A part that is closed until it is opened.
 *
 * @param attributes Those of the whole.
 * @param summary What is shown of it.
 * @param opened What is shown once it is open.
 * @returns The markup.
 */
export function details(attributes: Attributes, summary: HtmlContent, ...opened: readonly HtmlContent[]): Markup {
  return element("details", attributes, element("summary", {}, summary), ...opened);
}

/**
 * A control with its label, and with what describes it.
 *
 * @param id The id of the control.
 * @param label The label.
 * @param control The control, which refers to its description by the id with `-about`.
 * @param about The description.
 * @returns The markup.
 */
export function field(id: string, label: HtmlContent, control: HtmlContent, about?: HtmlContent): Markup {
  return element(
    "div",
    { class: "field" },
    element("label", { for: id }, label),
    control,
    about !== undefined && element("div", { class: "about", id: `${id}-about` }, about),
  );
}

/**
 * A choice of values.
 *
 * @param attributes Those of the control.
 * @param values The values.
 * @param selected The one that is selected; the first one by default.
 * @returns The markup.
 */
export function select(attributes: Attributes, values: readonly string[], selected?: string): Markup {
  const options = values.map((value) => element("option", { value, selected: value === selected }, value));
  return element("select", attributes, ...options);
}

/**
 * Writes a name as an `id` of the page, which must have no spaces. Different names have different ids.
 *
 * @param kind What has the name.
 * @param name The name.
 * @returns The id.
 */
export function idOf(kind: "operation" | "schema" | "tag", name: string): string {
  return `${kind}-${name.replace(/[^\w.-]/g, (character) => `~${character.charCodeAt(0).toString(16)}~`)}`;
}
