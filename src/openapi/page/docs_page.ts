import { reply } from "../../core/responses/reply.ts";
import type { Answer, AsItIs, Reply } from "../../core/responses/reply_type.ts";
import { isRecord, requireOptions, requireThat } from "../../core/values/assert.ts";
import { sha256 } from "../../core/values/sha256.ts";
import type { OpenApiDocument, PathItem } from "../document.ts";
import { credentialFields, originsOf, serverField } from "./credentials.ts";
import { example, showSchema } from "./show_schema.ts";
import { code, description, details, element, field, type HtmlContent, idOf, Markup } from "./markup.ts";
import { methodName, type PlacedOperation, showOperation, showWebhook } from "./operation.ts";
import { sampleOf } from "./sample.ts";
import type { NamedSchemas } from "./schemas.ts";
import { SCRIPT } from "./script.ts";
import type { SocketsDocument } from "./socket.ts";
import { STYLE } from "./style.ts";

/** The options of {@linkcode docsPage}. */
export interface DocsPageOptions {
  /**
   * The messages of sockets: what `asyncapi` of `@fw/core/sockets` returns for the same endpoints. The form of a socket
   * then opens it, sends messages, and shows those that arrive. A named schema that the document has too is described
   * as there.
   */
  readonly sockets?: SocketsDocument | undefined;
}

/**
 * Makes a handler that sends a page to read and try an API: one HTML file without a dependency.
 *
 * The page lists the operations by their first tag, each with a form that sends it and shows the response: a stream as
 * it arrives, JSON indented, other bytes as a file to save. It needs no mouse, and works on a phone, in light and dark.
 *
 * Its content security policy allows nothing from other hosts. Requests go to the servers of the document, and to no
 * other; without `servers`, to the host of the page. Everything in the document is shown as text: CommonMark and markup
 * are shown unchanged, as plain text.
 *
 * The page shows the whole document to everyone who can open it. Put a guard before the route if that is not everybody.
 *
 * The page cannot do what browsers forbid to scripts: it does not send headers such as `Cookie` and `Origin`, headers
 * with the handshake of a socket, or the method TRACE, and it does not show `Set-Cookie`. A cookie that you enter is
 * set for the time of the request, and does not replace one that is `HttpOnly`.
 *
 * @param document The document, as `openapi` makes it.
 * @param options The messages of sockets.
 * @returns The handler. It makes the page at the first request.
 * @throws A `TypeError` if `document` is not a document, or if an option is wrong.
 *
 * @example A page at `/docs`
 * ```ts
 * import { endpoint, reply, route, setup } from "@fw/core";
 * import { docsPage, openapi } from "@fw/core/openapi";
 * import { assertEquals, assertStringIncludes } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = {
 *   showBook: endpoint.get("/books/:id", { responses: { 200: { schema: z.object({ title: z.string() }) } } }),
 * };
 * const document = openapi({ info: { title: "Books", version: "1.0.0" }, endpoints: api });
 *
 * const app = setup({
 *   endpoints: api,
 *   handlers: [
 *     route.on(api.showBook, { resolve: () => reply(200, { title: "Emma" }) }),
 *     route.get("/docs", { resolve: docsPage(document) }),
 *   ],
 * });
 *
 * const response = await app.fetch(new Request("http://localhost/docs"));
 * assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
 * assertStringIncludes(await response.text(), "/books/{id}");
 * ```
 */
export function docsPage(
  document: OpenApiDocument,
  options: DocsPageOptions = {},
): () => Promise<Reply<Answer<200, undefined, AsItIs>>> {
  const isDocument = isRecord(document) && isRecord(document.info) && isRecord(document.paths) &&
    isRecord(document.components);
  requireThat(isDocument, "Document of docsPage", "what openapi returns", document);
  requireOptions(options, "docsPage", [], ["sockets"]);
  const { sockets } = options;
  const areSockets = sockets === undefined || isRecord(sockets) && isRecord(sockets.channels) &&
      isRecord(sockets.components);
  requireThat(areSockets, "Option sockets of docsPage", "what asyncapi returns", sockets);
  let made: Promise<{ readonly page: string; readonly headers: Readonly<Record<string, string>> }> | undefined;

  async function make() {
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": await policyOf(document, sockets !== undefined),
      "x-content-type-options": "nosniff",
    };
    return { page: writePage(document, sockets), headers };
  }

  return async () => {
    const { page, headers } = await (made ??= make());
    return reply(200, new Response(page, { headers }));
  };
}

