/** Types of bodies whose parts arrive one by one. If this file compiles, the tests have passed. */
import { denyInvalid, endpoint, reply, route } from "../../mod.ts";
import { type DeclaredParts, file, parts } from "../../src/body/mod.ts";
import { createClient } from "../../src/client/mod.ts";
import * as v from "valibot";
import { z } from "zod";

type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const exact = <_Same extends true>(): void => {};

const upload = parts({
  title: z.string(),
  count: z.coerce.number().optional(),
  photo: file({ contentTypes: ["image/*"], maxBytes: 10 }),
  more: file({ maxBytes: 10, optional: true }),
});
const api = { add: endpoint.post("/photos", { request: { body: upload }, responses: { 201: {}, 400: {} } }) };

// A part is told apart by its issues and its name.
route.on(api.add, {
  guards: [denyInvalid(() => reply(400))],
  resolve: async ({ input }) => {
    for await (const part of input.body) {
      if (part.issues) {
        exact<Exact<typeof part.name, "title" | "count" | "photo" | "more" | undefined>>();
        return reply(400);
      }
      if (part.name === "title") exact<Exact<typeof part.value, string>>();
      else if (part.name === "count") exact<Exact<typeof part.value, number | undefined>>();
      // `Uint8Array<ArrayBuffer>`, of which TypeScript 5.4 knows no argument.
      else exact<Exact<typeof part.stream, ReadableStream<ReturnType<Uint8Array["slice"]>>>>();
    }
    return reply(201);
  },
});

// Without a look at the issues, there is no value and no stream.
route.on(api.add, {
  guards: [denyInvalid(() => reply(400))],
  resolve: async ({ input }) => {
    for await (const part of input.body) {
      // @ts-expect-error at `stream`: Property 'stream' does not exist on type 'ReceivedFile<…'.
      if (part.name === "photo") void part.stream;
    }
    return reply(201);
  },
});

// A client sends what is declared.
const client = createClient(api, { baseUrl: "https://example.com" });
declare const photo: File;
void client.add({ body: { title: "Emma", photo } });
void client.add({ body: { title: "Emma", count: 3, photo: [photo, photo], more: undefined } });
declare const list: { readonly [index: number]: File; readonly length: number; item(index: number): File | null };
void client.add({ body: { title: "Emma", photo: list } });
declare const stream: ReadableStream<ReturnType<Uint8Array["slice"]>>;
void client.add({ body: { title: "Emma", photo: { stream, size: 3 }, more: [photo, { stream, size: 1, name: "a" }] } });
// A stream without its size.
// @ts-expect-error at `photo`: Property 'size' is missing in type '{ stream: ReadableStream<Uint8Array<ArrayBuffer>>;
//   }' but required in type 'StreamedFile'.
void client.add({ body: { title: "Emma", photo: { stream } } });
// @ts-expect-error at `{ stream }`: Property 'size' is missing in type '{ stream:
//   ReadableStream<Uint8Array<ArrayBuffer>>; }' but required in type 'StreamedFile'.
void client.add({ body: { title: "Emma", photo: [{ stream }] } });
// @ts-expect-error at `more`: Property 'size' is missing in type '{…' but required in type 'StreamedFile'.
void client.add({ body: { title: "Emma", photo, more: { stream, name: "a.png" } } });
// @ts-expect-error at `photo`: Type 'ReadableStream<Uint8Array<ArrayBuffer>>' is missing the following properties from
//   type 'StreamedFile': stream, size
void client.add({ body: { title: "Emma", photo: stream } });
// @ts-expect-error at `more`: Type 'ReadableStream<Uint8Array<ArrayBuffer>>' is missing the following properties from
//   type 'StreamedFile': stream, size
void client.add({ body: { title: "Emma", photo, more: stream } });
// @ts-expect-error at `size`: Type 'undefined' is not assignable to type 'number'.
void client.add({ body: { title: "Emma", photo: { stream, size: photo.size || undefined } } });
// @ts-expect-error at `body`: Property 'photo' is missing in type '{ title: string; }' but required in type '{…'.
void client.add({ body: { title: "Emma" } });
// @ts-expect-error at `photo`: Type 'string' is not assignable to type 'ArrayLike<… | SentFile | StreamedFile'.
void client.add({ body: { title: "Emma", photo: "a.png" } });
// @ts-expect-error at `title`: Type 'number' is not assignable to type 'string'.
void client.add({ body: { title: 1, photo } });
// @ts-expect-error at `owner`: Object literal may only specify known properties, and 'owner' does not exist in type
//   'SentParts<…'.
void client.add({ body: { title: "Emma", photo, owner: "ada" } });

// @ts-expect-error at `title`: Type '(value: unknown) => value is string' is not assignable to type
//   'DeclaredFile<boolean> | { readonly "~standard": object; }'.
parts({ title: (value: unknown): value is string => typeof value === "string" });
// @ts-expect-error at `{ contentTypes: ["image/*"] }`: Property 'maxBytes' is missing in type '{ contentTypes:
//   string[]; }' but required in type 'FileRule'.
file({ contentTypes: ["image/*"] });
// @ts-expect-error at `contentType`: Object literal may only specify known properties, but 'contentType' does not exist
//   in type '…'. Did you mean to write 'contentTypes'?
file({ maxBytes: 1, contentType: "image/png" });

// A field arrives as a text, so a schema that accepts none rejects every body.
// @ts-expect-error at `count`: "count" of the form arrives as a string, which this schema never accepts: let the schema
//   convert it, as z.coerce.number() does
parts({ title: z.string(), count: z.number() });
// @ts-expect-error at `isNew`: "isNew" of the form arrives as a string, which this schema never accepts: let the schema
//   convert it, as z.coerce.number() does
parts({ isNew: z.boolean().optional() });
// @ts-expect-error at `photo`: "photo" of the form is a file: write file({ maxBytes })
parts({ photo: z.file() });
// @ts-expect-error at `tag`: "tag" of the form arrives as one part for each value: write the schema of one value
parts({ tag: z.array(z.string()) });
// @ts-expect-error at `author`: "author" of the form arrives as a string, which this schema never accepts: let the
//   schema convert it, as z.coerce.number() does
parts({ author: v.object({ name: v.string() }) });
parts({
  count: z.coerce.number(),
  isNew: z.stringbool().default(false),
  kind: z.enum(["cat", "dog"]).optional(),
  tag: z.union([z.string(), z.array(z.string())]),
  author: z.string().transform((text): unknown => JSON.parse(text)),
  owner: v.pipe(v.string(), v.brand("Owner")),
  other: z.unknown(),
  none: z.undefined(),
  own: { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } },
});
declare const declared: DeclaredParts;
parts(declared);
