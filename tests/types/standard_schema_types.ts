/**
 * The types of input that `standardSchema` validates, library by library: transformed, with defaults, nested. The compiler
 * checks them: nothing is asserted at run time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import { Effect, Schema, SchemaGetter } from "effect";
import * as v from "valibot";
import { z } from "zod";
import { route, setup } from "../../mod.ts";
import { standardSchema } from "../../src/standard_schema/mod.ts";

const ok = () => new Response();
const isAda = (id: string) => Promise.resolve(id === "ada");

export function inputsFromZod() {
  setup({
    validator: standardSchema,
    handlers: [
      route.post("/:id", {
        request: {
          params: z.object({ id: z.coerce.number() }),
          query: z.object({ limit: z.coerce.number().default(20), q: z.string().optional() }),
          body: z.object({ tags: z.array(z.string()), at: z.iso.datetime().transform((text) => new Date(text)) }),
        },
        resolve({ input }) {
          if (!input.ok) return ok();
          assertType<IsExact<typeof input.params, { id: number }>>(true);
          assertType<IsExact<typeof input.query, { limit: number; q?: string | undefined }>>(true);
          assertType<IsExact<typeof input.body, { tags: string[]; at: Date }>>(true);
          // @ts-expect-error at `length`: Property 'length' does not exist on type 'number'.
          input.params.id.length;
          // @ts-expect-error at `limits`: Property 'limits' does not exist on type '{ limit: number; q?: string |
          //   undefined; }'. Did you mean 'limit'?
          input.query.limits;
          // @ts-expect-error at `length`: Property 'length' does not exist on type 'Date'.
          input.body.at.length;
          return ok();
        },
      }),
      route.get("/:id", {
        request: { params: z.object({ id: z.string().refine(isAda) }) },
        resolve({ input }) {
          if (input.ok) assertType<IsExact<typeof input.params, { id: string }>>(true);
          return ok();
        },
      }),
    ],
  });
}

export function inputsFromValibot() {
  const limit = v.pipe(v.string(), v.toNumber());
  setup({
    validator: standardSchema,
    handlers: [
      route.post("/:id", {
        request: {
          params: v.object({ id: v.pipe(v.string(), v.toNumber()) }),
          query: v.object({ limit: v.optional(limit, "20"), q: v.optional(v.string()) }),
          body: v.object({ tags: v.array(v.string()), at: v.pipe(v.string(), v.toDate()) }),
        },
        resolve({ input }) {
          if (!input.ok) return ok();
          assertType<IsExact<typeof input.params, { id: number }>>(true);
          assertType<IsExact<typeof input.query, { limit: number; q?: string | undefined }>>(true);
          assertType<IsExact<typeof input.body, { tags: string[]; at: Date }>>(true);
          // @ts-expect-error at `length`: Property 'length' does not exist on type 'number'.
          input.params.id.length;
          // @ts-expect-error at `limits`: Property 'limits' does not exist on type '{ limit: number; q?: string |
          //   undefined; }'. Did you mean 'limit'?
          input.query.limits;
          // @ts-expect-error at `length`: Property 'length' does not exist on type 'Date'.
          input.body.at.length;
          return ok();
        },
      }),
      route.get("/:id", {
        request: { params: v.objectAsync({ id: v.pipeAsync(v.string(), v.checkAsync(isAda), v.toNumber()) }) },
        resolve({ input }) {
          if (input.ok) assertType<IsExact<typeof input.params, { id: number }>>(true);
          return ok();
        },
      }),
    ],
  });
}

export function inputsFromArkType() {
  setup({
    validator: standardSchema,
    handlers: [
      route.post("/:id", {
        request: {
          params: type({ id: "string.integer.parse" }),
          query: type({ limit: type("string.integer.parse").default("20"), "q?": "string" }),
          body: type({ tags: "string[]", at: "string.date.iso.parse" }),
        },
        resolve({ input }) {
          if (!input.ok) return ok();
          assertType<IsExact<typeof input.params, { id: number }>>(true);
          assertType<IsExact<typeof input.query, { limit: number; q?: string }>>(true);
          assertType<IsExact<typeof input.body, { tags: string[]; at: Date }>>(true);
          // @ts-expect-error at `length`: Property 'length' does not exist on type 'number'.
          input.params.id.length;
          // @ts-expect-error at `limits`: Property 'limits' does not exist on type '{ limit: number; q?: string; }'.
          //   Did you mean 'limit'?
          input.query.limits;
          // @ts-expect-error at `length`: Property 'length' does not exist on type 'Date'.
          input.body.at.length;
          return ok();
        },
      }),
    ],
  });
}

export function inputsFromEffect() {
  const limit = Schema.FiniteFromString.pipe(Schema.withDecodingDefaultKey(Effect.succeed("20")));
  const ada = Schema.String.pipe(Schema.decode({
    decode: SchemaGetter.checkEffect((id) => Effect.promise(() => isAda(id))),
    encode: SchemaGetter.passthrough(),
  }));
  setup({
    validator: standardSchema,
    handlers: [
      route.post("/:id", {
        request: {
          params: Schema.toStandardSchemaV1(Schema.Struct({ id: Schema.FiniteFromString })),
          query: Schema.toStandardSchemaV1(Schema.Struct({ limit, q: Schema.optionalKey(Schema.String) })),
          body: Schema.toStandardSchemaV1(
            Schema.Struct({ tags: Schema.Array(Schema.String), at: Schema.DateFromString }),
          ),
        },
        resolve({ input }) {
          if (!input.ok) return ok();
          assertType<IsExact<typeof input.params, { readonly id: number }>>(true);
          assertType<IsExact<typeof input.query, { readonly limit: number; readonly q?: string }>>(true);
          assertType<IsExact<typeof input.body, { readonly tags: readonly string[]; readonly at: Date }>>(true);
          // @ts-expect-error at `length`: Property 'length' does not exist on type 'number'.
          input.params.id.length;
          // @ts-expect-error at `limits`: Property 'limits' does not exist on type '{ readonly limit: number; readonly
          //   q?: string; }'. Did you mean 'limit'?
          input.query.limits;
          // @ts-expect-error at `length`: Property 'length' does not exist on type 'Date'.
          input.body.at.length;
          return ok();
        },
      }),
      route.get("/:id", {
        request: { params: Schema.toStandardSchemaV1(Schema.Struct({ id: ada })) },
        resolve({ input }) {
          if (input.ok) assertType<IsExact<typeof input.params, { readonly id: string }>>(true);
          return ok();
        },
      }),
      route.get("/", {
        request: { query: Schema.Struct({ limit }) },
        resolve({ input }) {
          // @ts-expect-error at `input.query`: 'input.query' is of type 'unknown'.
          if (input.ok) input.query.limit;
          return ok();
        },
      }),
    ],
  });
}
