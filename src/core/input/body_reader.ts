import { requireThat } from "../values/assert.ts";
import type { BodyIssue, BodyReading, ReadBody } from "./body.ts";

/**
 * Reads bodies that are not JSON. Give it to a route as `request.bodyReader`, next to the schema that validates its
 * value. `form`, `text` and `bytes` of `@fw/core/body` are some.
 *
 * @example A reader of lines
 * ```ts
 * import { type BodyReader, route, setup } from "@fw/core";
 * import { text } from "@fw/core/body";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const lines: BodyReader = {
 *   contentTypes: ["text/plain"],
 *   async read(request, maxBytes) {
 *     const result = await text.read(request, maxBytes); // counts bytes, and knows bodies that are cut off
 *     return "issue" in result ? result : { value: String(result.value).split("\n") };
 *   },
 * };
 *
 * const app = setup({
 *   validator: standardSchema,
 *   maxBodyBytes: 1000,
 *   handlers: [
 *     route.post("/notes", {
 *       request: { body: z.array(z.string().min(1)), bodyReader: lines },
 *       resolve: ({ input }) => Response.json(input.ok ? input.body : input.issues[0]?.code),
 *     }),
 *   ],
 * });
 *
 * const post = (body: string) => app.fetch(new Request("http://localhost/notes", { method: "POST", body }));
 * assertEquals(await (await post("Buy milk\nCall Bob")).json(), ["Buy milk", "Call Bob"]);
 * assertEquals(await (await post("milk ".repeat(1000))).json(), "body_too_large");
 * ```
 */
export interface BodyReader {
  /**
   * The media types that the reader accepts, in lower case. There is at least one. Documents list them. The framework
   * does not compare them with `content-type`: `read` does.
   */
  readonly contentTypes: readonly string[];
  /**
   * How clients must send a body. A typed client sends the value that the schema accepts as `json`, or as the fields of
   * a `form`, or of `parts` that are received one by one; for `text` it takes a string. For `bytes`, and without a
   * format, it takes what `fetch` takes.
   */
  readonly format?: "json" | "form" | "parts" | "text" | "bytes" | undefined;
  /** The media types of the files of a form by name, for documentation. */
  readonly encoding?: { readonly [name: string]: { readonly contentType: string } } | undefined;
  /**
   * Whether a request may have no body. Then `read` returns the value `undefined` for a body of no bytes, and the schema
   * decides. `optional` of `@fw/core/body` makes such a reader of another one.
   */
  readonly optional?: boolean | undefined;
  /**
   * Reads the body of a request.
   *
   * A mistake of the client, such as a body that it cut off, is an issue. A rejection is an error of the reader, and
   * goes to `onError`.
   *
   * @param request The request, its body unread.
   * @param maxBytes The largest body to accept, in bytes; `Infinity` if the app sets no bound. Stop reading beyond it.
   * @returns The value to validate, or the issue to report.
   */
  read(request: Request, maxBytes: number): Promise<BodyReaderResult>;
}

/** The result of a {@linkcode BodyReader}. */
export type BodyReaderResult = {
  /** The value, which the body schema validates. */
  readonly value: unknown;
  /**
   * Ends reading, if the handler reads the value itself, such as a stream. It is called once, when there is a response
   * or an error, and the response waits for it. If it rejects, `onError` receives the error.
   */
  readonly end?: (() => Promise<void>) | undefined;
} | {
  /** Why the body has no value. It becomes an issue of the part `body`; the validator is not called for the body. */
  readonly issue: BodyIssue;
  /** The text that was read, for `received` of the input. */
  readonly text?: string | undefined;
};

/**
 * Checks a `bodyReader`, and makes a function of it whose results are checked at every request.
 *
 * @param reader The option.
 * @param route The route, as messages name it.
 * @returns The function.
 * @throws If it is not a {@linkcode BodyReader}.
 */
export function readWith(reader: BodyReader, route: string): ReadBody {
  const { contentTypes, read }: { readonly contentTypes?: unknown; readonly read?: unknown } = reader ?? {};
  const isReader = typeof read === "function" && Array.isArray(contentTypes) && contentTypes.length > 0 &&
    contentTypes.every((type) => typeof type === "string");
  requireThat(isReader, `Option bodyReader of route ${route}`, "{ contentTypes, read }", reader);
  return async (request, maxBytes) => {
    const result: unknown = await read.call(reader, request, maxBytes);
    const given: Partial<BodyReading> = Object(result);
    const { value, issue, text, end } = given;
    const isResult = issue === undefined
      ? "value" in given
      : typeof issue?.message === "string" && typeof issue.code === "string";
    requireThat(
      isResult,
      `Result of bodyReader of route ${route}`,
      "{ value } or { issue: { message, code } }",
      result,
    );
    if (!issue) return end ? { value, end } : { value };
    return typeof text === "string" ? { issue, text } : { issue };
  };
}

/**
 * The `request` of a route or an endpoint, with the reader that its body schema has itself, as `parts` has one.
 *
 * @param request The option.
 * @returns The option; a copy with `bodyReader` if the schema has one, and none is given.
 */
export function withOwnReader<Request extends { readonly body?: unknown; readonly bodyReader?: unknown }>(
  request: Request,
): Request {
  const { "~reader": own }: { readonly "~reader"?: unknown } = Object(request.body);
  return own === undefined || request.bodyReader !== undefined ? request : { ...request, bodyReader: own };
}
