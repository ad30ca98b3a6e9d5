/** The responses that a route declares. Types only. */

/**
 * The responses of a route, an endpoint or a scope by status: a number from 100 to 599 such as `200`, a range such as
 * `"4XX"`, or `default`.
 *
 * If a route declares responses, TypeScript checks that its handler returns one of them and that the typed denials of
 * its guards are among them. Nothing is checked at run time. `@fw/core/openapi` describes the responses.
 *
 * A status with several media types has a list of responses: `200: [{ schema }, { schema, contentType: "text/csv" }]`.
 * `reply` picks one by `contentType`. A list has each media type once, whatever its parameters are, and a response
 * without a `contentType` is `application/json`. An empty list does not compile, nor one that has a media type twice.
 * Both throw at their declaration.
 */
export type RouteResponses = {
  /** The response with this status. */
  readonly [status: number]: OneOrMore<RouteResponse>;
  /** The responses with a status from 100 to 199 that is not listed. */
  readonly "1XX"?: OneOrMore<RouteResponse>;
  /** The responses with a status from 200 to 299 that is not listed. */
  readonly "2XX"?: OneOrMore<RouteResponse>;
  /** The responses with a status from 300 to 399 that is not listed. */
  readonly "3XX"?: OneOrMore<RouteResponse>;
  /** The responses with a status from 400 to 499 that is not listed. */
  readonly "4XX"?: OneOrMore<RouteResponse>;
  /** The responses with a status from 500 to 599 that is not listed. */
  readonly "5XX"?: OneOrMore<RouteResponse>;
  /** The responses with any status not listed. */
  readonly default?: OneOrMore<RouteResponse>;
} & {
  // Not in the first type: without `exactOptionalPropertyTypes`, an optional property does not fit an index signature.
  /** The response with the status 204, which has no body. */
  readonly 204?: BodilessResponse;
  /** The response with the status 205, which has no body. */
  readonly 205?: BodilessResponse;
  /** The response with the status 304, which has no body. */
  readonly 304?: BodilessResponse;
};

/** @internal One, or a list. */
type OneOrMore<T> = T | readonly T[];

/**
 * One response of a route.
 *
 * Declare one that routes share with `satisfies RouteResponse`. An annotation, `const missing: RouteResponse`, hides
 * the schema from TypeScript.
 */
export interface RouteResponse {
  /** The meaning of the response, as CommonMark. */
  readonly description?: string | undefined;
  /** Schema of the response body (its output type). Without it, the handler sends a ready `Response`, or no body. */
  readonly schema?: unknown;
  /** A bare schema does not compile: write `{ schema }`. Listed here so that the compiler's message names it. */
  readonly "~standard"?: unknown;
  /**
   * The media type of the body; `application/json` by default, if there is a schema. `reply` must be given any other:
   * `reply(404, body, { contentType: "application/problem+json" })`. A media type of JSON is `application/json`, or
   * ends with `+json`, with or without parameters. The body of any other is a string.
   *
   * TypeScript compares literal types only: write `as const` after a response that is declared in a variable. For a
   * status with several media types, write a list of responses.
   */
  readonly contentType?: string;
  /**
   * The headers, by name. `reply` requires the headers with `required: true`, and accepts no header that is not
   * declared here. A client reads them in `answer.headers`. Without this option, a response may have any headers, and a
   * client reads `answer.response.headers`.
   */
  readonly headers?: { readonly [name: string]: ResponseHeader } & {
    /** Not allowed here: the media type is `contentType`. */
    readonly "content-type"?: never;
  };
  /**
   * Bodies by name, as a handler gives them to `reply`: `{ emma: { title: "Emma" } }`. An example that does not fit the
   * schema does not compile. `@fw/core/openapi` shows them, and `mock` of `@fw/core/testing` responds with them.
   */
  readonly examples?: { readonly [name: string]: unknown } | undefined;
  /** How clients read a stream. `events` and `lines` of `@fw/core/events` set it, and `socket` of `@fw/core/sockets`. */
  readonly "~stream"?: DeclaredStream;
}

/** A response whose status allows no body, and so no schema. */
export interface BodilessResponse extends RouteResponse {
  /** The message of the compiler for a schema. */
  readonly schema?: "A response with this status has no body: leave the schema out, or use another status";
  /** The message of the compiler for a list. */
  readonly length?: "A response with this status has no body: write {}, not a list";
}

