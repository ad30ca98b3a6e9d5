import { code, description, details, element, type HtmlContent, idOf, type Markup } from "./markup.ts";
import { keywordsOf, listOf, namedValuesOf, nameOfReference } from "./schemas.ts";

/**
 * Describes a schema: its type, what else it demands, and its properties as a list. A keyword without a wording of its
 * own is shown as it is. Nothing is left out but the bounds of exact integers, which schema libraries add.
 *
 * @param schema The schema.
 * @returns The markup, for a block or an item of a list.
 */
export function showSchema(schema: unknown): HtmlContent {
  const keywords = keywordsOf(schema);
  const facts = namedValuesOf(keywords).filter(([keyword, value]) => !WORDED.has(keyword) && !isSafeBound(value));
  const additional = keywords.additionalProperties;
  const required = listOf(keywords.required);
  const properties = [
    ...namedValuesOf(keywords.properties).map(([name, property]) => [
      code(name),
      required.includes(name) && [" ", element("b", {}, "required")],
      " ",
      showSchema(property),
    ]),
    ...typeof additional === "object" ? [["any other key: ", showSchema(additional)]] : [],
    ...additional === false ? ["no other keys"] : [],
  ];
  return [
    element("span", { class: "type" }, typeOf(keywords)),
    facts.map(([keyword, value]) => [" ", element("span", { class: "fact" }, `${keyword}: ${JSON.stringify(value)}`)]),
    " ",
    description(keywords.description, "span"),
    list(properties),
    COMBINED.map(([keyword, words]) => {
      const alternatives = listOf(keywords[keyword]);
      return alternatives.length > 0 && [element("div", {}, words), list(alternatives.map(showSchema))];
    }),
  ];
}

/** How combined schemas are introduced. */
const COMBINED = [
  ["allOf", "all of:"],
  ["oneOf", "one of:"],
  ["anyOf", "any of:"],
  ["prefixItems", "these, in this order:"],
] as const;

/** The keywords that `showSchema` words itself. */
const WORDED = /* @__PURE__ */ new Set([
  ...["$ref", "type", "enum", "const", "format", "items", "description"],
  ...["properties", "required", "additionalProperties", "allOf", "oneOf", "anyOf", "prefixItems"],
]);

/** Whether a value is a bound of the integers that JSON and JavaScript have exactly. */
function isSafeBound(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
}

function list(items: readonly HtmlContent[]): HtmlContent {
  return items.length > 0 && element("ul", {}, items.map((item) => element("li", {}, item)));
}

/** The type of a schema in a few words: a link if it has a name. */
function typeOf({ $ref, type, format, items, ...keywords }: { readonly [keyword: string]: unknown }): HtmlContent {
  if ($ref !== undefined) return linkTo($ref);
  if (keywords.const !== undefined) return code(JSON.stringify(keywords.const));
  const values = listOf(keywords.enum);
  if (values.length > 0) return values.map((value, index) => [index > 0 && " or ", code(JSON.stringify(value))]);
  const types = [type].flat().filter((each) => typeof each === "string").join(" or ");
  if (types === "array") return items === undefined ? "array" : ["array of ", showSchema(items)];
  if (types !== "") return typeof format === "string" ? `${types} (${format})` : types;
  if (keywords.properties !== undefined) return "object";
  return !COMBINED.some(([keyword]) => keywords[keyword] !== undefined) && "any value";
}

function linkTo(reference: unknown): HtmlContent {
  const name = nameOfReference(reference);
  return name === undefined ? String(reference) : element("a", { href: `#${idOf("schema", name)}` }, name);
}

/**
 * Writes an example.
 *
 * @param name Its name.
 * @param value The value.
 * @returns The markup.
 */
export function example(name: string, value: unknown): Markup {
  return details({ class: "example" }, name, element("pre", { tabindex: "0" }, JSON.stringify(value, null, 2)));
}
