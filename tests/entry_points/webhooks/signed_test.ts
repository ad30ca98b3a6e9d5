import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type App, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { decompressed, form, json, optional } from "../../../src/body/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { github, oneOf, type SignatureScheme, signed, type Verdict } from "../../../src/webhooks/mod.ts";
import * as z from "zod";

/** A scheme that has the verdict in a header, and the bytes that it was given. */
const verified: string[] = [];
const scheme: SignatureScheme = {
  verify(headers, body) {
    verified.push(new TextDecoder().decode(body));
    return Promise.resolve((headers.get("verdict") ?? "unsigned") as Verdict);
  },
};

const valid = denyInvalid(({ issues: [issue] }) => reply(400, issue?.code ?? issue?.message));
const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 100,
  handlers: [
    route.post("/json", {
      request: { body: z.object({ a: z.number() }), bodyReader: signed(scheme) },
      guards: [valid],
      resolve: (c) => reply(200, c.input.body.a),
    }),
    route.post("/form", {
      request: { body: z.object({ a: z.string() }), bodyReader: signed(scheme, form) },
      guards: [valid],
      resolve: (c) => reply(200, c.input.body.a),
    }),
  ],
});

const post = async (path: string, body: BodyInit | null, headers: Record<string, string> = {}) => {
  const init = { method: "POST", body, headers: { verdict: "valid", ...headers } };
  const response = await app.fetch(new Request(`http://localhost${path}`, init));
  return [response.status, await response.json()];
};

