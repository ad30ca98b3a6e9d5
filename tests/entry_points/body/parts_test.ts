import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type App, denyInvalid, endpoint, reply, route, setup } from "../../../mod.ts";
import { file, parts } from "../../../src/body/mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import * as z from "zod";

const upload = parts({
  title: z.string().min(2),
  count: z.coerce.number().optional(),
  photo: file({ contentTypes: ["image/*", "application/pdf"], maxBytes: 1000 }),
  more: file({ maxBytes: 10, optional: true }),
}, { maxParts: 5, maxFieldBytes: 100 });

type Told = readonly [name: string | undefined, ...unknown[]];

/** Reads all parts, and says what came. */
async function tell(body: AsyncIterable<unknown>): Promise<Told[]> {
  const told: Told[] = [];
  for await (const part of body as AsyncIterable<Record<string, unknown>>) {
    const { name, issues, stream } = part;
    if (Array.isArray(issues)) told.push([name as string, issues.map(({ code, path }) => `${code} ${path}`).join()]);
    else if (stream instanceof ReadableStream) {
      let length = 0;
      for await (const chunk of stream) length += chunk.byteLength;
      told.push([name as string, part.fileName, part.contentType, length]);
    } else told.push([name as string, part.value]);
  }
  return told;
}

const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 10_000,
  handlers: [
    route.post("/", {
      request: { body: upload },
      guards: [denyInvalid(({ issues }) => reply(415, issues.map(({ code }) => code)))],
      resolve: async ({ input }) => reply(200, await tell(input.body)),
    }),
  ],
});

const png = (length: number, type = "image/png", name = "a.png") =>
  new File([new Uint8Array(length).fill(7)], name, { type });

function formOf(entries: readonly (readonly [string, string | File])[]): Request {
  const body = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === "string") body.append(name, value);
    else body.append(name, value);
  }
  const request = new Request("http://localhost/", { method: "POST", body });
  request.headers.get("content-type"); // Bun makes it when it is first read, and not after the body was
  return request;
}

/** The same body in chunks of so many bytes. */
async function inChunks(request: Request, size: number, end = Infinity): Promise<Request> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  let position = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (position >= Math.min(end, bytes.length)) {
        if (end < bytes.length) controller.error(new Error("gone"));
        else controller.close();
      } else controller.enqueue(bytes.slice(position, position += size));
    },
  }, { highWaterMark: 0 });
  return new Request(request.url, { method: "POST", headers: request.headers, body, duplex: "half" } as RequestInit);
}

const send = async (request: Request) => await (await app.fetch(request)).json();

const GOOD = [["title", "Emma"], ["count", "3"], ["photo", png(900)]] as const;
const TOLD = [["title", "Emma"], ["count", 3], ["photo", "a.png", "image/png", 900]];

