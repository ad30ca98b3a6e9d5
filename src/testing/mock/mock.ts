import type { Route } from "../../core/declare/declared_route.ts";
import { endpointsIn } from "../../core/declare/check_declared.ts";
import type { AnswersAt, Endpoint, InputAt, PathAt } from "../../core/declare/typed_endpoint.ts";
import type { Context, NoLocals } from "../../core/guards/context.ts";
import { rememberEndpoint } from "../../core/guards/made_guards.ts";
import type { Validator } from "../../core/input/validator.ts";
import { entriesOf } from "../../core/responses/media_type.ts";
import type { PathParams } from "../../core/routing/pattern.ts";
import type { ToJsonSchema } from "../../core/schemas/json_schema.ts";
import { type App, setup } from "../../core/setup.ts";
import { isRecord, requireFunction, requireOptions, requireThat } from "../../core/values/assert.ts";
import { receiveInput } from "../receive_parts.ts";
import { standardValidator } from "../standard_validator.ts";
import type { FastCheck } from "../values/fast_check.ts";
import type { Tools } from "./generate.ts";
import { negotiate } from "./negotiate.ts";
import { type AcceptSocket, prepareSocket } from "./open_socket.ts";
import { type PreparedResponse, prepareResponse } from "./prepare_response.ts";
import { type Preference, readPreference, selectResponse } from "./select_response.ts";

/**
 * The options of {@linkcode mock}.
 *
 * @typeParam Api The record of endpoints.
 * @typeParam Sockets The sockets of the runtime.
 */
export interface MockOptions<Api = object, in Sockets = never> {
  /**
   * The module `fast-check`, which generates bodies: `import fc from "fast-check"`. It is required if a response with a
   * schema has no examples.
   */
  readonly fc?: FastCheck | undefined;
  /** Decides what is generated: a whole number, 1 by default. */
  readonly seed?: number | undefined;
  /**
   * Chooses responses by the names of endpoints. A function receives what a handler does, and returns a declared
   * status, the name of an example, or `undefined` for the default.
   */
  readonly choose?: { readonly [Name in keyof Api]?: Choose<Api[Name]> | undefined } | undefined;
  /** Validates requests and generated bodies. Without it, schemas validate themselves, as Standard Schemas do. */
  readonly validator?: Validator;
  /** Converts schemas that do not implement Standard JSON Schema. */
  readonly toJsonSchema?: ToJsonSchema | undefined;
  /**
   * Opens sockets: `import { accept } from "@fw/core/sockets"`. `fetch` then needs the sockets of the runtime, as
   * that of the real app does.
   */
  readonly accept?: AcceptSocket<Sockets> | undefined;
}

/**
 * Chooses a response of an endpoint.
 *
 * @typeParam E The endpoint.
 */
export type Choose<E> = (
  c: Context<NoLocals, PathParams<PathAt<E>>, InputAt<E>>,
) => StatusAt<E> | ExampleName | undefined;

/** @internal The statuses that an endpoint declares. */
export type StatusAt<E> = AnswersAt<E> extends { readonly status: infer Status extends number } ? Status : never;

/** @internal The name of an example. The type of an endpoint does not have them. */
export type ExampleName = string;