describe("signed()", () => {
  it("reads JSON whose signature is valid", async () => {
    assertEquals(await post("/json", '{"a":1}'), [200, 1]);
    assertEquals(verified.at(-1), '{"a":1}');
  });

  it("hands the verified bytes to another reader", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    assertEquals(await post("/form", "a=x", headers), [200, "x"]);
    assertEquals(await post("/form", "a=x", { "content-type": "text/plain" }), [400, "unsupported_media_type"]);
    const multipart = new FormData();
    multipart.append("a", "y");
    const request = new Request("http://localhost/form", { method: "POST", body: multipart });
    request.headers.set("verdict", "valid");
    const bounded = setup({ validator: standardSchema, handlers: app.routes });
    assertEquals(await (await bounded.fetch(request)).json(), "y");
  });

  it("parses nothing whose signature is not valid", async () => {
    for (const verdict of ["unsigned", "invalid_signature", "stale_signature"]) {
      assertEquals(await post("/json", "no JSON", { verdict }), [400, verdict]);
    }
    assertEquals(await post("/json", "no JSON"), [400, "invalid_json"]);
  });

  it("verifies nothing that is longer than the bound", async () => {
    verified.length = 0;
    assertEquals(await post("/json", "x".repeat(101)), [400, "body_too_large"]);
    assertEquals(verified, []);
    assertEquals(await post("/json", `{"a":1}${" ".repeat(93)}`), [200, 1]);
  });

  it("verifies an empty body", async () => {
    assertEquals(await post("/json", null), [400, "invalid_json"]);
    assertEquals(await post("/json", null, { verdict: "invalid_signature" }), [400, "invalid_signature"]);
    assertEquals(verified.at(-1), "");
  });

  it("verifies a body that may be absent, too, and is described as one", async () => {
    const body = z.object({ a: z.number() }).optional();
    const { fetch, routes } = setup({
      validator: standardSchema,
      handlers: [
        route.post("/", {
          request: { body, bodyReader: signed(scheme, optional(json)) },
          guards: [valid],
          resolve: (c) => reply(200, c.input.body?.a ?? "none"),
        }),
      ],
    });
    for (const [verdict, expected] of [["valid", "none"], ["unsigned", "unsigned"]] as const) {
      const response = await fetch(new Request("http://localhost/", { method: "POST", headers: { verdict } }));
      assertEquals(await response.json(), expected);
    }
    const { paths } = openapi({ info: { title: "", version: "" }, routes });
    assertEquals(Object(paths["/"]?.post?.requestBody).required, false);
  });

  it("is not the reader of optional(), which would not verify an empty body", () => {
    assertThrows(
      () => optional(signed(scheme)),
      TypeError,
      "optional(signed(scheme)) would take an empty body without a signature: write signed(scheme, optional(json))",
    );
  });

  it("verifies the bytes as they arrive: compressed, or not UTF-8", async () => {
    const compressed = async (text: string) => {
      const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
      return new Uint8Array(await new Response(stream).arrayBuffer());
    };
    const { fetch } = setup({
      validator: standardSchema,
      maxBodyBytes: 1000,
      handlers: [
        route.post("/", {
          request: {
            body: z.object({ a: z.string() }),
            bodyReader: signed(github({ secrets: ["x"] }), decompressed(json, { maxBodyBytes: 100 })),
          },
          guards: [valid],
          resolve: (c) => reply(200, c.input.body.a),
        }),
      ],
    });
    const key = new TextEncoder().encode("x");
    const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const send = async (body: Uint8Array<ArrayBuffer>, encoding: Record<string, string>) => {
      const mac = new Uint8Array(await crypto.subtle.sign("HMAC", imported, body));
      const digits = Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("");
      const headers = { "x-hub-signature-256": `sha256=${digits}`, ...encoding };
      return await (await fetch(new Request("http://localhost/", { method: "POST", body, headers }))).json();
    };
    const gzip = { "content-encoding": "gzip" };
    assertEquals(await send(await compressed('{"a":"b"}'), gzip), "b");
    assertEquals(await send(await compressed(`{"a":"${"b".repeat(100_000)}"}`), gzip), "body_too_large");
    assertEquals(await send(Uint8Array.of(123, 34, 97, 34, 58, 34, 255, 34, 125), {}), "\ufffd");
  });

  it("reports a body that the client cuts off", async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"a":'));
      },
      pull: (controller) => controller.error(new Error("gone")),
    });
    const init = { method: "POST", body, duplex: "half", headers: { verdict: "valid" } };
    const response = await app.fetch(new Request("http://localhost/json", init));
    assertEquals(await response.json(), "incomplete_body");
  });

  it("fails for a body that was read before", async () => {
    const request = new Request("http://localhost/json", { method: "POST", body: "{}" });
    await request.text();
    await assertRejects(async () => await app.fetch(request), TypeError);
  });

  it("is described with the media types of its content", () => {
    const { paths } = openapi({ info: { title: "", version: "" }, routes: app.routes });
    const typesOf = (path: string) => Object.keys(Object(paths[path]?.post?.requestBody).content);
    assertEquals(typesOf("/json"), ["application/json"]);
    assertEquals(typesOf("/form"), ["application/x-www-form-urlencoded", "multipart/form-data"]);
  });

  it("throws for what is not a scheme, or not a reader", () => {
    assertThrows(
      () => signed(undefined as never),
      TypeError,
      "Scheme of signed must be one such as standardWebhooks(…): received undefined",
    );
    assertThrows(() => signed(scheme, {} as never), TypeError, "Reader of signed must be a reader of bodies");
  });
});