describe("parts()", () => {
  it("gives fields and files in the order in which they arrive", async () => {
    assertEquals(await send(formOf(GOOD)), TOLD);
    assertEquals(await send(formOf(GOOD.toReversed())), TOLD.toReversed());
  });

  for (const size of [1, 2, 7, 64, 1000]) {
    it(`reads chunks of ${size} bytes`, async () => {
      assertEquals(await send(await inChunks(formOf(GOOD), size)), TOLD);
    });
  }

  it("gives a part that does not fit with its issues, and goes on", async () => {
    const entries = [["title", "E"], ["photo", png(9, "text/plain")], ["more", "no file"], ["count", png(3)]] as const;
    assertEquals(await send(formOf(entries)), [
      ["title", "too_small title"],
      ["photo", "unsupported_media_type photo"],
      ["more", "invalid_type more"],
      ["count", "invalid_type count"],
    ]);
  });

  it("ends the stream of a file at its bound, and gives the issue next", async () => {
    const told = await send(formOf([["photo", png(1001)], ["title", "Emma"]]));
    assertEquals(told.map(([name, what]: Told) => [name, what]), [
      ["photo", "a.png"],
      ["photo", "file_too_large photo"],
      ["title", "Emma"],
    ]);
    const [[, , , length]] = await send(await inChunks(formOf([["photo", png(1001)], ["title", "Emma"]]), 10));
    assert(length <= 1000);
    const whole = await send(formOf([["photo", png(1000)], ["title", "Emma"]]));
    assertEquals(whole[0], ["photo", "a.png", "image/png", 1000]);
  });

  it("gives an issue for a field that is too large, and goes on", async () => {
    const told = await send(formOf([["title", "x".repeat(101)], ["photo", png(1)]]));
    assertEquals(told, [["title", "field_too_large title"], ["photo", "a.png", "image/png", 1]]);
    assertEquals((await send(formOf([["title", "x".repeat(100)], ["photo", png(1)]])))[0], ["title", "x".repeat(100)]);
  });

  it("gives the issues of required parts that are missing, at the end", async () => {
    assertEquals(await send(formOf([["count", "1"]])), [
      ["count", 1],
      ["title", "invalid_type title"],
      ["photo", "missing photo"],
    ]);
  });

  it("takes a file without a name and without bytes for missing: browsers send it if none was chosen", async () => {
    const post = (name: string, content: string) => {
      const head = `--x\r\ncontent-disposition: form-data; name="${name}"; filename=""`;
      const body = `${head}\r\ncontent-type: application/octet-stream\r\n\r\n${content}\r\n--x--`;
      const headers = { "content-type": "multipart/form-data; boundary=x" };
      return new Request("http://localhost/", { method: "POST", body, headers });
    };
    const missing = [["title", "invalid_type title"], ["photo", "missing photo"]];
    for (const name of ["more", "photo"]) {
      assertEquals(await send(post(name, "")), missing);
      assertEquals(await send(await inChunks(post(name, ""), 1)), missing);
    }
    const whole = ["more", "", "application/octet-stream", 3];
    assertEquals(await send(post("more", "abc")), [whole, ...missing]);
    assertEquals(await send(await inChunks(post("more", "abc"), 1)), [whole, ...missing]);
  });

  it("skips parts that are not declared, whatever their names", async () => {
    const others = ["__proto__", "constructor", "toString", ""].map((name) => [name, "x"] as const);
    assertEquals(await send(formOf([...others.slice(0, 2), ...GOOD])), TOLD);
    assertEquals(await send(formOf([...others.slice(2), ...GOOD])), TOLD);
  });

  it("gives a name that comes twice twice", async () => {
    const told = await send(formOf([["title", "Emma"], ["photo", png(1)], ["photo", png(2, "image/png", "b.png")]]));
    assertEquals(told.slice(1), [["photo", "a.png", "image/png", 1], ["photo", "b.png", "image/png", 2]]);
  });

  it("tells at the end that there are too many parts, also of those that are not declared", async () => {
    const told = await send(formOf(Array.from({ length: 6 }, () => ["other", "x"] as const)));
    assertEquals(told, [[null, "too_many_parts "]]);
  });

  it("tells at the end that the body is too large, malformed or cut off", async () => {
    const large = await inChunks(formOf([["title", "Emma"], ["other", png(20_000)]]), 1000);
    assertEquals(await send(large), [["title", "Emma"], [null, "body_too_large "]]);
    const cut = await inChunks(formOf(GOOD), 50, 500);
    const told = await send(cut);
    assertEquals([told[0], told.at(-1)], [["title", "Emma"], [null, "incomplete_body "]]);
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const field = '--x\r\ncontent-disposition: form-data; name="title"\r\n\r\nEmma, and more\r\n--x--';
    const whole = new Request("http://localhost/", { method: "POST", body: field, headers });
    assertEquals(await send(await inChunks(whole, 1, 60)), [[null, "incomplete_body "]]);
    const malformed = new Request("http://localhost/", { method: "POST", body: "--x\r\nno header\r\n\r\n", headers });
    assertEquals(await send(malformed), [[null, "invalid_form "]]);
    for (const body of ["", null]) {
      const empty = new Request("http://localhost/", { method: "POST", body, headers });
      assertEquals(await send(empty), [[null, "invalid_form "]]);
    }
  });

  it("fails the validation for a body of another media type, or with a length beyond the bound", async () => {
    const post = (body: string, headers: HeadersInit) =>
      new Request("http://localhost/", { method: "POST", body, headers });
    assertEquals(await send(post("{}", { "content-type": "application/json" })), ["unsupported_media_type"]);
    assertEquals(await send(post("x", { "content-type": "multipart/form-data" })), ["invalid_form"]);
    const untyped = { method: "POST", body: new TextEncoder().encode("x") };
    assertEquals(await send(new Request("http://localhost/", untyped)), ["unsupported_media_type"]);
    const encoded = { "content-type": "multipart/form-data; boundary=x", "content-encoding": "gzip" };
    assertEquals(await send(post("x", encoded)), ["unsupported_content_encoding"]);
    const long = { "content-type": "multipart/form-data; boundary=x", "content-length": "10001" };
    assertEquals(await send(post("x".repeat(10_001), long)), ["body_too_large"]);
  });

  it("reads a name of a file as the client wrote it", async () => {
    const told = await send(formOf([["title", "Emma"], ["photo", png(1, "image/png", "../../etc/passwd")]]));
    assertEquals(told[1], ["photo", "../../etc/passwd", "image/png", 1]);
  });

  it("tells of a request that was cut off before its body was opened", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const body = new ReadableStream({ start: (controller) => controller.close() });
    const init = { method: "POST", body, headers, duplex: "half", signal: AbortSignal.abort() } as RequestInit;
    assertEquals(await send(new Request("http://localhost/", init)), [[null, "incomplete_body "]]);
  });

  it("fails for a body that was read before", async () => {
    const request = formOf(GOOD);
    await request.text();
    await assertRejects(async () => await app.fetch(request));
  });
});

