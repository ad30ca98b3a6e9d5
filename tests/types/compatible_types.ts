/**
 * What `Compatible` says of two records of endpoints. The compiler checks this file: nothing is asserted at run time.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";
import { endpoint, reply, route } from "../../mod.ts";
import type { Compatible } from "../../src/client/mod.ts";
import { events, lines } from "../../src/events/mod.ts";
import { form } from "../../src/body/mod.ts";
import type * as api from "../entry_points/client/client_api.ts";

const book = z.object({ id: z.string(), title: z.string(), kind: z.enum(["a", "b"]), tags: z.string().array() });
const draft = z.object({ title: z.string(), kind: z.enum(["a", "b"]), note: z.string().optional() });
const query = z.object({ limit: z.coerce.number().optional() });
const show = endpoint.get("/books/:id", { responses: { 200: { schema: book }, 404: {} } });
const add = endpoint.post("/books", { request: { body: draft, query }, responses: { 201: { schema: book }, 400: {} } });
const v1 = { show, add };

/** A record with another endpoint `show`, and one with another `add`. */
type Shows<Shown extends object> = { readonly show: Shown; readonly add: typeof add };
type Adds<Added extends object> = { readonly show: typeof show; readonly add: Added };

export function harmlessChanges() {
  true satisfies Compatible<typeof v1, typeof v1>;
  true satisfies Compatible<typeof api, typeof api>;
  const more = { ...v1, more: endpoint.get("/more", { responses: { 204: {} } }) };
  true satisfies Compatible<typeof v1, typeof more>;
  const optionalInput = endpoint.post("/books", {
    request: {
      body: draft.extend({ extra: z.string().optional() }),
      query: query.extend({ page: z.string().optional() }),
    },
    responses: { 201: { schema: book.extend({ more: z.string() }) }, 400: {} },
  });
  true satisfies Compatible<typeof v1, Adds<typeof optionalInput>>;
  const wider = endpoint.post("/books", {
    request: { body: draft.partial().extend({ kind: z.string().optional() }) },
    responses: { 201: { schema: book } },
  });
  true satisfies Compatible<typeof v1, Adds<typeof wider>>;
  const examples = { emma: { id: "1", title: "Emma", kind: "a", tags: [] } } as const;
  const shown = endpoint.get("/books/:id", { responses: { 200: { schema: book, examples }, 404: {} } });
  true satisfies Compatible<typeof v1, Shows<typeof shown>>;
  const moved = endpoint.put("/v2/books/:id", { responses: { 200: { schema: book } } });
  true satisfies Compatible<typeof v1, Shows<typeof moved>>;
  const narrower = endpoint.get("/books/:id", { responses: { 200: { schema: book.extend({ kind: z.enum(["a"]) }) } } });
  true satisfies Compatible<typeof v1, Shows<typeof narrower>>;
  const implemented = route.on(show, { resolve: () => reply(404) });
  true satisfies Compatible<typeof v1, Shows<typeof implemented>>;
  true satisfies Compatible<{ readonly notAnEndpoint: string }, Record<never, never>>;
}

export function breakingChanges() {
  // @ts-expect-error at `satisfies`: add: the endpoint is gone
  true satisfies Compatible<typeof v1, { readonly show: typeof show }>;
  assertType<IsExact<Compatible<typeof v1, { show: typeof show }>, "add: the endpoint is gone">>(true);
  assertType<IsExact<Compatible<typeof v1, { show: 1; add: typeof add }>, "show: the endpoint is gone">>(true);
  assertType<
    IsExact<Compatible<typeof v1, Record<never, never>>, "add: the endpoint is gone" | "show: the endpoint is gone">
  >(true);

  const responses = { 201: { schema: book }, 400: {} } as const;
  const required = endpoint.post("/books", {
    request: { body: draft.extend({ extra: z.string() }), query },
    responses,
  });
  assertType<IsExact<Compatible<typeof v1, Adds<typeof required>>, "add: body.extra is required">>(true);
  const noLongerOptional = endpoint.post("/books", {
    request: { body: draft.extend({ note: z.string() }), query: query.required() },
    responses,
  });
  assertType<
    IsExact<
      Compatible<typeof v1, Adds<typeof noLongerOptional>>,
      "add: body.note is required" | "add: query is required"
    >
  >(true);
  const takesLess = endpoint.post("/books", {
    request: { body: draft.extend({ kind: z.enum(["a"]) }), query, headers: z.object({ "if-match": z.string() }) },
    responses,
  });
  assertType<
    IsExact<Compatible<typeof v1, Adds<typeof takesLess>>, "add: body.kind takes less" | "add: headers is required">
  >(true);
  const uploads = endpoint.post("/books", {
    request: { body: draft.pick({ title: true }), bodyReader: form },
    responses,
  });
  true satisfies Compatible<typeof v1, Adds<typeof uploads>>; // a client of `uploads` sends a form by itself

  const renamed = endpoint.get("/books/:slug", { responses: { 200: { schema: book }, 404: {} } });
  assertType<IsExact<Compatible<typeof v1, Shows<typeof renamed>>, "show: params.slug is required">>(true);
  const lacksKey = endpoint.get("/books/:id", { responses: { 200: { schema: book.omit({ title: true }) }, 404: {} } });
  assertType<IsExact<Compatible<typeof v1, Shows<typeof lacksKey>>, "show: 200 body.title is gone">>(true);
  const newStatus = endpoint.get("/books/:id", { responses: { 200: { schema: book }, 404: {}, 410: {} } });
  assertType<IsExact<Compatible<typeof v1, Shows<typeof newStatus>>, "show: the status 410 is new">>(true);
  const changed = endpoint.get("/books/:id", {
    responses: {
      200: {
        schema: book.extend({
          kind: z.enum(["a", "b", "c"]),
          title: z.string().optional(),
          tags: z.array(z.int()),
        }),
      },
    },
  });
  assertType<
    IsExact<
      Compatible<typeof v1, Shows<typeof changed>>,
      | "show: 200 body.kind has more values"
      | "show: 200 body.title may be absent"
      | "show: 200 body.tags[] has more values"
    >
  >(true);
  const anyResponse = endpoint.get("/books/:id");
  type None = "show: either the old or the new endpoint declares no responses";
  assertType<IsExact<Compatible<typeof v1, Shows<typeof anyResponse>>, None>>(true);
  assertType<IsExact<Compatible<Shows<typeof anyResponse>, typeof v1>, None>>(true);
}

