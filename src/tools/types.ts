/** What `tools` takes and returns. Types only. */

import type { JsonSchemaObject, ToJsonSchema } from "../core/schemas/json_schema.ts";

/** A tool: an endpoint, as a language model sees it. */
export interface Tool {
  /** The name of the endpoint in the record. */
  readonly name: string;
  /** The description of `docs`, else the summary, else method and path. */
  readonly description: string;
  /**
   * The JSON Schema of the arguments: an object with the parts that the endpoint has, of `params`, `query` and `body`.
   * Headers and cookies are not among them.
   */
  readonly inputSchema: JsonSchemaObject;
  /** The JSON Schema of `body`, if the endpoint has one response of a status 200 to 299, and that is a JSON object. */
  readonly outputSchema?: JsonSchemaObject;
  /** Hints for clients, derived from the method. */
  readonly annotations: ToolAnnotations;
  /**
   * Sends a request to the app, with the headers of the options.
   *
   * @param args The arguments: an object with the keys of `inputSchema`.
   * @param call The other options of this call.
   * @returns The response, whatever its status is. The promise rejects with a `TypeError` if `args` does not fit
   * `inputSchema`: an unknown key, a missing required key, a value of another type, or one that an enum lacks. It
   * rejects with an `Error` if the endpoint does not declare the response: its status, or its media type where the
   * status has several.
   */
  readonly call: (args: object, call?: ToolCall) => Promise<ToolResult>;
}

/** Hints about a tool, as the [Model Context Protocol](https://modelcontextprotocol.io) names them. */
export interface ToolAnnotations {
  /** The summary of `docs`. */
  readonly title?: string;
  /** Whether the method is GET, HEAD or QUERY, which change nothing. */
  readonly readOnlyHint: boolean;
  /** Whether the method may delete or change what is there: it does, unless it is read-only or POST. */
  readonly destructiveHint: boolean;
  /** Whether a repeated call has the effect of one: it does with every method but POST and PATCH. */
  readonly idempotentHint: boolean;
}

/** The options of a call besides its arguments. */
export interface ToolCall {
  /** Headers of this call, over those of the options: such as the credentials of the model's user. */
  readonly headers?: RequestInit["headers"] | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/** The response to a call. */
export interface ToolResult {
  /** The status. */
  readonly status: number;
  /** Whether the status is not between 200 and 299. */
  readonly isError: boolean;
  /** The parsed JSON; a string if the response has another media type; `undefined` for an empty body. */
  readonly body: unknown;
}

/**
 * The options of `tools`.
 *
 * @typeParam Api The record of endpoints.
 */
export interface ToolOptions<Api> {
  /** Sends a request: `app.fetch`, or a function that calls a server. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** The names of the endpoints that become tools; no others do. By default all. */
  readonly only?: readonly (keyof Api & string)[] | undefined;
  /** Headers of every call. The model neither sees nor sets them. */
  readonly headers?: RequestInit["headers"] | undefined;
  /** The beginning of all urls: a string or a `URL`. By default `http://localhost`, for `app.fetch`. */
  readonly baseUrl?: string | URL | undefined;
  /** Converts schemas of libraries that do not implement Standard JSON Schema. */
  readonly toJsonSchema?: ToJsonSchema | undefined;
  /**
   * Writes the schemas in the subset that model providers accept in their strict modes: each key is required, an object
   * has no other keys, and there is no `oneOf`, `default` or `propertyNames`. A key that may be absent accepts `null`
   * instead, and a call leaves it out. An object with keys of any name is a `TypeError`.
   */
  readonly strict?: boolean | undefined;
}

/**
 * The options that a record of endpoints requires: `only`, if there is an endpoint that may write.
 *
 * @typeParam Api The record of endpoints.
 */
export type ToolsIn<Api> = [WriteIn<Api>] extends [never] ? unknown : {
  /** The names of the tools. They are required, since an endpoint of the record may write. */
  readonly only: readonly (keyof Api & string)[];
};

/** @internal The names of the endpoints whose method may write. Of a union of records, those of each count. */
export type WriteIn<Api> = Api extends unknown ? {
    [Name in keyof Api]-?: [MethodIn<Api[Name]>] extends [SafeMethod | readonly SafeMethod[]] ? never : Name;
  }[keyof Api]
  : never;

/** The methods of an endpoint. What else it may be, such as absent, has none. */
type MethodIn<Each> = Each extends { readonly method: infer Method; readonly path: string } ? Method : never;

/** A method that changes nothing (RFC 9110, 9.2.1, and RFC 10008). */
type SafeMethod = "GET" | "HEAD" | "QUERY";