describe("a handler of parts()", () => {
  /** An app whose handler does this with the body, and a request that says how far it was read. */
  function setUp(
    handle: (body: AsyncIterable<{ readonly stream?: ReadableStream }>) => Promise<Response> | Response,
    guard: "allows" | "denies" | "throws" = "allows",
  ) {
    const body = parts({ photo: file({ maxBytes: 1e9 }) }, { drainBytes: 100_000 });
    const told = { pulls: 0, isCancelled: false };
    const head = '--x\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\n';
    const stream = (chunks: number) =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          if (told.pulls === 0) controller.enqueue(new TextEncoder().encode(head));
          else if (told.pulls > chunks) {
            controller.enqueue(new TextEncoder().encode("\r\n--x--\r\n"));
            controller.close();
          } else controller.enqueue(new Uint8Array(10_000));
          told.pulls++;
        },
        cancel: () => void (told.isCancelled = true),
      }, { highWaterMark: 0 });
    const { fetch } = setup({
      validator: standardSchema,
      onError: () => new Response("error", { status: 500 }),
      handlers: [
        route.post("/", {
          request: { body },
          guards: [() => {
            if (guard === "throws") throw new Error("guard");
            return guard === "denies" ? { deny: new Response("denied", { status: 403 }) } : { allow: true };
          }],
          resolve: async ({ input }) => input.ok ? await handle(input.body as never) : new Response("invalid"),
        }),
      ],
    });
    const post = async (chunks: number) => {
      const headers = { "content-type": "multipart/form-data; boundary=x" };
      const init = { method: "POST", headers, body: stream(chunks), duplex: "half" } as RequestInit;
      return await (await fetch(new Request("http://localhost/", init))).text();
    };
    return { told, post };
  }

  it("reads from the client only as fast as it reads the stream", async () => {
    const { told, post } = setUp(async (body) => {
      const pulls: number[] = [];
      for await (const { stream } of body) {
        const reader = stream?.getReader();
        pulls.push(told.pulls);
        for (let turn = 0; turn < 3; turn++) {
          await reader?.read();
          pulls.push(told.pulls);
        }
        reader?.releaseLock();
      }
      return Response.json(pulls);
    });
    assertEquals(JSON.parse(await post(20)), [1, 2, 3, 4]);
  });

  it("gets the bytes of a file as they arrive, but what may be the beginning of a boundary", async () => {
    const head = '--x\r\ncontent-disposition: form-data; name="more"; filename="a"\r\n\r\n';
    const sent = [`${head}m`, "eow", "\r", "\r\n-", "-y", "\r\n--x", "--\r\n"];
    const read: [pulls: number, text: string][] = [];
    const { fetch } = setup({
      validator: standardSchema,
      handlers: [route.post("/", {
        request: { body: upload },
        resolve: async ({ input }) => {
          for await (const part of input.ok ? input.body : []) {
            if (part.issues || part.name !== "more") continue;
            for await (const chunk of part.stream) read.push([pulls, new TextDecoder().decode(chunk)]);
          }
          return new Response();
        },
      })],
    });
    let pulls = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (pulls === sent.length) controller.close();
        else controller.enqueue(new TextEncoder().encode(sent[pulls++]));
      },
    }, { highWaterMark: 0 });
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    await fetch(new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit));
    assertEquals(read, [[1, "m"], [2, "eow"], [4, "\r"], [5, "\r\n--y"]]);
  });

  const ways: Readonly<
    Record<string, (body: AsyncIterable<{ readonly stream?: ReadableStream }>) => Promise<Response>>
  > = {
    "leaves the loop": async (body) => {
      for await (const _ of body) break;
      return new Response("left");
    },
    "returns within the loop, with the stream open": async (body) => {
      for await (const { stream } of body) {
        await stream?.getReader().read();
        return new Response("left");
      }
      return new Response("none");
    },
    "never begins the loop": () => Promise.resolve(new Response("left")),
    "cancels the stream": async (body) => {
      for await (const { stream } of body) {
        await stream?.cancel();
        break;
      }
      return new Response("left");
    },
  };
  for (const [way, handle] of Object.entries(ways)) {
    it(`that ${way}: what is left is read within the bound before the response`, async () => {
      const short = setUp(handle);
      assertEquals(await short.post(5), "left");
      assertEquals([short.told.pulls >= 7, short.told.isCancelled], [true, false]);
    });

    it(`that ${way}: reading ends beyond the bound`, async () => {
      const long = setUp(handle);
      assertEquals(await long.post(1e6), "left");
      assertEquals([long.told.pulls < 20, long.told.isCancelled], [true, true]);
    });
  }

  it("that throws, or a guard that denies or throws: likewise", async () => {
    const throwing = () => Promise.reject(new Error("handler"));
    for (
      const [guard, handle, text] of [
        ["allows", throwing, "error"],
        ["denies", throwing, "denied"],
        ["throws", throwing, "error"],
      ] as const
    ) {
      const { told, post } = setUp(handle, guard);
      assertEquals(await post(1e6), text);
      assertEquals([told.pulls < 20, told.isCancelled], [true, true]);
    }
  });

  it("that does not read what a client never sends waits for two seconds at most", async () => {
    const { fetch } = setup({
      validator: standardSchema,
      handlers: [route.post("/", { request: { body: upload }, resolve: () => new Response("left") })],
    });
    let isCancelled = false;
    const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const init = { method: "POST", body, headers, duplex: "half" } as RequestInit;
    assertEquals(await (await fetch(new Request("http://localhost/", init))).text(), "left");
    assertEquals(isCancelled, true);
  });

  it("that does not ask for a body that was read before responds", async () => {
    const { fetch } = setup({
      validator: standardSchema,
      onRequest: async ({ request }) => void await request.text(),
      handlers: [route.post("/", { request: { body: upload }, resolve: () => new Response("left") })],
    });
    assertEquals(await (await fetch(formOf(GOOD))).text(), "left");
  });

  it("that has not read a body that is cut off responds", async () => {
    const { fetch } = setup({
      validator: standardSchema,
      handlers: [route.post("/", { request: { body: upload }, resolve: () => new Response("left") })],
    });
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("The client is gone")) });
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const init = { method: "POST", body, headers, duplex: "half" } as RequestInit;
    assertEquals(await (await fetch(new Request("http://localhost/", init))).text(), "left");
  });

  it("that drains nothing ends reading at once, whether it has begun or not", async () => {
    const drained = parts({ photo: file({ maxBytes: 1000 }) }, { drainBytes: 0 });
    const { fetch } = setup({
      validator: standardSchema,
      handlers: [route.post("/", { request: { body: drained }, resolve: () => new Response("left") })],
    });
    let [pulls, isCancelled] = [0, false];
    const body = new ReadableStream({
      pull: (controller) => void controller.enqueue(new Uint8Array(++pulls)),
      cancel: () => void (isCancelled = true),
    }, { highWaterMark: 0 });
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const init = { method: "POST", body, headers, duplex: "half" } as RequestInit;
    assertEquals(await (await fetch(new Request("http://localhost/", init))).text(), "left");
    assertEquals([pulls, isCancelled], [0, true]);
  });

  it("that asks for the next part gets what is after a stream that it has not read", async () => {
    const request = formOf([["photo", png(500)], ["title", "Emma"]]);
    const { fetch } = setup({
      validator: standardSchema,
      handlers: [route.post("/", {
        request: { body: upload },
        resolve: async ({ input }) => {
          const names: unknown[] = [];
          let first: ReadableStream | undefined;
          for await (const part of input.ok ? input.body : []) {
            names.push(part.name);
            if (part.name === "photo" && !part.issues) first = part.stream;
          }
          const late = await first?.getReader().read().catch((error: Error) => error.message);
          return Response.json([names, late]);
        },
      })],
    });
    assertEquals(await (await fetch(request)).json(), [
      ["photo", "title"],
      "The stream of a part must be read before the next part is asked for",
    ]);
  });

  it("that leaves the loop after a file that was cut off fails, and does not take it for whole", async () => {
    const errors: unknown[] = [];
    const { fetch } = setup({
      validator: standardSchema,
      onError: ({ error }) => {
        errors.push(error);
        return new Response("error", { status: 500 });
      },
      handlers: [route.post("/", {
        request: { body: upload },
        resolve: async ({ input }) => {
          for await (const part of input.ok ? input.body : []) {
            if (part.name === "photo" && !part.issues) {
              await new Response(part.stream).arrayBuffer();
              return new Response("stored");
            }
          }
          return new Response("none");
        },
      })],
    });
    assertEquals(await (await fetch(formOf([["photo", png(1001)]]))).text(), "error");
    assertEquals(
      String(errors),
      "TypeError: The loop over parts was left after a file that is not whole: ask for the next part first",
    );
    assertEquals(await (await fetch(formOf([["photo", png(1000)]]))).text(), "stored");
  });
});

