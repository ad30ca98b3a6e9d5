import type { JsonSchema } from "../../core/schemas/json_schema.ts";
import { showSchema } from "./show_schema.ts";
import { type Attributes, description, element, field, type HtmlContent } from "./markup.ts";
import { sampleOf } from "./sample.ts";
import { keywordsOf, listOf, type NamedSchemas, namedValuesOf } from "./schemas.ts";

/** The parts of an AsyncAPI document that the page of an API reads, as `asyncapi` of `@fw/core/sockets` makes it. */
export interface SocketsDocument {
  /** The sockets, by the names of their endpoints. */
  readonly channels: { readonly [name: string]: object };
  /** The schemas that messages refer to. */
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema } };
}

/** A message of a socket. */
export interface Message {
  /** Whether the client sends it. */
  readonly isSent: boolean;
  /** Its name. */
  readonly name: string;
  /** What it is for. */
  readonly summary: unknown;
  /** The schema of its data; `undefined` if it has none. */
  readonly data: unknown;
  /** Whether it is an acknowledgement or a heartbeat, which has no name on the wire. */
  readonly isOfProtocol: boolean;
}

/** The messages of the socket at a path, with its parameters in braces; `undefined` if there is none. */
export function messagesAt(path: string, sockets: SocketsDocument | undefined): readonly Message[] | undefined {
  const channel = Object.values(sockets?.channels ?? {}).map(keywordsOf).find(({ address }) => address === path);
  return channel && namedValuesOf(channel.messages).map(([key, message]) => {
    const { name, summary, payload } = keywordsOf(message);
    const { properties, required } = keywordsOf(payload);
    return {
      isSent: key.startsWith("client."),
      name: String(name),
      summary,
      data: keywordsOf(properties).data,
      isOfProtocol: !listOf(required).includes("name"),
    };
  });
}

/** Describes the messages of a socket, in both directions. */
export function showMessages(messages: readonly Message[]): HtmlContent {
  return ([[true, "The client sends"], [false, "The server sends"]] as const).map(([isSent, heading]) => [
    element("h4", {}, heading),
    element(
      "dl",
      {},
      messages.filter((message) => message.isSent === isSent).map(({ name, summary, data }) => [
        element("dt", {}, element("b", {}, name), " ", description(summary, "span")),
        element("dd", {}, data !== undefined && showSchema(data)),
      ]),
    ),
  ]);
}

/** A choice of the messages that the client sends, and a box with the chosen one. Nothing if there are none. */
export function messageFields(id: string, messages: readonly Message[], schemas: NamedSchemas): HtmlContent {
  const sent = messages.filter(({ isSent, isOfProtocol }) => isSent && !isOfProtocol).map(({ name, data }) => {
    const message = data === undefined ? { name } : { name, data: sampleOf(data, schemas) };
    return { name, text: JSON.stringify(message, null, 2) };
  });
  const options = sent.map(({ name, text }) => element("option", { value: text }, name));
  const attributes: Attributes = { id: `${id}-text`, "data-message": true, rows: "5", spellcheck: "false" };
  return sent.length > 0 && element(
    "fieldset",
    {},
    element("legend", {}, "Message"),
    field(`${id}-name`, "Name", element("select", { id: `${id}-name`, "data-messages": true }, options)),
    // A parser drops the first line break.
    field(`${id}-text`, "Text", element("textarea", attributes, `\n${sent[0]?.text}`)),
  );
}
