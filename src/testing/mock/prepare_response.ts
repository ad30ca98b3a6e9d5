import type { Context } from "../../core/guards/context.ts";
import { EVENT_STREAM, isJson, sendableType } from "../../core/responses/media_type.ts";
import { isNullBodyStatus } from "../../core/responses/null_body_status.ts";
import type { RouteResponse } from "../../core/responses/responses.ts";
import { isText } from "../../core/responses/text_schema.ts";
import { isRecord, requireThat } from "../../core/values/assert.ts";
import { createGenerator, type Tools } from "./generate.ts";

/** A declared response, ready to be sent. */
export interface PreparedResponse {
  /** The media type; `undefined` if there is no body. */
  readonly contentType: string | undefined;
  /** The names of its examples. */
  readonly examples: readonly string[];
  /**
   * Makes the response.
   *
   * @param status The status.
   * @param example The name of the example to send. By default the first, or a generated body.
   * @param c The context of the request, by which values are generated.
   */
  send(status: number, example: string | undefined, c: Context): Promise<Response>;
}

/**
 * Prepares a declared response.
 *
 * @param response The declared response.
 * @param owner The response, as messages name it.
 * @param tools What values are generated with.
 * @returns The response, ready to be sent.
 * @throws A `TypeError` if its body can be neither taken from examples nor generated.
 */
export function prepareResponse(response: RouteResponse, owner: string, tools: Tools): PreparedResponse {
  requireThat(isRecord(response), owner, "an object", response);
  const { schema, contentType = schema === undefined ? undefined : "application/json", examples = {} } = response;
  requireThat(isRecord(examples), `Option examples of ${owner}`, "an object of bodies by name", examples);
  const names = Object.keys(examples);
  const generateBody = names.length > 0 ? undefined : bodyOf(response, owner, tools);
  const headers = Object.entries(response.headers ?? {}).filter(([name]) => !FRAMING.includes(name.toLowerCase())).map(
    ([name, { schema }]) => {
      const generate = schema === undefined
        ? undefined
        : createGenerator(schema, `header ${name} of ${owner}`, { ...tools, validator: undefined });
      return async (c: Context, sent: Headers) => {
        sent.set(name, generate === undefined ? HEADERS[name.toLowerCase()] ?? "mock" : `${await generate(c, name)}`);
      };
    },
  );
  return {
    contentType,
    examples: names,
    async send(status, example = names[0], c) {
      const sent = new Headers(response["~stream"] && { "cache-control": "no-store" });
      for (const add of headers) await add(c, sent);
      const hasBody = contentType !== undefined && !isNullBodyStatus(status);
      if (hasBody) sent.set("content-type", sendableType(contentType));
      if (!hasBody || c.request.method === "HEAD") return new Response(null, { status, headers: sent });
      const body = generateBody === undefined
        ? encode((examples as Readonly<Record<string, unknown>>)[`${example}`], contentType)
        : await generateBody(c);
      return new Response(body, { status, headers: sent });
    },
  };
}

/** The body of a response without examples. */
function bodyOf(
  { schema, contentType = "application/json", "~stream": stream }: RouteResponse,
  owner: string,
  tools: Tools,
): (c: Context) => Promise<BodyInit> {
  if (stream === undefined) {
    if (schema === undefined) return () => Promise.resolve(isJson(contentType) ? "{}" : "mock");
    const generate = createGenerator(schema, owner, tools);
    return async (c) => encode(await generate(c), contentType);
  }
  const events = contentType === EVENT_STREAM ? Object.entries(Object(stream.items)) : undefined;
  const items = (events ?? LINES.map((line) => [line, stream.items])).map(([name, schema]) => {
    const generate = createGenerator(schema, `an item of ${owner}`, tools);
    const start = events === undefined ? "" : `${name === "message" ? "" : `event: ${name}\n`}data: `;
    const encodeItem = isText(schema) ? encodeText : JSON.stringify;
    return async (c: Context) => `${start}${encodeItem(await generate(c, name))}\n${start && "\n"}`;
  });
  return async (c) => (await Promise.all(items.map((item) => item(c)))).join("");
}

/** Text of an event, each line of which is a field. */
function encodeText(text: unknown): string {
  return `${text}`.replaceAll(/\r\n|\n|\r/g, "\ndata: ");
}

/** The lines of a stream. */
const LINES = ["1", "2", "3"];

function encode(value: unknown, contentType: string): BodyInit {
  return isJson(contentType) ? JSON.stringify(value) : value instanceof Blob ? value : `${value}`;
}

/** Headers that a server sets, or by which a client reads the body. */
const FRAMING = ["content-encoding", "content-length", "transfer-encoding"];

/** Values of headers without a schema that clients understand. */
const HEADERS: { readonly [name: string]: string | undefined } = {
  "cache-control": "no-store",
  "etag": '"mock"',
  "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT",
  "location": "/",
  "retry-after": "1",
  "set-cookie": "mock=1",
};
