import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { type App, denyInvalid, reply, route, setup, type ValidationIssue } from "../../../mod.ts";
import { file, parts } from "../../../src/body/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz } from "../../../src/testing/mod.ts";

const upload = parts({
  title: z.string().min(1).max(100),
  photo: file({ contentTypes: ["image/*", "application/pdf"], maxBytes: 3000 }),
  more: file({ maxBytes: 10_000_000, optional: true }),
}, { maxFieldBytes: 1000 });

/** What a handler has received of one body. */
interface Received {
  readonly names: string[];
  readonly files: string[];
  readonly types: string[];
  readonly issues: ValidationIssue[];
}

/** An app whose handler responds by what it has received. */
function serve(respond: (received: Received) => 201 | 400 | 409): App {
  return setup({
    validator: standardSchema,
    handlers: [
      route.post("/photos", {
        request: { body: upload },
        responses: { 201: {}, 400: {}, 409: {} },
        guards: [denyInvalid(() => reply(400))],
        resolve: async ({ input }) => {
          const received: Received = { names: [], files: [], types: [], issues: [] };
          for await (const part of input.body) {
            if (part.issues) received.issues.push(...part.issues);
            else received.names.push(part.name);
            if ("fileName" in part) {
              received.files.push(part.fileName);
              received.types.push(part.contentType);
            }
          }
          return reply(respond(received));
        },
      }),
    ],
  });
}

const look = (respond: (received: Received) => 201 | 400 | 409) =>
  fuzz(() => serve(respond), { fc, runs: 40, seed: 3 });

describe("fuzz() of a body of parts", () => {
  it("sends files of the declared media types, and what does not fit, is cut off, out of order, twice, or has hostile names", async () => {
    const all: Received[] = [];
    const faults = await look((received) => {
      all.push(received);
      return received.issues.length > 0 ? 400 : 201;
    });
    assertEquals(faults.map(({ fault }) => fault), []);

    const codes = new Set(all.flatMap(({ issues }) => issues.map(({ code, path }) => `${path} ${code}`)));
    const wanted = [" invalid_form", "title too_big", "title invalid_type", "photo missing", "photo invalid_type"];
    for (const code of [...wanted, "photo unsupported_media_type", "photo file_too_large"]) {
      assert(codes.has(code), `${code} is not in ${[...codes]}`);
    }
    const valid = all.filter(({ issues }) => issues.length === 0);
    assert(valid.length > 20);
    for (const names of ["title,photo", "photo,title", "title,title,photo,photo"]) {
      assert(valid.some((received) => received.names.filter((name) => name !== "more").join() === names), names);
    }
    const types = new Set(valid.flatMap(({ types }) => types));
    for (const type of ["image/png", "image/gif", "application/pdf"]) assert(types.has(type), type);
    const files = new Set(valid.flatMap(({ files }) => files));
    for (const name of ["../../etc/passwd", "..", "a\0.png"]) assert(files.has(name), name);
  });

  it("finds a handler that does not look at the issues of parts", async () => {
    const faults = await look(() => 201);
    assertEquals(faults.map(({ fault }) => fault), ["POST /photos: accepts invalid body with 201"]);
    const [request = ""] = faults[0]?.requests ?? [];
    assert(request.includes("multipart/form-data; boundary=b"), request);
  });

  it("finds a handler that fails at the name of a file", async () => {
    const faults = await look(({ files, issues }) => {
      if (files.includes("..")) throw new Error("EISDIR: /uploads/..");
      return issues.length > 0 ? 400 : 201;
    });
    assertEquals(faults.map(({ kind, fault }) => [kind, fault.slice(0, 49)]), [
      ["throws", "POST /photos: throws Error: EISDIR: /uploads/.. a"],
    ]);
    assert(faults[0]?.requests.at(-1)?.includes('filename=\\"..\\"'));
  });

  it("finds a handler that refuses what its schemas accept", async () => {
    const faults = await look(({ names, issues }) => issues.length > 0 || names.includes("more") ? 400 : 201);
    assertEquals(faults.map(({ fault }) => fault), [
      "POST /photos: refuses valid input with 400, as if it were invalid",
    ]);
  });

  it("takes it for no fault if an app demands an order, one part of each name, or plain names of files", async () => {
    const faults = await look(({ names, files, issues }) => {
      const isOrdered = /^title,photo(,more)?$/.test(names.join());
      return issues.length > 0 || !isOrdered || files.some((name) => /[/\\\0]|^\.*$/.test(name)) ? 400 : 201;
    });
    assertEquals(faults.map(({ fault }) => fault), []);
  });

  it("takes it for no fault if an app refuses what is in a file, also one of a form that is cut off", async () => {
    const failure = { schema: z.object({ error: z.string() }) };
    const contacts = parts({ contacts: file({ contentTypes: ["text/*"], maxBytes: 5000 }) });
    const create = () =>
      setup({
        validator: standardSchema,
        handlers: [
          route.post("/contacts", {
            request: { body: contacts },
            responses: { 201: {}, 400: failure },
            guards: [denyInvalid(() => reply(400, { error: "No form" }))],
            resolve: async ({ input }) => {
              const errors: string[] = [];
              for await (const part of input.body) {
                if (part.issues) errors.push(...part.issues.map(({ code }) => String(code)));
                else if ((await new Response(part.stream).text()).includes("=1+1")) errors.push("Line 2");
              }
              const [error] = errors;
              if (error !== undefined) return reply(400, { error });
              return reply(201);
            },
          }),
        ],
      });
    for (const seed of [1, 2, 3]) assertEquals(await fuzz(create, { fc, runs: 40, seed }), []);
  });
});
