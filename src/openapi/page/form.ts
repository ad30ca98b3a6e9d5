import { isJson } from "../../core/responses/media_type.ts";
import { mayHaveSlashes } from "../describe_parameters.ts";
import type { Content, OpenApiDocument, Operation, Parameter, RequestBody } from "../document.ts";
import { showSchema } from "./show_schema.ts";
import {
  type Attributes,
  code,
  description,
  element,
  field,
  type HtmlContent,
  idOf,
  type Markup,
  select,
} from "./markup.ts";
import { sampleOf } from "./sample.ts";
import { followedKeywords, listOf, type NamedSchemas, namedValuesOf } from "./schemas.ts";
import { type Message, messageFields } from "./socket.ts";

/**
 * Writes the form that sends a request. The script of the page reads what to send from `data-` attributes. No control
 * has a `name`: that of a parameter could hide a property of the form. Their ids have a colon, as no id of an operation
 * has: a link to an operation never leads to a control.
 *
 * @param method The method, in capital letters.
 * @param path The path, with its parameters in braces.
 * @param operation The operation.
 * @param document The document.
 * @param messages The messages, if the operation opens a socket.
 * @returns The form.
 */
export function requestForm(
  method: string,
  path: string,
  operation: Operation,
  document: OpenApiDocument,
  messages: readonly Message[] | undefined,
): Markup {
  const { operationId, parameters = [], requestBody, security = document.security ?? [] } = operation;
  const { schemas } = document.components;
  const id = idOf("operation", operationId);
  const accepted = acceptedTypes(operation);
  return element(
    "form",
    {
      "data-method": method,
      "data-path": path,
      "data-socket": messages !== undefined,
      "data-security": JSON.stringify(security.map((requirement) => Object.keys(requirement))),
      "aria-label": `Request of ${operationId}`,
    },
    parameters.length > 0 && element(
      "fieldset",
      {},
      element("legend", {}, "Parameters"),
      parameters.map((parameter, index) => parameterField(`${id}:${index}`, parameter, schemas)),
    ),
    requestBody !== undefined && bodyFieldset(`${id}:body`, requestBody, schemas),
    accepted.length > 1 &&
      field(`${id}:accept`, "Accept", select({ id: `${id}:accept`, "data-accept": true }, ["*/*", ...accepted])),
    messages !== undefined && messageFields(`${id}:message`, messages, schemas),
    element("button", {}, "Send"),
    " ",
    element("button", { type: "button", "data-stop": true, hidden: true }, "Stop"),
  );
}

/** The media types of the bodies of successful responses. */
function acceptedTypes({ responses }: Operation): readonly string[] {
  const successful = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return [...new Set(successful.flatMap(([, { content = {} }]) => Object.keys(content)))];
}

function parameterField(id: string, parameter: Parameter, schemas: NamedSchemas): Markup {
  const { name, in: place, required, schema } = parameter;
  const hasSlashes = mayHaveSlashes(parameter);
  const attributes = {
    id,
    "data-in": place,
    "data-name": name,
    "data-slashes": hasSlashes,
    // Without it, there is no url. What else is required is left to the server: the page shows its response.
    required: place === "path" && !hasSlashes,
  };
  const value = place === "path" ? exampleOf(schema, schemas) : undefined;
  return field(id, labelOf(name, required), control(attributes, schema, schemas, value), [
    element("span", { class: "place" }, place),
    " ",
    showSchema(schema),
    " ",
    description(parameter.description, "span"),
  ]);
}

function labelOf(name: string, required: boolean | undefined): HtmlContent {
  return [code(name), required && [" ", element("b", {}, "required")]];
}

/** The first example of a schema, or its default, as a text. */
function exampleOf(schema: unknown, schemas: NamedSchemas): string | undefined {
  const keywords = followedKeywords(schema, schemas);
  const [example = keywords.default] = listOf(keywords.examples);
  return example === undefined || typeof example === "object" ? undefined : String(example);
}