/** One header of a response. */
export interface ResponseHeader {
  /** The meaning of the header, as CommonMark. */
  readonly description?: string | undefined;
  /**
   * Schema of the value: its output is a string, a number or a boolean. It is not validated. Without a schema, `reply`
   * takes any of them.
   */
  readonly schema?: unknown;
  /** Whether every response with this status has the header; `false` by default. */
  readonly required?: boolean | undefined;
}

/** @internal The responses that an endpoint for these methods may have: a handshake is a request for GET. */
export type ResponsesFor<Methods> =
  [Extract<Methods extends readonly unknown[] ? Methods[number] : Methods, "GET" | "ALL">] extends [never]
    ? RouteResponses & { readonly 101?: NoSocket }
    : RouteResponses;

/** A response that is no socket. */
interface NoSocket extends RouteResponse {
  /** The message of the compiler for a socket. */
  readonly "~stream"?: DeclaredStream & "Declare the socket by endpoint.get: a handshake is a GET request";
}

/** @internal The responses of a route over those of its scope, status by status. */
export type MergeResponses<Defaults, Responses> = [Defaults] extends [never] ? Responses
  : [Responses] extends [never] ? Defaults
  : {
    readonly [Key in keyof Defaults | keyof Responses]: Key extends keyof Responses ? Responses[Key]
      : Key extends keyof Defaults ? Defaults[Key]
      : never;
  };

/**
 * The body of a response that is a stream of events. Types only. The events are its keys, since TypeScript compares the keys of a
 * body. All are optional: a handler need not send each of them.
 *
 * @typeParam Events The data of the events by name, before it becomes JSON. Events without a name are `message`.
 */
export type EventsBody<Events> = { readonly [Name in keyof Events]?: Events[Name] } & {
  /** The kind of stream. */
  readonly "~stream": "events";
};

/**
 * The body of a response that is a stream of lines. Types only.
 *
 * @typeParam Item The item of a line, before it becomes JSON.
 */
export interface LinesBody<out Item> {
  /** The kind of stream. */
  readonly "~stream": "lines";
  /** The item. */
  readonly "~lines": Item;
}

/** @internal The body of any stream. */
export interface StreamBody<out Kind = string> {
  /** The kind of stream. */
  readonly "~stream": Kind;
}

/**
 * The events of a response: `for await (const { event, data, id } of answer.body)`. Leaving the loop ends the request.
 * Only one loop can read them. If none does, cancel `answer.response.body`.
 *
 * @typeParam Event The events: a union of {@linkcode ReceivedEvent}.
 */
export interface EventStream<out Event> extends AsyncIterable<Event> {
  /** The id of the last event that had one; until then, what the request had in the header `last-event-id`, or `""`. */
  readonly lastEventId: string;
  /** The milliseconds after which the server wants to be called again, if it has said so. */
  readonly retry: number | undefined;
  /** The method of the request. */
  readonly "~method"?: string;
  /** Whether an event or a comment has arrived. */
  readonly "~isAlive"?: boolean;
}

/**
 * An event that a client has received.
 *
 * @typeParam Name Its name; `message` for an event without a name.
 * @typeParam Data Its data, as JSON has it.
 */
export interface ReceivedEvent<out Name, out Data> {
  /** The name. */
  readonly event: Name;
  /** The data. */
  readonly data: Data;
  /** The id of the last event that had one. */
  readonly id: string;
}

/** How a client reads a declared stream, and how a document describes it. `events` and `lines` make it. */
export interface DeclaredStream {
  /** The schema of a line, or the schemas of the events by name. */
  readonly items: unknown;
  /** The most characters of a line or of an event that a client reads. */
  readonly maxLength: number;
  /** Whether it is a socket: then the items are the messages in both directions, and the response has no body. */
  readonly isSocket?: true;
  /**
   * Reads the stream.
   *
   * @param received The response.
   * @returns The items.
   * @throws If the response has another media type.
   */
  read(received: ReceivedStream): AsyncIterable<unknown>;
  /**
   * Called with each response of the handler that is declared as this stream, before it is read.
   *
   * @param response The response.
   */
  sent?(response: Response): void;
}

/** A response that a client reads as a stream. */
export interface ReceivedStream {
  /** The request. */
  readonly request: Request;
  /** The response. */
  readonly response: Response;
  /** Creates the error for a body that is not declared. */
  unexpected(): Error;
  /** Called for an event that is not declared, which clients skip. */
  skip?(event: string): void;
  /** Parses JSON, and validates it if the client has a validator. */
  parse(schema: unknown, text: string): Promise<unknown>;
}
