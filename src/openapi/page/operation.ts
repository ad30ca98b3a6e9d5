import type { Content, OpenApiDocument, Operation, OperationResponse } from "../document.ts";
import { example, showSchema } from "./show_schema.ts";
import { requestForm } from "./form.ts";
import { code, description, details, element, type HtmlContent, idOf, type Markup } from "./markup.ts";
import { sampleOf } from "./sample.ts";
import { keywordsOf, type NamedSchemas, nameOfReference } from "./schemas.ts";
import { messagesAt, showMessages, type SocketsDocument } from "./socket.ts";

/** An operation, with its place in the document. */
export interface PlacedOperation {
  /** The method, in capital letters. */
  readonly method: string;
  /** The path, with its parameters in braces; the type of a webhook. */
  readonly path: string;
  /** The operation. */
  readonly operation: Operation;
}

/**
 * Writes an operation: what it does, a form that sends it, and its responses.
 *
 * @param placed The operation.
 * @param document The document.
 * @param sockets The messages of sockets.
 * @returns The markup.
 */
export function showOperation(
  placed: PlacedOperation,
  document: OpenApiDocument,
  sockets: SocketsDocument | undefined,
): Markup {
  const { method, path, operation } = placed;
  const messages = Object.hasOwn(operation.responses, "101") ? messagesAt(path, sockets) : undefined;
  const { deprecated, "x-sunset": sunset, security = document.security ?? [] } = operation;
  const alternatives = security.map((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => scopes.length > 0 ? `${name} (${scopes.join(", ")})` : name)
      .join(" and ") || "none"
  );
  return place(
    placed,
    deprecated && element("p", {}, element("b", {}, "Deprecated."), sunset && ` It may be gone from ${sunset}.`),
    description(operation.description),
    alternatives.length > 0 && element("p", {}, "Credentials: ", alternatives.join(", or ")),
    requestForm(method, path, operation, document, messages),
    messages !== undefined && showMessages(messages),
    element("h4", {}, "Responses"),
    showResponses(operation, document.components.schemas),
  );
}

/**
 * Writes a webhook, which the API sends: its body, and the responses that it expects.
 *
 * @param placed The webhook.
 * @param document The document.
 * @returns The markup.
 */
export function showWebhook(placed: PlacedOperation, document: OpenApiDocument): Markup {
  const { schemas } = document.components;
  const { operation } = placed;
  return place(
    placed,
    description(operation.description),
    showContent(operation.requestBody?.content, schemas),
    element("h4", {}, "Expected responses"),
    showResponses(operation, schemas),
  );
}

/** What is shown of an operation, and what is shown once it is open. */
function place({ method, path, operation }: PlacedOperation, ...opened: readonly HtmlContent[]): Markup {
  const { operationId, summary, deprecated } = operation;
  return details(
    { class: "operation", id: idOf("operation", operationId), "data-operation": operationId },
    [methodName(method), " ", code(deprecated ? element("del", {}, path) : path), " ", element("span", {}, summary)],
    element("div", { class: "opened" }, ...opened),
  );
}

/** A method, in the colour of its kind. */
export function methodName(method: string): Markup {
  return element("span", { class: `method ${method.toLowerCase()}` }, method);
}

function showResponses({ responses }: Operation, schemas: NamedSchemas): Markup {
  return element(
    "dl",
    {},
    Object.entries(responses).map(([status, response]) => [
      element("dt", {}, element("b", {}, status), " ", description(response.description, "span")),
      element("dd", {}, showHeaders(response), showContent(response.content, schemas)),
    ]),
  );
}

function showHeaders({ headers = {} }: OperationResponse): HtmlContent {
  const each = Object.entries(headers).map(([name, { required, schema, ...header }]) =>
    element(
      "li",
      {},
      code(name),
      required && [" ", element("b", {}, "required")],
      " ",
      showSchema(schema),
      " ",
      description(header.description, "span"),
    )
  );
  return each.length > 0 && [element("div", {}, "Headers:"), element("ul", {}, each)];
}

/** The bodies of each media type: what they are, and examples. */
function showContent(content: Content = {}, schemas: NamedSchemas): HtmlContent {
  return Object.entries(content).map(([type, { schema, itemSchema, examples = {} }]) => {
    const described = schema ?? itemSchema;
    const given = Object.entries(examples).map(([name, { value }]) => example(name, value));
    // A schema with a name has its example where it is described.
    const isNamed = nameOfReference(keywordsOf(described).$ref) !== undefined;
    const hasOwn = given.length === 0 && !isNamed && /[/+]json\b/i.test(type);
    return [
      element(
        "div",
        {},
        element("span", { class: "fact" }, type),
        " ",
        schema === undefined && itemSchema !== undefined && "each item: ",
        described !== undefined && showSchema(described),
      ),
      given,
      hasOwn && example("Example", sampleOf(described, schemas)),
    ];
  });
}