describe("the stream of a file", () => {
  /** An app whose handler takes the stream of the photo out of the loop. */
  function setUp(handle: (stream: ReadableStream<Uint8Array>) => Promise<Response> | Response) {
    return setup({
      validator: standardSchema,
      handlers: [route.post("/", {
        request: { body: upload },
        resolve: async ({ input }) => {
          let stream: ReadableStream<Uint8Array> | undefined;
          for await (const part of input.ok ? input.body : []) {
            if (part.name !== "photo" || part.issues) continue;
            stream = part.stream;
            break;
          }
          return stream === undefined ? new Response("none") : await handle(stream);
        },
      })],
    });
  }
  const messageOf = (error: Error) => error.message;

  it("that is read after the loop was left ends if the file is whole, and fails if it is not", async () => {
    const read = async (stream: ReadableStream<Uint8Array>) => {
      const text = await new Response(stream).arrayBuffer().then(({ byteLength }) => `${byteLength}`, messageOf);
      return new Response(text);
    };
    const { fetch } = setUp(read);
    const post = async (request: Request) => await (await fetch(request)).text();
    const notWhole = "The loop over parts was left after a file that is not whole: ask for the next part first";
    assertEquals(await post(formOf([["photo", png(1000)]])), "1000");
    assertEquals(await post(formOf([["photo", png(1001)]])), notWhole);
    assertEquals(await post(await inChunks(formOf([["photo", png(900)]]), 50, 500)), notWhole);
  });

  it("fails once the handler has returned, so that nobody takes what is left of it for the file", async () => {
    const { fetch } = setUp((stream) => new Response(stream));
    const late = "The parts of a body must be read before the handler returns";
    for (const size of [100, 10_000]) {
      const response = await fetch(await inChunks(formOf([["photo", png(900)]]), size));
      assertEquals(await response.text().catch(messageOf), late);
    }
  });

  it("that is read while the handler returns has no gap", async () => {
    let read: Promise<string> | undefined;
    const { fetch } = setUp((stream) => {
      read = new Response(stream).text().catch(messageOf);
      return new Response("early");
    });
    const response = await fetch(await inChunks(formOf([["photo", png(900)]]), 100));
    assertEquals(await response.text(), "early");
    assertEquals(await read, "The parts of a body must be read before the handler returns");
  });
});