describe("oneOf()", () => {
  const schema = oneOf({
    "order.paid": z.object({ cents: z.coerce.number() }),
    "order.created": z.object({ id: z.string() }),
  });
  const validate = (value: unknown) => schema["~standard"].validate(value);
  const timestamp = "2026-11-28T08:00:00Z";

  it("validates the data by the type", async () => {
    const value = { type: "order.paid", timestamp, data: { cents: "5" }, more: 1 };
    assertEquals(await validate(value), { value: { type: "order.paid", timestamp, data: { cents: 5 } } } as never);
  });

  it("says what is wrong, and where", async () => {
    const issuesOf = async (value: unknown) =>
      ((await validate(value)).issues ?? []).map(({ path }) => path?.join("."));
    for (const value of [null, 1, [], {}, { type: "__proto__" }, { type: "constructor" }, { type: ["order.paid"] }]) {
      assertEquals(await issuesOf(value), ["type"]);
    }
    assertEquals(await issuesOf({ type: "order.paid", data: { cents: 1 } }), ["timestamp"]);
    assertEquals(await issuesOf({ type: "order.paid", timestamp: "now", data: { cents: 1 } }), ["timestamp"]);
    // V8 takes these for dates, other engines do not.
    for (const loose of ["2026", "paid 5", "28 Nov 2026", "2026-11-28", "1764316800", "2026-13-28T08:00:00Z"]) {
      assertEquals(await issuesOf({ type: "order.paid", timestamp: loose, data: { cents: 1 } }), ["timestamp"]);
    }
    for (const real of ["2026-11-28T08:00:00.123456+01:00", "2026-11-28T08:00:00", "2026-11-28T08:00Z"]) {
      assertEquals(await issuesOf({ type: "order.paid", timestamp: real, data: { cents: 1 } }), []);
    }
    assertEquals(await issuesOf({ type: "order.created", timestamp, data: { id: 1 } }), ["data.id"]);
    assertEquals(await issuesOf({ type: "order.created", timestamp }), ["data"]);
  });

  it("is described as a union, with the references of its schemas", () => {
    const tree = z.object({
      get children() {
        return z.array(tree);
      },
    });
    const { oneOf: described = [] }: { readonly oneOf?: readonly object[] } = oneOf({
      a: z.object({ tree }),
      b: z.string(),
    })[
      "~standard"
    ].jsonSchema.input();
    assertEquals(described.length, 2);
    const references = [...JSON.stringify(described).matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference);
    assertEquals(references.every((reference) => reference?.startsWith("#/oneOf/0/properties/data/")), true);
    assertEquals(references.length > 0, true);
    const body = oneOf({ a: z.object({ tree }) });
    const { components } = openapi({
      info: { title: "", version: "" },
      routes: [route.post("/", { request: { body }, resolve: () => reply(204) })],
    });
    assertEquals(Object.keys(components?.schemas ?? {}).length > 0, true);
  });

  it("is described by any value for a schema that says so, and by what is sent", () => {
    const any = {
      "~standard": {
        version: 1,
        vendor: "own",
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: () => true, output: () => true },
      },
    } as const;
    const { jsonSchema } = oneOf({ a: any, b: z.string().transform(Number).pipe(z.number()) })["~standard"];
    const dataOf = (described: object) =>
      Object(described).oneOf.map(({ properties }: { properties: { data: unknown } }) => properties.data);
    assertEquals(dataOf(jsonSchema.input()), [true, { type: "string" }]);
    assertEquals(dataOf(jsonSchema.output()), [true, { type: "number" }]);
  });

  it("says that the data is wrong where its schema names no path", async () => {
    const failing = {
      "~standard": { version: 1, vendor: "own", validate: () => ({ issues: [{ message: "no" }] }) },
    } as const;
    const { issues } = await oneOf({ a: failing })["~standard"].validate({ type: "a", timestamp, data: 1 });
    assertEquals(issues, [{ message: "no", path: ["data"] }]);
  });

  it("throws for what is not an object of Standard Schemas", () => {
    const wrong: readonly (readonly [unknown, string])[] = [
      [undefined, "Schemas of oneOf must be an object of schemas by type: received undefined"],
      [{}, "Schemas of oneOf must be an object with at least one schema"],
      [{ a: {} }, '"~standard".validate of the schema "a" of oneOf must be a function: received undefined'],
      [{ a: undefined }, '"~standard".validate of the schema "a" of oneOf must be a function'],
    ];
    for (const [schemas, message] of wrong) assertThrows(() => oneOf(schemas as never), TypeError, message);
  });
});