export function otherParts() {
  const tagged = { show: endpoint.get("/x", { responses: { 204: { headers: { etag: { required: true } } } } }) };
  const untagged = { show: endpoint.get("/x", { responses: { 204: { headers: { etag: {} } } } }) };
  assertType<IsExact<Compatible<typeof tagged, typeof untagged>, "show: 204 headers.etag may be absent">>(true);
  true satisfies Compatible<typeof untagged, typeof tagged>;

  const numbers = { watch: endpoint.get("/x", { responses: { 200: lines(z.object({ at: z.int() })) } }) };
  const texts = { watch: endpoint.get("/x", { responses: { 200: lines(z.object({ at: z.string() })) } }) };
  // @ts-expect-error at `satisfies`: watch: 200 body is another
  true satisfies Compatible<typeof numbers, typeof texts>;
  const one = { watch: endpoint.get("/x", { responses: { 200: events({ left: z.int() }) } }) };
  const two = { watch: endpoint.get("/x", { responses: { 200: events({ left: z.int(), sold: z.int() }) } }) };
  // Clients do not expect the event `sold`.
  // @ts-expect-error at `satisfies`: watch: 200 body is another
  true satisfies Compatible<typeof one, typeof two>;
  true satisfies Compatible<typeof two, typeof one>;

  const both = { call: endpoint.on(["PUT", "PATCH"], "/x", { responses: { 204: {} } }) };
  const put = { call: endpoint.on(["PUT"], "/x", { responses: { 204: {} } }) };
  assertType<IsExact<Compatible<typeof both, typeof put>, "call: method takes less">>(true);
  true satisfies Compatible<typeof put, typeof both>;
  const single = { call: endpoint.put("/x", { responses: { 204: {} } }) };
  const patch = { call: endpoint.patch("/x", { responses: { 204: {} } }) };
  assertType<IsExact<Compatible<typeof both, typeof single>, "call: method takes less">>(true);
  true satisfies Compatible<typeof single, typeof patch>;
  assertType<IsExact<Compatible<typeof put, Partial<typeof put>>, "call: the endpoint may be absent">>(true);
  true satisfies Compatible<Partial<typeof put>, typeof put>;
}

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}
interface TreeOfNumbers {
  readonly name: number;
  readonly children: readonly TreeOfNumbers[];
}

export function schemasThatReferToThemselves() {
  const tree: z.ZodType<Tree> = z.any();
  const numbered: z.ZodType<TreeOfNumbers> = z.any();
  const before = { tree: endpoint.put("/tree", { request: { body: tree }, responses: { 200: { schema: tree } } }) };
  const after = {
    tree: endpoint.put("/tree", { request: { body: numbered }, responses: { 200: { schema: numbered } } }),
  };
  true satisfies Compatible<typeof before, typeof before>;
  // @ts-expect-error at `satisfies`: tree: 200 body.children[].children[].children is another | tree: 200
  //   body.children[].children[].name is another | tree: 200 body.children[].name has more values | tree: 200 body.name
  //   has more values
  true satisfies Compatible<typeof before, typeof after>;
}