describe("an endpoint with parts()", () => {
  const api = {
    add: endpoint.post("/photos", {
      request: { body: upload },
      responses: { 200: { schema: z.array(z.unknown()) }, 400: {} },
    }),
  };
  const { fetch } = setup({
    validator: standardSchema,
    endpoints: api,
    handlers: [
      route.on(api.add, { resolve: async ({ input }) => input.ok ? reply(200, await tell(input.body)) : reply(400) }),
    ],
  });

  it("is called by a typed client, with files and lists of files", async () => {
    const client = createClient(api, { fetch });
    const answer = await client.add({ body: { title: "Emma", photo: png(3), more: [png(1), png(2)] } });
    assertEquals(answer.status, 200);
    assertEquals((answer.body as Told[] | undefined)?.map(([name, , , length]) => [name, length]), [
      ["title", undefined],
      ["photo", 3],
      ["more", 1],
      ["more", 2],
    ]);
  });

  it("is called with the list of files that an input of a page has, also beside a stream", async () => {
    const client = createClient(api, { fetch });
    const list = { length: 2, 0: png(1), 1: png(2), item: (index: number) => index === 0 ? png(1) : png(2) };
    for (const photo of [png(3), { stream: png(3).stream(), size: 3, type: "image/png" }]) {
      const answer = await client.add({ body: { title: "Emma", photo, more: list } });
      assertEquals((answer.body as Told[] | undefined)?.map(([name, , , length]) => [name, length]), [
        ["title", undefined],
        ["photo", 3],
        ["more", 1],
        ["more", 2],
      ]);
    }
  });

  it("is described as a form, with the media types of its files", () => {
    const { paths } = openapi({ info: { title: "", version: "" }, endpoints: api });
    assertEquals(paths["/photos"]?.post?.requestBody, {
      required: true,
      content: {
        "multipart/form-data": {
          schema: {
            type: "object",
            properties: {
              title: { type: "string", minLength: 2 },
              count: { type: "number" },
              photo: { type: "string", format: "binary", maxLength: 1000 },
              more: { type: "string", format: "binary", maxLength: 10 },
            },
            required: ["title", "photo"],
          },
          encoding: { photo: { contentType: "image/*, application/pdf" } },
        },
      },
    });
  });
});

