/** The examples of declared responses: each fits its schema. The compiler checks them, and no function is called. */
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { type Answer, endpoint, reply, route, type RouteResponse, type TypedEndpoint } from "../../mod.ts";
import { lines } from "../../src/events/mod.ts";

const book = z.object({ id: z.string(), title: z.string(), tags: z.array(z.string()).optional() });
interface Book {
  id: string;
  title: string;
  tags?: string[] | undefined;
}
const emma = { id: "1", title: "Emma" };

export function examplesThatFit() {
  const showBook = endpoint.get("/books/:id", {
    responses: {
      200: { schema: book, examples: { emma, tagged: { id: "2", title: "Persuasion", tags: ["sea"] } } },
      404: {},
    },
  });
  // Nothing else sees them: the type is that of an endpoint without examples.
  assertType<
    IsExact<
      typeof showBook,
      TypedEndpoint<"GET", "/books/:id", Record<never, never>, Answer<200, Book> | Answer<404, undefined>>
    >
  >(true);
  route.on(showBook, { resolve: () => reply(200, { id: "1", title: "Emma" }) });
  route.get("/books", {
    responses: { 200: { schema: z.array(book), examples: { none: [], some: [emma] } } },
    resolve: () => reply(200, []),
  });
  endpoint.with({
    responses: { 401: { schema: z.object({ code: z.literal("who") }), examples: { it: { code: "who" } } } },
  });
  route.with({
    responses: { 401: { schema: z.object({ code: z.literal("who") }), examples: { it: { code: "who" } } } },
  });

  // Of the output type of the schema.
  endpoint.get("/days", {
    responses: {
      200: { schema: z.object({ day: z.coerce.date() }), examples: { first: { day: new Date(0) } } },
      201: { schema: v.object({ n: v.number() }), examples: { one: { n: 1 } } },
      202: { schema: type({ n: "number" }), examples: { one: { n: 1 } } },
    },
  });
  // A media type that is not JSON has texts.
  endpoint.get("/books.csv", {
    responses: {
      200: { schema: z.string(), contentType: "text/csv", examples: { short: "id,title" } },
      201: { contentType: "text/csv", examples: { short: "id,title" } },
      202: { contentType: "application/geo+json", examples: { any: { type: "Point" } } },
      203: { schema: z.string(), contentType: "application/json", headers: { etag: {} }, examples: { text: "a" } },
    },
  });
  endpoint.get("/any", { responses: { 200: { schema: z.unknown(), examples: { one: 1, none: null } } } });
  endpoint.get("/note", { responses: { 200: { schema: z.string().nullish(), examples: { some: "a", none: null } } } });
  // Shared by several endpoints.
  const found = { schema: book, examples: { emma } } as const satisfies RouteResponse;
  endpoint.get("/first", { responses: { 200: found } });
}

export function examplesThatDoNotFit() {
  endpoint.get("/books/:id", {
    // @ts-expect-error at `emma`: The example must fit the schema: id
    responses: { 200: { schema: book, examples: { emma: { id: 1, title: "Emma" } } } },
  });
  endpoint.get("/books/:id", {
    // @ts-expect-error at `other`: The example must fit the schema: title is missing
    responses: { 200: { schema: book, examples: { emma, other: { id: "1" } } } },
  });
  endpoint.get("/books/:id", {
    // @ts-expect-error at `emma`: The example must fit the schema, which has no key pages
    responses: { 200: { schema: book, examples: { emma: { id: "1", title: "Emma", pages: 474 } } } },
  });
  const row = { id: "1", title: "Emma", owner: "ada" };
  endpoint.get("/books", {
    // @ts-expect-error at `some`: The example must fit the schema
    responses: { 200: { schema: z.array(book), examples: { some: [row] } } },
  });
  endpoint.get("/books/:id", {
    // @ts-expect-error at `examples`: Index signature for type 'string' is missing in type '{ id: string; title:
    //   string; }[]'.
    responses: { 200: { schema: book, examples: [emma] } },
  });
  endpoint.get("/books/:id", {
    // @ts-expect-error at `it`: The example must fit the schema: code
    responses: { 404: { schema: z.object({ code: z.literal("missing") }), examples: { it: { code: "gone" } } } },
  });
  const shape = z.union([z.object({ side: z.number() }), z.object({ radius: z.number() })]);
  // @ts-expect-error at `none`: The example must fit the schema
  endpoint.get("/shapes", { responses: { 200: { schema: shape, examples: { none: {}, square: { side: 1 } } } } });
  // @ts-expect-error at `none`: Type 'undefined' is not assignable to type 'never'.
  endpoint.get("/note", { responses: { 200: { schema: z.string().optional(), examples: { none: undefined } } } });
  // @ts-expect-error at `one`: The example must fit the schema
  endpoint.get("/count", { responses: { 200: { schema: z.number(), examples: { one: "1" } } } });
  // @ts-expect-error at `emma`: A response without a schema has no body: leave the examples out, or add the schema
  endpoint.delete("/books/:id", { responses: { 204: { examples: { emma } } } });
  // @ts-expect-error at `emma`: The example must fit the schema
  endpoint.get("/books.csv", { responses: { 200: { contentType: "text/csv", examples: { emma } } } });
  // @ts-expect-error at `some`: A stream has no examples: leave them out
  endpoint.get("/books", { responses: { 200: { ...lines(book), examples: { some: [emma] } } } });
  route.get("/books/:id", {
    // @ts-expect-error at `emma`: The example must fit the schema: title is missing
    responses: { 200: { schema: book, examples: { emma: { id: "1" } } } },
    resolve: () => reply(200, emma),
  });
  // @ts-expect-error at `emma`: The example must fit the schema: title is missing
  endpoint.with({ responses: { 200: { schema: book, examples: { emma: { id: "1" } } } } });
  const found = { schema: book, examples: { emma: { id: "1" } } } as const satisfies RouteResponse;
  // @ts-expect-error at `200`: The example must fit the schema: title is missing
  endpoint.get("/first", { responses: { 200: found } });
}
