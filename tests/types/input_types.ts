/**
 * What the compiler knows of the parts of a request: raw parameters, and input by schemas.
 * Each type has a line that compiles and a line that must not. If a type changes, `deno check` fails, here or at an unused
 * `@ts-expect-error`. Nothing is asserted at run time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { type InferOutput, type InvalidInput, type PathParams, type RawQuery, route } from "../../mod.ts";

const ok = () => new Response();

/** `c.raw.params` has the names of the pattern and of the prefixes. */
export function paramsFromPatternAndPrefix() {
  route.get("/orgs/:orgId/users/:userId", {
    resolve(c) {
      assertType<IsExact<typeof c.raw.params, { readonly orgId: string; readonly userId: string }>>(true);
      // @ts-expect-error at `userid`: Property 'userid' does not exist on type '{ readonly orgId: string; readonly
      //   userId: string; }'. Did you mean 'userId'?
      c.raw.params.userid;
      // @ts-expect-error at `orgId`: Cannot assign to 'orgId' because it is a read-only property.
      c.raw.params.orgId = "x";
      return ok();
    },
  });
  route.get("/orgs/:orgId/*", {
    resolve(c) {
      assertType<IsExact<typeof c.raw.params, { readonly orgId: string; readonly "*": string }>>(true);
      return ok();
    },
  });
  route.get("/v2/:name+/blobs/:digest", {
    resolve(c) {
      assertType<IsExact<typeof c.raw.params, { readonly name: string; readonly digest: string }>>(true);
      // @ts-expect-error at `"name+"`: Property 'name+' does not exist on type '{ readonly name: string; readonly
      //   digest: string; }'. Did you mean 'name'?
      c.raw.params["name+"];
      return ok();
    },
  });
  route.get("/plain", {
    resolve(c) {
      // @ts-expect-error at `id`: Property 'id' does not exist on type '{}'.
      c.raw.params.id;
      return ok();
    },
  });
  route.with({ prefix: "/orgs/:orgId" }).with({ prefix: "/users" }).get("/:userId", {
    resolve(c) {
      assertType<IsExact<typeof c.raw.params, { readonly orgId: string; readonly userId: string }>>(true);
      // @ts-expect-error at `id`: Property 'id' does not exist on type '{ readonly orgId: string; readonly userId:
      //   string; }'.
      c.raw.params.id;
      return ok();
    },
  });
  route.on(["GET", "HEAD"], "/:a", {
    resolve(c) {
      assertType<IsExact<typeof c.raw.params, { readonly a: string }>>(true);
      // @ts-expect-error at `b`: Property 'b' does not exist on type '{ readonly a: string; }'.
      c.raw.params.b;
      return ok();
    },
  });
  route.get("/built/" + String(1), {
    resolve(c) {
      assertType<IsExact<typeof c.raw.params[string], string | undefined>>(true);
      assertType<IsExact<typeof c.raw.query, RawQuery>>(true);
      // @ts-expect-error at `c.raw.params.id`: 'c.raw.params.id' is possibly 'undefined'.
      c.raw.params.id.length;
      return ok();
    },
  });
  assertType<IsExact<PathParams<"/:a/x" | "/:b">, { readonly a: string } | { readonly b: string }>>(true);
  assertType<IsExact<PathParams<"/:a/b/:c">, { readonly a: string; readonly c: string }>>(true);
}

/** `c.input` has the output types of the schemas, once `ok` is checked. */
export function inputsFromSchemas() {
  const isYear = (value: unknown): value is number => typeof value === "number";
  const parser = { safeParse: (_input: unknown) => ({ success: true as const, data: { n: 1 } }) };

  route.post("/:id", {
    request: {
      params: z.object({ id: z.coerce.number() }),
      query: toStandardJsonSchema(v.object({ tag: v.array(v.string()) })),
      body: type({ title: "string", "year?": "number" }),
    },
    resolve(c) {
      // @ts-expect-error at `params`: Property 'params' does not exist on type 'InvalidInputUntil<"c.input.ok is
      //   checked, or denyInvalid is among the guards; put guards that a call returns into constants">'.
      c.input.params;
      if (!c.input.ok) {
        assertType<IsExact<typeof c.input, InvalidInput>>(true);
        // @ts-expect-error at `body`: Property 'body' does not exist on type 'InvalidInputUntil<"c.input.ok is checked,
        //   or denyInvalid is among the guards; put guards that a call returns into constants">'.
        c.input.body;
        return ok();
      }
      assertType<IsExact<typeof c.input.params, { id: number }>>(true);
      assertType<IsExact<typeof c.input.query, { tag: string[] }>>(true);
      assertType<IsExact<typeof c.input.body, { title: string; year?: number }>>(true);
      // @ts-expect-error at `name`: Property 'name' does not exist on type '{ title: string; year?: number; }'.
      c.input.body.name;
      // @ts-expect-error at `issues`: Property 'issues' does not exist on type 'ValidInput<…'.
      c.input.issues;
      return ok();
    },
  });
  route.post("/", {
    request: { query: parser, body: isYear },
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.params, undefined>>(true);
      assertType<IsExact<typeof c.input.query, { n: number }>>(true);
      assertType<IsExact<typeof c.input.body, number>>(true);
      // @ts-expect-error at `c.input.params`: 'c.input.params' is possibly 'undefined'.
      c.input.params.id;
      return ok();
    },
  });
  route.post("/", {
    request: { body: { any: "object" } },
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.body, unknown>>(true);
      // @ts-expect-error at `c.input.body`: 'c.input.body' is of type 'unknown'.
      c.input.body.any;
      return ok();
    },
  });
  // Without schemas, valid input has no values.
  route.get("/", {
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.params, undefined>>(true);
      assertType<IsExact<typeof c.input.body, undefined>>(true);
      // @ts-expect-error at `c.input.body`: 'c.input.body' is possibly 'undefined'.
      c.input.body.title;
      return ok();
    },
  });
  route.on("GET", "/", {
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.params, undefined>>(true);
      assertType<IsExact<typeof c.input.body, undefined>>(true);
      // @ts-expect-error at `c.input.body`: 'c.input.body' is possibly 'undefined'.
      c.input.body.title;
      return ok();
    },
  });
  route.post("/", {
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.params, undefined>>(true);
      assertType<IsExact<typeof c.input.body, undefined>>(true);
      // @ts-expect-error at `c.input.body`: 'c.input.body' is possibly 'undefined'.
      c.input.body.title;
      return ok();
    },
  });
  const flag = Math.random() > 0.5;
  route.post("/", {
    request: { query: parser, ...(flag ? { body: isYear } : {}) },
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.body, number | undefined>>(true);
      // @ts-expect-error at `c.input.body`: 'c.input.body' is possibly 'undefined'.
      c.input.body.toFixed();
      return ok();
    },
  });
  const transformed = z.string().transform((text) => text.length);
  assertType<IsExact<InferOutput<typeof transformed>, number>>(true);
}