describe("the document of parts()", () => {
  it("has a part called __proto__", () => {
    const body = parts({ ["__proto__"]: z.string() });
    const routes = [route.post("/", { request: { body }, resolve: () => new Response() })];
    const { requestBody } = openapi({ info: { title: "", version: "" }, routes }).paths["/"]?.post ?? {};
    const { properties } = Object(requestBody?.content["multipart/form-data"]?.schema);
    assertEquals(Object.entries(properties), [["__proto__", { type: "string" }]]);
  });
});

describe("the declarations of parts() and file()", () => {
  it("reject what is wrong", () => {
    const wrong: readonly (readonly [() => unknown, string])[] = [
      [() => parts([] as never), "Parts of parts must be an object of schemas and files by name: received an array"],
      [() => parts({ a: undefined as never }), 'Part "a" of parts must be a Standard Schema, or file({ maxBytes })'],
      [() => parts({ a: { "~standard": {} } }), '"~standard".validate of part "a" of parts must be a function'],
      [() => parts({}, { maxParts: 0 }), "Option maxParts of parts must be a whole number from 1 to 1000000"],
      [() => parts({}, { maxFieldBytes: 0 }), "Option maxFieldBytes of parts must be a whole number"],
      [() => parts({}, { drainBytes: -1 }), "Option drainBytes of parts must be a whole number from 0"],
      [() => parts({}, { maxPart: 1 } as never), "did you mean maxParts?"],
      [() => file({} as never), "Option maxBytes of file must be a whole number"],
      [() => file({ maxBytes: 0 }), "Option maxBytes of file must be a whole number from 1"],
      [() => file({ maxBytes: 1, contentTypes: [] }), "Option contentTypes of file must be a list of media types"],
      [() => file({ maxBytes: 1, contentTypes: ["Image/PNG"] }), "Option contentTypes of file must be a list"],
      [() => file({ maxBytes: 1, contentTypes: ["png"] }), "Option contentTypes of file must be a list"],
      [() => file({ maxBytes: 1, optional: 1 as never }), "Option optional of file must be a boolean"],
      [() => file({ maxBytes: 1, contentType: "a" } as never), "did you mean contentTypes?"],
    ];
    for (const [run, message] of wrong) assertThrows(run, TypeError, message);
  });

  it("name the part whose schema has no JSON Schema", () => {
    const body = parts({ title: { "~standard": { validate: (value: unknown) => ({ value }) } } });
    assertThrows(
      () => body["~standard"].jsonSchema.input(),
      TypeError,
      'part "title": it has no "~standard".jsonSchema',
    );
    assertThrows(() => body["~standard"].jsonSchema.output(), TypeError, "have no JSON Schema");
  });
});
