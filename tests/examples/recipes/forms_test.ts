import { assert, assertEquals, assertMatch } from "@std/assert";
import { type ClientHttp2Session, connect } from "node:http2";
import { after, afterEach, before, describe, it } from "@std/testing/bdd";
import { createApp } from "../../../examples/recipes/forms.ts";
import { clientOf } from "../../../examples/recipes/forms/client_of.ts";
import { isLate, paced } from "../../../examples/recipes/forms/paced.ts";
import type { App, BodyReader } from "../../../mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { until } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";
import { serve } from "../serve.ts";
import { fakeMinutes } from "./fake_minutes.ts";
import { serveApp, type ServedApp } from "./serve_app.ts";

const MIB = 1024 * 1024;
const URLENCODED = { "content-type": "application/x-www-form-urlencoded" };
const MULTIPART = { "content-type": "multipart/form-data; boundary=edge" };

/** One part of a multipart body. */
const part = (headers: string, content: string) =>
  `--edge\r\ncontent-disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;
const TITLE = part('name="title"', "Cat");
const FILE = part('name="picture"; filename="cat.png"', "meow");

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("examples/recipes/forms.ts", () => {
  let directory = "";
  let served: ServedApp;
  let app: App;
  before(async () => {
    directory = await Deno.makeTempDir();
    app = createApp(directory);
    served = serveApp(app);
  });
  after(async () => {
    await served[Symbol.asyncDispose]();
    await Deno.remove(directory, { recursive: true });
  });

  /** The names of the files that are kept, which are removed now. */
  async function takeFiles(): Promise<string[]> {
    const names = (await Array.fromAsync(Deno.readDir(directory))).map(({ name }) => name);
    for (const name of names) await Deno.remove(`${directory}/${name}`);
    return names;
  }
  afterEach(async () => assertEquals(await takeFiles(), []));

  /** Asks over a socket, and asks the app itself by a client that rejects an answer that the route does not declare. */
  async function post(path: string, body: BodyInit, headers: Record<string, string> = {}) {
    const copy = body instanceof FormData || typeof body === "string" ? body : undefined;
    if (copy !== undefined) {
      const routes = Object.fromEntries(app.routes.map((route) => [route.path, route]));
      await createClient(routes, { fetch: app.fetch, validator: standardSchema })[path]?.({ body: copy, headers });
      await takeFiles();
    }
    const response = await fetch(served.origin + path, { method: "POST", body, headers });
    return { status: response.status, read: await response.json() };
  }

  /** Begins a request with a body of so many bytes, and returns its connection. */
  async function beginPost(path: string, headers: Readonly<Record<string, string>>, length: number) {
    const { hostname, port } = new URL(served.origin);
    const connection = await Deno.connect({ hostname, port: Number(port) });
    const write = (text: string) => connection.write(new TextEncoder().encode(text));
    const lines = Object.entries({ host: "h", ...headers, "content-length": length }).map((line) => line.join(": "));
    await write(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    const bytes = new Uint8Array(1024);
    const read = async () => new TextDecoder().decode(bytes.subarray(0, await connection.read(bytes) ?? 0));
    return { write, read, [Symbol.dispose]: () => connection.close() };
  }

  describe("an urlencoded form", () => {
    const subscribe = (body: string, headers: Record<string, string> = URLENCODED) =>
      post("/subscriptions", body, headers);

    it("an urlencoded form comes out as its schema says, with a list for a field that repeats", async () => {
      const { status, read } = await subscribe("email=ada%40example.com&topic=books&topic=film&other=1");
      assertEquals([status, read], [201, { email: "ada@example.com", topics: ["books", "film"] }]);
      assertEquals((await subscribe("topic=music&email=ada@example.com")).read.topics, ["music"]);
    });

    it("an urlencoded form is a 400 where the schema does not accept it, with what is wrong", async () => {
      const { status, read } = await subscribe("email=ada&topic=books");
      assertEquals([status, read.issues.map(({ path }: { path: string[] }) => path)], [400, [["email"]]]);
      const twice = "email=ada@example.com&email=eve@example.com&topic=books";
      for (const body of ["", "email=ada@example.com", twice, "email=ada@example.com&topic=war"]) {
        assertEquals((await subscribe(body)).status, 400, body);
      }
    });

    it("an urlencoded form is a 415 with another content type, or none", async () => {
      for (const type of ["application/json", "multipart/form-data; boundary=x"]) {
        assertEquals((await subscribe("email=ada@example.com&topic=books", { "content-type": type })).status, 415);
      }
      const bytes = new TextEncoder().encode("email=ada@example.com&topic=books");
      assertEquals((await post("/subscriptions", bytes)).status, 415);
      const parameter = { "content-type": "Application/X-WWW-Form-Urlencoded ; charset=utf-8" };
      assertEquals((await subscribe("email=ada@example.com&topic=books", parameter)).status, 201);
    });

    it("an urlencoded form is a 413 over 16 KiB, and none of exactly that", async () => {
      const body = "email=ada@example.com&topic=books&pad=".padEnd(16 * 1024, "x");
      assertEquals((await subscribe(body)).status, 201);
      assertEquals((await subscribe(`${body}x`)).status, 413);
    });

    it("an urlencoded form is a 408 if it does not arrive within a minute", async () => {
      using minutes = fakeMinutes();
      using slow = await beginPost("/subscriptions", URLENCODED, 100);
      await slow.write("email=");
      await until(() => minutes.begun === 1);
      minutes.pass();
      assertMatch(await slow.read(), /^HTTP\/1\.1 408 /);
    });
  });

  describe("an upload", () => {
    const upload = (body: string) => post("/pictures", body, MULTIPART);

    it("an upload is kept under a name of ours, byte by byte, whatever name the client gives", async () => {
      const bytes = crypto.getRandomValues(new Uint8Array(65_536));
      for (const name of ["cat.png", "../../cat.png", "a\0b"]) {
        const form = new FormData();
        form.set("title", " Cat ");
        form.set("picture", new Blob([bytes]), name);
        const { status, read } = await post("/pictures", form);
        assertEquals([status, read.title, read.size], [201, "Cat", bytes.length]);
        assertMatch(read.id, /^[\da-f-]{36}$/);
        assertEquals(await Deno.readFile(`${directory}/${read.id}`), bytes);
        assertEquals(await takeFiles(), [read.id]);
      }
    });

    it("CVE-2025-24033, CVE-2026-2359: an upload is on disk while it arrives, and gone where it does not arrive whole", async () => {
      {
        using cutOff = await beginPost("/pictures", MULTIPART, 5 * MIB);
        await cutOff.write(`${TITLE}${FILE.slice(0, -6)}${"x".repeat(100_000)}`);
        let name = "";
        await until(async () => {
          for await (const entry of Deno.readDir(directory)) name = entry.name;
          return name !== "" && (await Deno.stat(`${directory}/${name}`)).size > 50_000;
        });
        assertMatch(name, /^[\da-f-]{36}\.part$/);
      }
      await until(async () => (await Array.fromAsync(Deno.readDir(directory))).length === 0);
    });

    it("an upload is a 413 over 5 MiB, whatever its content-length says, and leaves nothing", async () => {
      for (const length of [undefined, "100", `${50 * MIB}`]) {
        let read = 0;
        const body = new ReadableStream({
          pull(controller) {
            read += MIB;
            controller.enqueue(new TextEncoder().encode(read === MIB ? TITLE + FILE.slice(0, -2) : "x".repeat(MIB)));
          },
        });
        const headers = { ...MULTIPART, ...length !== undefined && { "content-length": length } };
        const request = new Request("http://localhost/pictures", { method: "POST", body, headers });
        assertEquals((await app.fetch(request)).status, 413);
        assert(read <= 10 * MIB, `${read} bytes were read`);
        assertEquals(await takeFiles(), []);
      }
    });

    it("CVE-2026-3304: an upload leaves nothing where any later part of it is refused", async () => {
      for (
        const last of [
          part('name="title"', ""), // the schema refuses it
          part('name="other"; filename="b.png"', "a second file"),
          part('name="title"', "x".repeat(9000)),
          "--edge\r\nno header at all",
          "no boundary at all",
          "",
        ]
      ) {
        const { status } = await upload(`${FILE}${last}--edge--`);
        assert(status === 400 || status === 413, last);
        assertEquals(await takeFiles(), [], last);
      }
    });

    it("an upload is a 413 with more files, parts or bytes in a field than there may be", async () => {
      const large = part('name="title"', "x".repeat(8 * 1024 + 1));
      for (const parts of [TITLE + FILE + FILE, TITLE.repeat(21) + FILE, FILE + TITLE.repeat(21), FILE + large]) {
        assertEquals((await upload(`${parts}--edge--`)).status, 413);
      }
    });

    it("an upload is a 400 where it is not the form that is asked for: one title, and one picture that is not empty", async () => {
      for (
        const body of [
          `${TITLE}--edge--`,
          `${FILE}--edge--`,
          `${TITLE}${part('name="picture"; filename=""', "")}--edge--`,
          `${TITLE}${part('name="picture"; filename="cat.png"', "")}--edge--`,
          `${TITLE}${part('name="picture"', "meow")}--edge--`,
          `${TITLE}${TITLE}${FILE}--edge--`,
        ]
      ) assertEquals((await upload(body)).status, 400, body.slice(0, 200));
    });

    it("an upload of which each connection has 8 at once leaves room for others, also if six clients begin 100 and end none", async () => {
      const arriving = async () => (await Array.fromAsync(Deno.readDir(directory))).length;
      using sessions = new DisposableStack();
      const heads: Promise<number>[] = [];
      for (let client = 0; client < 6; client++) {
        const session = sessions.adopt(connect(served.origin), (session) => session.destroy());
        session.on("error", () => {});
        for (let count = 0; count < 100; count++) heads.push(beginUpload(session));
      }
      let refused = 0;
      for (const head of heads) head.then((status) => refused += Number(status === 503), () => {});
      await until(async () => refused === 6 * 92 && await arriving() === 6 * 8, () => `${refused} are refused`);
      assertEquals((await upload(`${TITLE}${FILE}--edge--`)).status, 201);
      sessions.dispose();
      await until(async () => (await takeFiles()).length === 0);
    });

    it("an upload is a 408 without 64 KiB in a minute, however often bytes come, and leaves nothing", async () => {
      using minutes = fakeMinutes();
      using slow = await beginPost("/pictures", MULTIPART, 5 * MIB);
      await slow.write(TITLE + FILE.slice(0, -2));
      const size = async () => {
        const [file] = await Array.fromAsync(Deno.readDir(directory));
        return file === undefined ? 0 : (await Deno.stat(`${directory}/${file.name}`)).size;
      };
      await until(async () => await size() > 0);
      for (let count = 1; count <= 65; count++) {
        assertEquals(minutes.begun, 1);
        await slow.write("x".repeat(1000));
        await until(async () => await size() >= count * 1000);
      }
      await slow.write("x".repeat(1000));
      await until(() => minutes.begun === 2);
      minutes.pass();
      assertMatch(await slow.read(), /^HTTP\/1\.1 408 /);
      assertEquals(await takeFiles(), []);
    });

    it("an upload is no 408 while its bytes wait for what takes them", async () => {
      using minutes = fakeMinutes();
      const request = new Request("http://localhost/", {
        method: "POST",
        body: ReadableStream.from(["Cat", "Dog"]).pipeThrough(new TextEncoderStream()),
      });
      const slow: BodyReader = {
        contentTypes: ["*/*"],
        async read({ body }) {
          const [reader, read] = [body?.getReader(), [] as string[]];
          for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
            read.push(new TextDecoder().decode(chunk.value));
            minutes.pass();
          }
          return { value: read };
        },
      };
      assertEquals(await paced(slow).read(request, MIB), { value: ["Cat", "Dog"] });
      assert(!isLate(request));
    });

    it("an upload that a crash cut off is removed at the next start, and nothing else", async () => {
      const [part, picture] = [`${crypto.randomUUID()}.part`, crypto.randomUUID()];
      for (const name of [part, picture, "notes.part"]) await Deno.writeTextFile(`${directory}/${name}`, "meow");
      createApp(directory);
      assertEquals((await takeFiles()).toSorted(), [picture, "notes.part"].toSorted());
    });
  });

  it("the recipe forms responds with 500, and says why in the log, where a file cannot be written", async () => {
    const logged: unknown[][] = [];
    const { error } = console;
    console.error = (...args: unknown[]) => logged.push(args);
    try {
      await Deno.writeTextFile(`${directory}/file`, "");
      for (const path of [`${directory}/file/below`, "/proc/self"]) {
        const form = new FormData();
        form.set("title", "Cat");
        form.set("picture", new Blob(["x".repeat(MIB)]));
        const request = new Request("http://localhost/pictures", { method: "POST", body: form });
        assertEquals((await createApp(path).fetch(request)).status, 500);
      }
      assertEquals(logged.map(([text]) => text), ["POST /pictures failed:", "POST /pictures failed:"]);
    } finally {
      console.error = error;
      await takeFiles();
    }
  });

  it("the recipe forms describes its forms in OpenAPI", async () => {
    const document = openapi({ info: { title: "Forms", version: "1" }, routes: createApp(directory).routes });
    // Only now: its parser reads the environment when it is imported.
    const { assertOpenApi } = await import("../../support/assert_openapi.ts");
    await assertOpenApi(document);
    const types = Object.values(document.paths).map((item) => Object.keys(item.post?.requestBody?.content ?? {}));
    assertEquals(types, [["application/x-www-form-urlencoded"], ["multipart/form-data"]]);
  });

  it("the recipe forms is served by its first line, which grants what it needs", async () => {
    await using served = await serve("examples/recipes/forms.ts");
    const form = new FormData();
    form.set("title", "Cat");
    form.set("picture", new Blob(["meow"]), "cat.png");
    const response = await fetch(`${served.origin}/pictures`, { method: "POST", body: form });
    const { id } = await response.json();
    assertEquals([response.status, await Deno.readTextFile(`.uploads/${id}`)], [201, "meow"]);
    await Deno.remove(`.uploads/${id}`);
  });
});

/** Begins an upload and does not end it. Returns the status of an early answer. */
function beginUpload(session: ClientHttp2Session): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = session.request({ ":method": "POST", ":path": "/pictures", ...MULTIPART });
  request.on("response", (headers) => resolve(Number(headers[":status"])));
  request.on("error", reject);
  request.write(TITLE + FILE);
  return promise;
}

describe("clientOf()", () => {
  const ip = (address: string) => ({ requestIP: () => ({ address, port: 5 }) });
  const request = new Request("http://localhost/pictures");

  it("clientOf() reads the address and the port that each server passes", () => {
    const client = { address: "192.0.2.1", connection: "192.0.2.1 5" };
    assertEquals(clientOf(request, { remoteAddr: { hostname: "192.0.2.1", port: 5 } }), client);
    assertEquals(clientOf(request, ip("192.0.2.1")), client);
    const socket = { remoteAddress: "::ffff:192.0.2.1", remotePort: 5 };
    assertEquals(clientOf(request, { incoming: { socket } }), { ...client, connection: "::ffff:192.0.2.1 5" });
    assertEquals(clientOf(request, ip("2001:db8::1")).address, clientOf(request, ip("2001:db8::2")).address);
    assertEquals(clientOf(request, ip("a socket")).address, "a socket");
  });

  it("clientOf() takes all clients for one whose connection is unknown", () => {
    for (const connection of [undefined, { remoteAddr: { path: "/run/app.sock" } }]) {
      assertEquals(clientOf(request, connection), { address: "" });
    }
  });
});