/** Allows the script and the style of the page, by their hashes, and requests to the servers. */
async function policyOf(document: OpenApiDocument, hasSockets: boolean): Promise<string> {
  const hash = async (text: string) => `'sha256-${btoa(String.fromCharCode(...await sha256(text)))}'`;
  const origins = originsOf(document);
  const ofSockets = hasSockets ? origins.map((origin) => origin.replace("http", "ws")) : [];
  return [
    "default-src 'none'",
    `script-src ${await hash(SCRIPT)}`,
    `style-src ${await hash(STYLE)}`,
    "img-src data:",
    `connect-src ${["'self'", ...origins, ...ofSockets].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

function writePage(described: OpenApiDocument, sockets: SocketsDocument | undefined): string {
  const schemas = { ...sockets?.components.schemas, ...described.components.schemas };
  const document = { ...described, components: { ...described.components, schemas } };
  const { info, webhooks = {} } = document;
  const groups = groupByTag(document);
  const sent = operationsIn(webhooks);
  const head = element(
    "head",
    {},
    element("meta", { charset: "utf-8" }),
    element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    element("title", {}, info.title),
    element("link", { rel: "icon", href: "data:," }),
    element("style", {}, new Markup(STYLE)),
  );
  const main = element(
    "main",
    {},
    element("h1", {}, info.title, " ", element("small", {}, info.version)),
    description(info.summary),
    description(info.description),
    serverField(document),
    credentialFields(document),
    element("p", { id: "found", role: "status" }),
    element(
      "div",
      { id: "operations", tabindex: "-1" },
      groups.map(({ name, about, operations }) =>
        section(idOf("tag", name), name, [
          description(about),
          operations.map((operation) => showOperation(operation, document, sockets)),
        ])
      ),
    ),
    sent.length > 0 && section("webhooks", "Webhooks", sent.map((webhook) => showWebhook(webhook, document))),
    Object.keys(schemas).length > 0 && section("schemas", "Schemas", showSchemas(schemas)),
  );
  const body = element(
    "body",
    {},
    element("a", { class: "skip", href: "#operations" }, "Skip to the operations"),
    element("nav", { "aria-label": "Contents" }, writeContents(groups, sent, Object.keys(schemas))),
    main,
    element("script", {}, new Markup(SCRIPT)),
  );
  return `<!doctype html>\n${element("html", { lang: "en" }, head, body).text}\n`;
}

/** A part of the page that its heading names. */
function section(id: string, heading: string, content: HtmlContent): Markup {
  return element("section", { "aria-labelledby": id }, element("h2", { id }, heading), content);
}

function showSchemas(schemas: NamedSchemas): HtmlContent {
  return Object.entries(schemas).map(([name, schema]) =>
    details(
      { class: "schema", id: idOf("schema", name) },
      code(name),
      element("div", { class: "opened" }, showSchema(schema), example("Example", sampleOf(schema, schemas))),
    )
  );
}

function writeContents(groups: readonly Group[], sent: readonly PlacedOperation[], schemas: readonly string[]): Markup {
  const links = (operations: readonly PlacedOperation[]) =>
    operations.map(({ method, path, operation: { operationId, summary = path } }) =>
      element(
        "a",
        { href: `#${idOf("operation", operationId)}`, "data-operation": operationId },
        methodName(method),
        " ",
        summary,
      )
    );
  const parts: readonly (readonly [heading: string, links: readonly Markup[]])[] = [
    ...groups.map(({ name, operations }) => [name, links(operations)] as const),
    ["Webhooks", links(sent)],
    ["Schemas", schemas.map((name) => element("a", { href: `#${idOf("schema", name)}` }, name))],
  ];
  return details(
    { open: true },
    "Contents",
    field("filter", "Filter", element("input", { id: "filter", type: "search", spellcheck: "false" })),
    parts.map(([heading, links]) =>
      links.length > 0 && [
        element("h2", {}, heading),
        element("ul", {}, links.map((link) => element("li", {}, link))),
      ]
    ),
  );
}

/** The operations of a tag. */
interface Group {
  readonly name: string;
  readonly about: string | undefined;
  readonly operations: readonly PlacedOperation[];
}

/** The operations by their first tag: in the order of `tags`, then in that of the operations. */
function groupByTag({ tags = [], paths }: OpenApiDocument): readonly Group[] {
  const operations = operationsIn(paths);
  const tagOf = ({ operation }: PlacedOperation) => operation.tags?.[0] ?? "Operations";
  const names = new Set([...tags.map(({ name }) => name), ...operations.map(tagOf)]);
  const groups = Array.from(names, (name) => ({
    name,
    about: tags.find((tag) => tag.name === name)?.description,
    operations: operations.filter((operation) => tagOf(operation) === name),
  }));
  return groups.filter(({ operations }) => operations.length > 0);
}

function operationsIn(paths: { readonly [path: string]: PathItem }): readonly PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  );
}