/** A control for a value that is sent as text, for several of them, one per line, or for a file. */
function control(attributes: Attributes & { readonly id: string }, schema: unknown, schemas: NamedSchemas, value = "") {
  const keywords = followedKeywords(schema, schemas);
  const common = { ...attributes, "aria-describedby": `${attributes.id}-about`, ...AS_TYPED };
  const isMany = keywords.type === "array";
  const each = isMany ? followedKeywords(keywords.items, schemas) : keywords;
  if (each.format === "binary") return element("input", { type: "file", ...common, multiple: isMany });
  if (isMany) {
    return element("textarea", { ...common, "data-many": true, rows: "2", placeholder: "one value per line" });
  }
  const values = keywords.type === "boolean" ? ["true", "false"] : listOf(keywords.enum);
  if (values.length > 0 && values.every((value) => typeof value !== "object")) {
    return select(common, ["", ...values.map(String)], value);
  }
  const isNumber = keywords.type === "integer" || keywords.type === "number";
  return element("input", { ...common, value, inputmode: isNumber && "decimal" });
}

/** Browsers must not change what is typed. */
const AS_TYPED = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };

/** The fields of a body, for each of its media types. The script shows those of the selected one. */
function bodyFieldset(id: string, { required, content, ...body }: RequestBody, schemas: NamedSchemas): Markup {
  const types = Object.keys(content);
  return element(
    "fieldset",
    {},
    element("legend", {}, required === true ? "Body (required)" : "Body (optional)"),
    description(body.description),
    types.length > 1 && field(`${id}-type`, "Media type", select({ id: `${id}-type`, "data-types": true }, types)),
    Object.entries(content).map(([type, described], index) =>
      element(
        "div",
        { "data-type": type, "data-kind": kindOf(type), hidden: index > 0 },
        kindOf(type) === "one"
          ? wholeBody(`${id}-${index}`, type, described, schemas)
          : formFields(`${id}-${index}`, described, schemas),
      )
    ),
  );
}

/** How a body of a media type is made: of the fields of a form, or of one field. */
function kindOf(type: string): "parts" | "form" | "one" {
  if (/^multipart\//i.test(type)) return "parts";
  return /^application\/x-www-form-urlencoded/i.test(type) ? "form" : "one";
}

/** A box with an example for a body of text, and a file for any other. */
function wholeBody(id: string, type: string, { schema, examples }: Content[string], schemas: NamedSchemas): Markup {
  const attributes = { id, "data-in": "body", "data-name": "", "aria-describedby": `${id}-about` };
  const [example] = Object.values(examples ?? {});
  const text = isJson(type) ? JSON.stringify(example?.value ?? sampleOf(schema, schemas), null, 2) : "";
  const isText = isJson(type) || /^text\/|[/+]xml\b/i.test(type);
  const input = isText
    // A parser drops the first line break.
    ? element("textarea", { ...attributes, rows: "8", spellcheck: "false" }, `\n${text}`)
    : element("input", { type: "file", ...attributes });
  return field(id, code(type), input, showSchema(schema));
}

/** The fields of a form, or a box for any fields if the schema names none. */
function formFields(id: string, { schema, encoding = {} }: Content[string], schemas: NamedSchemas): HtmlContent {
  const properties = propertiesOf(schema, schemas);
  if (properties.size === 0) {
    const attributes = { id, "data-in": "body", "data-pairs": true, "aria-describedby": `${id}-about`, rows: "4" };
    return field(id, "Fields", element("textarea", attributes), "one name=value per line");
  }
  return Array.from(properties, ([name, { schema, required }], index) => {
    const accept = Object.hasOwn(encoding, name) ? encoding[name]?.contentType : undefined;
    const attributes = { id: `${id}-${index}`, "data-in": "body", "data-name": name, accept };
    return field(
      attributes.id,
      labelOf(name, required),
      control(attributes, schema, schemas, exampleOf(schema, schemas)),
      [showSchema(schema), accept !== undefined && [" ", element("span", { class: "fact" }, accept)]],
    );
  });
}

/** The properties of an object, by name. */
type FormProperties = Map<string, { readonly schema: unknown; readonly required: boolean }>;

/** The properties of an object, with those of each alternative. */
function propertiesOf(
  schema: unknown,
  schemas: NamedSchemas,
  found: FormProperties = new Map(),
  depth = 0,
): FormProperties {
  const { properties, required, allOf, oneOf, anyOf } = followedKeywords(schema, schemas);
  for (const [name, schema] of namedValuesOf(properties)) {
    if (!found.has(name)) found.set(name, { schema, required: listOf(required).includes(name) });
  }
  // A schema may be an alternative of itself.
  const parts = depth === 3 ? [] : [allOf, oneOf, anyOf].flatMap(listOf);
  for (const part of parts) propertiesOf(part, schemas, found, depth + 1);
  return found;
}