/**
 * Makes an app from endpoints, without handlers: it sends the responses that they declare. It needs no server. Use it
 * in the tests of clients and while you write one.
 *
 * - Requests are validated as by the server. The response to an invalid request is the declared 422 or 400, or the
 *   declared 413 or 415 if that is the reason. A body of `parts` is first read to its end.
 * - A valid request gets the first declared status from 200 to 299. The header `Prefer: status=404` asks for another
 *   status, and `Prefer: example=emma` for an example. The option `choose` does the same. `code=404` means `status=404`.
 * - If a status has several media types, the header `Accept` chooses. If it accepts none of them, the response is the
 *   declared 406. If the endpoint declares no 406, the response has the first media type.
 * - The body is the first example. Without examples, it is generated from the schema. If a path parameter, a property
 *   of a JSON body or a field of a form has the same name as a property of the generated body, that property gets the
 *   same value, if it fits. The same request gets the same response.
 * - A stream sends each of its events once, or three lines. If only the media type is declared, the body is `mock`.
 * - All declared headers are sent.
 * - With the option `accept`, a handshake opens the declared socket. The socket sends each declared message when it
 *   opens, and again after each valid message of the client, with the values of that message. An invalid message closes
 *   the socket with 4000. Without `accept`, an endpoint with a socket responds with the declared 426.
 * - No guard runs, so credentials are not checked.
 *
 * The routes can be combined with others: `setup({ handlers: [ownRoute, ...mock(others).routes] })`.
 *
 * @typeParam Api The record.
 * @typeParam Sockets The sockets of the runtime, if there is the option `accept`.
 * @param endpoints The endpoints by name, such as `import * as api from "./api.ts"`. Values that are not endpoints are
 * left out, but a value that contains endpoints is an error.
 * @param options The generator of values, and which responses to choose.
 * @returns The app. Its `fetch` rejects with a `TypeError` if a request asks for a response that is not declared, if it
 * is invalid and no response is declared for that, or if no generated value fits the schema.
 * @throws A `TypeError` if there is no endpoint, if an option is wrong, or if a body can be neither taken from examples
 * nor generated.
 *
 * @example A client without a server
 * ```ts
 * import { endpoint } from "@fw/core";
 * import { createClient } from "@fw/core/client";
 * import { mock } from "@fw/core/testing";
 * import { assertEquals } from "@std/assert";
 * import fc from "fast-check";
 * import { z } from "zod";
 *
 * const book = z.object({ id: z.string(), title: z.string() });
 * const api = {
 *   showBook: endpoint.get("/books/:id", {
 *     responses: { 200: { schema: book, examples: { emma: { id: "emma", title: "Emma" } } }, 404: {} },
 *   }),
 *   addBook: endpoint.post("/books", {
 *     request: { body: z.object({ title: z.string().min(1) }) },
 *     responses: { 201: { schema: book }, 400: {} },
 *   }),
 * };
 *
 * const app = mock(api, { fc, choose: { showBook: (c) => c.raw.params.id === "emma" ? 200 : 404 } });
 * const client = createClient(api, { fetch: app.fetch });
 *
 * assertEquals((await client.showBook({ params: { id: "emma" } })).body, { id: "emma", title: "Emma" });
 * assertEquals((await client.showBook({ params: { id: "none" } })).status, 404);
 * const added = await client.addBook({ body: { title: "Persuasion" } });
 * assertEquals(added.status === 201 && added.body.title, "Persuasion");
 * assertEquals((await client.addBook({ body: { title: "" } })).status, 400);
 * ```
 *
 * @example Another response, by a header
 * ```ts
 * import { endpoint } from "@fw/core";
 * import { mock } from "@fw/core/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const app = mock({ deleteBook: endpoint.delete("/books/:id", { responses: { 204: {}, 409: {} } }) });
 * const request = new Request("http://localhost/books/7", { method: "DELETE", headers: { prefer: "status=409" } });
 * assertEquals((await app.fetch(request)).status, 409);
 * ```
 */
