/** Files that a client sends as streams. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { endpoint, reply, route, setup } from "../../../mod.ts";
import { file, parts, type StreamedFile } from "../../../src/body/mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { z } from "zod";

const NAMES = ['a"b', "é", "%22"] as const;
const upload = parts({
  title: z.string(),
  [NAMES[0]]: z.string().optional(),
  [NAMES[1]]: z.string().optional(),
  [NAMES[2]]: z.string().optional(),
  photo: file({ maxBytes: 1e6 }),
  more: file({ maxBytes: 1e6, optional: true }),
});
const api = {
  add: endpoint.post("/photos", {
    request: { body: upload },
    responses: { 200: { schema: z.array(z.array(z.unknown())) }, 400: {} },
  }),
};

/** Tells what has arrived. */
const app = setup({
  validator: standardSchema,
  endpoints: api,
  handlers: [
    route.on(api.add, {
      resolve: async ({ input }) => {
        if (!input.ok) return reply(400);
        const told: unknown[][] = [];
        for await (const part of input.body) {
          if (part.issues) told.push([part.name, part.issues[0]?.code]);
          else if ("value" in part) told.push([part.name, part.value]);
          else told.push([part.name, part.fileName, part.contentType, await new Response(part.stream).text()]);
        }
        return reply(200, told);
      },
    }),
  ],
});
const client = createClient(api, { fetch: app.fetch });

/** A stream of these texts, and what is done to it. */
function streamOf(...texts: readonly string[]) {
  const done = { pulls: 0, isCancelled: false };
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const text = texts[done.pulls++];
      if (text === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(text));
    },
    cancel: () => void (done.isCancelled = true),
  }, { highWaterMark: 0 });
  return { stream, done };
}

/** The request that a client makes for a photo. */
async function requestWith(photo: StreamedFile): Promise<Request> {
  let made: Request | undefined;
  const fetch = (request: Request) => {
    made = request;
    return new Response(null, { status: 400 });
  };
  await createClient(api, { fetch }).add({ body: { title: "Emma", photo } });
  if (made === undefined) throw new Error("There is no request");
  return made;
}

describe("a client of parts()", () => {
  it("sends streams beside files and fields, in the order in which they are given", async () => {
    const answer = await client.add({
      body: {
        title: "Emma\nWoodhouse",
        photo: { stream: streamOf("me", "", "ow").stream, size: 4, name: '../é"\r\n.png', type: "image/png" },
        more: [
          new File(["a"], "a.pdf", { type: "application/pdf" }),
          { stream: streamOf().stream, size: 0 },
          new Blob(["b"]),
        ],
      },
    });
    assertEquals(answer.body, [
      ["title", "Emma\r\nWoodhouse"],
      ["photo", '../é"\r\n.png', "image/png", "meow"],
      ["more", "a.pdf", "application/pdf", "a"],
      ["more", "blob", "application/octet-stream", ""],
      ["more", "blob", "application/octet-stream", "b"],
    ]);
  });

  it("sends the same names and fields with a stream as without one", async () => {
    const fields = { title: "é\r\n--", ...Object.fromEntries(NAMES.map((name) => [name, name])) };
    const [withStream, without] = await Promise.all([
      client.add({ body: { ...fields, photo: { stream: streamOf("x").stream, size: 1, name: "a", type: "a/b" } } }),
      client.add({ body: { ...fields, photo: new File(["x"], "a", { type: "a/b" }) } }),
    ]);
    assertEquals(withStream.body, without.body);
  });

  it("says how long the form is", async () => {
    const request = await requestWith({ stream: streamOf("é", "x").stream, size: 3 });
    const length = (await request.clone().arrayBuffer()).byteLength;
    assertEquals(request.headers.get("content-length"), `${length}`);
    assertEquals((await request.formData()).get("title"), "Emma");
  });

  it("reads a stream only as fast as it is sent, and cancels it with the request", async () => {
    const { stream, done } = streamOf("a", "b", "c");
    const request = await requestWith({ stream, size: 3 });
    const reader = request.body?.getReader();
    // The head of the title, the title, a line break, and the head of the photo.
    for (let chunk = 0; chunk < 4; chunk++) await reader?.read();
    assertEquals(done, { pulls: 0, isCancelled: false });
    await reader?.read();
    assertEquals(done, { pulls: 1, isCancelled: false });
    await reader?.cancel();
    assertEquals(done, { pulls: 1, isCancelled: true });
  });

  it("fails if a stream has more or fewer bytes than its size, or fails itself", async () => {
    const sent = async (photo: StreamedFile) => await (await requestWith(photo)).text();
    await assertRejects(
      () => sent({ stream: streamOf("ab", "cd").stream, size: 3 }),
      TypeError,
      'The stream of the file "photo" has more bytes, not 3 as its size says',
    );
    await assertRejects(
      () => sent({ stream: streamOf("ab").stream, size: 3 }),
      TypeError,
      'The stream of the file "photo" has 2 bytes, not 3 as its size says',
    );
    const failing = new ReadableStream({ pull: () => Promise.reject(new Error("The disk is gone")) });
    await assertRejects(() => sent({ stream: failing, size: 3 }), Error, "The disk is gone");
    // A server takes what has arrived for cut off.
    const answer = await client.add({ body: { title: "Emma", photo: { stream: streamOf("ab").stream, size: 3 } } });
    assertEquals(answer.body?.at(-1), [null, "incomplete_body"]);
  });

  it("rejects a stream without its size, in code that is not type-checked", async () => {
    const sent = client.add as (options: object) => Promise<unknown>;
    const { stream } = streamOf("abc");
    for (const photo of [{ stream }, { stream, size: NaN }, { stream, size: "3" }, { stream, size: -1 }, stream]) {
      const { message } = await assertRejects(() => sent({ body: { title: "Emma", photo } }), TypeError);
      assertEquals(message, 'The file "photo" is a stream: write { stream, size }, with the number of bytes');
    }
  });

  it("rejects a media type that would be more than one header", async () => {
    const photo = { stream: streamOf("x").stream, size: 1, type: "a/b\r\nx: y" };
    await assertRejects(
      () => client.add({ body: { title: "Emma", photo } }),
      TypeError,
      'The media type of the file "photo" has a line break',
    );
  });

  it("rejects a stream where the runtime takes it for a text, as browsers without such bodies do", async () => {
    const Original = Request;
    globalThis.Request = class extends Original {
      constructor(url: string, init: RequestInit) {
        super(url, { ...init, body: String(init.body), headers: { "content-type": "text/plain;charset=UTF-8" } });
      }
    } as typeof Request;
    try {
      await assertRejects(
        () => client.add({ body: { title: "Emma", photo: { stream: streamOf("x").stream, size: 1 } } }),
        TypeError,
        "This runtime sends no stream: give the file as a Blob",
      );
    } finally {
      globalThis.Request = Original;
    }
  });
});