export function mock<const Api extends object, Sockets = never>(
  endpoints: Api,
  options: MockOptions<Api, Sockets> = {},
): App<SocketsOf<Sockets>> {
  requireThat(isRecord(endpoints), "Argument endpoints of mock", "an object of endpoints", endpoints);
  requireOptions(options, "mock", ["validator"], ["fc", "seed", "choose", "toJsonSchema", "accept"]);
  const { fc, seed = 1, choose = {}, validator = standardValidator, toJsonSchema, accept } = options;
  const known = fc === undefined || typeof fc?.sample === "function";
  requireThat(known, "Option fc", 'the module fast-check: import fc from "fast-check"', fc);
  requireThat(Number.isSafeInteger(seed), "Option seed", "a whole number", seed);
  if (toJsonSchema !== undefined) requireFunction("Option toJsonSchema", toJsonSchema);
  if (accept !== undefined) requireFunction("Option accept", accept);

  const tools = { fc, seed, validator, toJsonSchema };
  const named = endpointsIn(endpoints, "Argument endpoints of mock");
  if (named.length === 0) throw new TypeError("Argument endpoints of mock must contain an endpoint: received none");
  requireOptions(choose, "choose of mock", [], named.map(([name]) => name));
  const choices = new Map<string, unknown>(Object.entries(choose));
  /** An endpoint may have two names. */
  const routes = new Map<Endpoint, Route>();
  for (const [name, endpoint] of named) {
    const choice = choices.get(name);
    if (choice !== undefined) requireFunction(`Option choose.${name}`, choice);
    if (choice !== undefined || !routes.has(endpoint)) {
      const own = choice as Choose<Endpoint> | undefined;
      routes.set(endpoint, mockEndpoint(endpoint, own, `choose.${name}`, accept, tools));
    }
  }
  return setup({ validator, handlers: [...routes.values()] }) as App<SocketsOf<Sockets>>;
}

/** @internal The extra arguments of `fetch`. */
export type SocketsOf<Sockets> = [Sockets] extends [never] ? [] : [Sockets];

/** A route of an endpoint, which responds as that declares. */
function mockEndpoint(
  endpoint: Endpoint,
  choose: Choose<Endpoint> | undefined,
  option: string,
  accept: AcceptSocket<never> | undefined,
  tools: Tools,
): Route {
  const owner = `${endpoint.method} ${endpoint.path}`;
  const prepared = new Map(
    Object.entries(endpoint.responses ?? {}).filter(([key]) => key !== "101").map(([key, declared]) =>
      [key, entriesOf(declared).map((each) => prepareResponse(each, `response ${key} of ${owner}`, tools))] as const
    ),
  );
  const socket = prepareSocket(endpoint, owner, accept, tools);
  const examples = new Map(
    Array.from(prepared, ([key, each]) => [key, each.flatMap(({ examples }) => examples)] as const),
  );
  return {
    ...endpoint,
    guards: rememberEndpoint([], endpoint),
    async resolve(unread: Context, ...[sockets]: readonly unknown[]) {
      const { headers } = unread.request;
      const preference = readPreference(headers.get("prefer")) ?? preferenceOf(choose?.(unread as never), option);
      const hasParts = endpoint.request?.bodyReader?.format === "parts";
      const c = hasParts ? { ...unread, input: await receiveInput(unread.input) } : unread;
      const mayOpen = socket !== undefined && (preference.status === 101 || socket.opensFor(c));
      const declared = mayOpen ? new Map([["101", []], ...examples]) : examples;
      const { key, status, example } = selectResponse(owner, declared, preference, c.input);
      if (mayOpen && status === 101) return socket.open(c, sockets);
      const all = prepared.get(key) as readonly PreparedResponse[];
      const offers = all.filter(({ examples }) => example === undefined || examples.includes(example));
      const [first] = offers;
      // One media type is sent whatever is accepted, as by a handler.
      const accepted = all.length > 1 ? negotiate(offers, headers.get("accept")) : first;
      const [refusal] = accepted === undefined ? prepared.get("406") ?? [] : [];
      if (refusal !== undefined) return await refusal.send(406, undefined, c);
      return await (accepted ?? first as PreparedResponse).send(status, example, c);
    },
  };
}

/** What the option `choose` asks for. */
function preferenceOf(chosen: unknown, option: string): Preference {
  if (chosen === undefined) return {};
  if (typeof chosen === "number") return { status: chosen };
  requireThat(typeof chosen === "string", `Result of ${option}`, "a status or the name of an example", chosen);
  return { example: chosen };
}
