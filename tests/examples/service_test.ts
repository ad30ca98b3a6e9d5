import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { after, afterEach, before, beforeEach, describe, it } from "@std/testing/bdd";
import type { App } from "@fw/core";
import { createSessions } from "@fw/core/session";
import { holdToEndpoints } from "@fw/core/testing";
import { spawnSync } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import * as api from "../../examples/service/api.ts";
import type { createApp, Dependencies } from "../../examples/service/app.ts";
import { addPicture, createPicturesClient, listTitles } from "../../examples/service/client.ts";
import { rateLimitStore } from "../../src/memory/mod.ts";
import { openStore, type Store } from "../../examples/service/store.ts";
import { assertMaySkip } from "../support/assert_may_skip.ts";
import { FLAGS } from "../support/flags.ts";
import { pause, until } from "../support/until.ts";
import { callPictures, TOLD_OF_PICTURES } from "./call_pictures.ts";
import { granted } from "../support/granted.ts";
import { makeTempDirectory } from "../support/temp_directory.ts";
import { hashWith } from "./hash_with.ts";
import { ROOT, serve, type Served, startServer } from "./serve.ts";
import { assertClosed } from "./static_place.ts";
import { startCollector } from "./telemetry_collector.ts";
import { UnreadClients } from "./unread_clients.ts";

const ORIGIN = "http://localhost:8000";
const PASSWORD = "correct horse";
/** One transparent pixel. */
const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);
const png = () => new Blob([PNG], { type: "image/png" });

/** Starts the service with its data in a directory. */
function start(directory: string, env: Readonly<Record<string, string>> = {}): Promise<Served> {
  return serve("examples/service/main.ts", {
    permissions: [`--allow-read=${directory}`, `--allow-write=${directory}`],
    env: { DATA: directory, DATABASE_URL: "", ...env },
  });
}

/** The form that adds a picture. */
function pictureForm(title = "Dot", file: Blob = png()): FormData {
  const form = new FormData();
  form.set("title", title);
  form.set("file", file);
  return form;
}

let browsers = 0;

/** A browser with our pages open: it sends their origin, and keeps the cookie. Each has an address, behind one proxy. */
class Browser {
  readonly #server: string;
  readonly #address = `192.0.2.${++browsers}`;
  cookie = "";
  constructor(server: string) {
    this.#server = server;
  }

  readonly fetch = async (input: Request | string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(input instanceof Request ? input : this.#server + input, init);
    const headers = new Headers(request.headers);
    headers.set("origin", headers.get("origin") ?? ORIGIN);
    headers.set("x-forwarded-for", headers.get("x-forwarded-for") ?? this.#address);
    if (this.cookie !== "") headers.set("cookie", this.cookie);
    const response = await fetch(new Request(request, { headers, redirect: "manual" }));
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(";", 1)[0] ?? "";
    return response;
  };

  /** Sends a form, and returns the status. */
  async send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<number> {
    const response = await this.fetch(path, { method: "POST", body: new URLSearchParams(fields), headers });
    await response.body?.cancel();
    return response.status;
  }

  signUp(name: string): Promise<number> {
    return this.send("/sign-up", { name, email: `${name}@example.com`, password: PASSWORD });
  }
}

/** A browser that has signed up. */
async function signUpAt({ origin }: Served): Promise<Browser> {
  const browser = new Browser(origin);
  assertEquals(await browser.signUp("ada"), 303);
  return browser;
}

const suite = granted("env", "net", "read", "run", "write") ? describe : describe.skip;

suite("examples/service", () => {
  let directory = "";
  let served: Served;
  before(async () => {
    directory = await Deno.makeTempDir();
    served = await start(directory, { PROXIES: "1" });
  });
  after(async () => {
    await served.stop();
    await Deno.remove(directory, { recursive: true });
  });
  const files = async () => (await Array.fromAsync(Deno.readDir(directory))).map(({ name }) => name).filter(isPicture);
  const isPicture = (name: string) => !name.startsWith("service.db");
  const clientOf = (browser: Browser) => createPicturesClient(served.origin, browser.fetch);
  const ada = () => new Browser(served.origin);

  it("the service signs up, in and out by forms", async () => {
    const browser = ada();
    const me = async () => await (await browser.fetch("/api/me")).json();
    assertEquals(await me(), { error: "Sign in first" });
    assertEquals(await browser.signUp("ada"), 303);
    assertEquals(await me(), { email: "ada@example.com", name: "ada" });
    assertEquals(await browser.signUp("ada"), 409);
    assertEquals(await browser.send("/sign-out", {}), 303);
    assertEquals(await me(), { error: "Sign in first" });
    assertEquals(await browser.send("/sign-in", { email: "ada@example.com", password: "wrong horse" }), 403);
    assertEquals(await browser.send("/sign-in", { email: "ada@example.com", password: "short" }), 400);
    assertEquals(await browser.send("/sign-in", { email: "Ada@example.com", password: PASSWORD }), 303);
    assertEquals(await me(), { email: "ada@example.com", name: "ada" });
  });

  it("the service renews a hash with fewer iterations than today at a sign-in", async () => {
    const browser = ada();
    assertEquals(await browser.signUp("barbara"), 303);
    using db = new DatabaseSync(`${directory}/service.db`);
    const find = db.prepare("SELECT passwordHash FROM accounts WHERE email = 'barbara@example.com'");
    const iterations = () => Number(/i=(\d+)/.exec(String(find.get()?.passwordHash))?.[1]);
    db.prepare("UPDATE accounts SET passwordHash = ? WHERE email = 'barbara@example.com'")
      .run(hashWith(1000, PASSWORD));
    const signIn = (password: string) => ada().send("/sign-in", { email: "barbara@example.com", password });
    assertEquals([await signIn("wrong horse"), iterations()], [403, 1000]);
    assertEquals(await Promise.all([signIn(PASSWORD), signIn(PASSWORD)]), [303, 303]);
    assert(iterations() >= 600_000);
    assertEquals([await signIn(PASSWORD), await signIn("wrong horse")], [303, 403]);
  });

  it("the service takes nothing from the pages of others", async () => {
    const browser = ada();
    const form = { email: "ada@example.com", password: PASSWORD };
    assertEquals(await browser.send("/sign-in", form, { origin: "https://evil.example" }), 403);
    assertEquals(await browser.send("/sign-in", form), 303);
    const headers = { origin: "https://evil.example" };
    const upload = await browser.fetch("/api/pictures", { method: "POST", body: pictureForm(), headers });
    assertEquals([upload.status, await upload.json()], [403, { error: "Cross-site request" }]);
    assertEquals(await files(), []);
  });

  it("the service keeps a picture until it is deleted, for its owner alone", async () => {
    const [bob, eve] = [ada(), ada()];
    assertEquals([await bob.signUp("bob"), await eve.signUp("eve")], [303, 303]);
    const client = clientOf(bob);
    const id = await addPicture(client, "A dot", png());
    assertEquals(await Array.fromAsync(listTitles(client)), ["A dot"]);
    assertEquals(await files(), [id]);

    const path = `/api/pictures/${id}/file`;
    const shown = await bob.fetch(path);
    assertEquals(await shown.bytes(), PNG);
    assertEquals(["content-type", "x-content-type-options", "cache-control"].map((name) => shown.headers.get(name)), [
      "image/png",
      "nosniff",
      "private, max-age=31536000, immutable",
    ]);

    assertEquals(await Array.fromAsync(listTitles(clientOf(eve))), []);
    assertEquals((await eve.fetch(path)).status, 404);
    assertEquals((await eve.fetch(`/api/pictures/${id}`, { method: "DELETE" })).status, 404);
    assertEquals((await ada().fetch(path)).status, 401);

    assertEquals((await bob.fetch(`/api/pictures/${id}`, { method: "DELETE" })).status, 204);
    assertEquals([await Array.fromAsync(listTitles(client)), await files()], [[], []]);
  });

  it("the service keeps nothing of an upload that is no picture, has no title, or is too large", async () => {
    const browser = ada();
    assertEquals(await browser.signUp("grace"), 303);
    const upload = async (title: string, ...parts: BlobPart[]) => {
      const body = pictureForm(title, new Blob(parts, { type: "image/png" }));
      const response = await browser.fetch("/api/pictures", { method: "POST", body });
      await response.body?.cancel();
      return response.status;
    };
    assertEquals(await upload("Script", "<svg><script>alert(1)</script></svg>"), 415);
    assertEquals(await upload(" ", PNG), 400);
    assertEquals(await upload("Large", PNG, new Uint8Array(5 * 1024 * 1024)), 413);
    assertEquals(await files(), []);
    assertEquals(await upload("Dot", PNG), 201);
    assertEquals(await Array.fromAsync(listTitles(clientOf(browser))), ["Dot"]);
  });

  it("the service writes one line for each request, with the id that the response has", async () => {
    const response = await fetch(`${served.origin}/api/pictures/secret/file`);
    assertEquals(response.status, 401);
    const id = response.headers.get("x-request-id") ?? "";
    await until(() => served.printed().includes(id), served.printed);
    const lines = served.printed().split("\n").filter((line) => line.includes(id)).map((line) => JSON.parse(line));
    assertEquals(lines.map(({ method, route, status }) => [method, route, status]), [
      ["GET", "/api/pictures/:id/file", 401],
    ]);
  });
});

suite("examples/service, on the open network,", () => {
  let directory = "";
  beforeEach(async () => {
    directory = await Deno.makeTempDir();
  });
  afterEach(() => Deno.remove(directory, { recursive: true }));

  it("the service, on the open network, runs with the permissions of its first line, which name what it reads", async () => {
    const [command = ""] = (await Deno.readTextFile(new URL("examples/service/main.ts", ROOT))).split("\n", 1);
    const flags = command.match(/(?<= )--allow-\S+/g);
    assertEquals(flags, ["--allow-env=DATA,ORIGIN,PROXIES,DATABASE_URL", "--allow-read=.data", "--allow-write=.data"]);
    await using served = await serve("examples/service/main.ts", { env: { DATABASE_URL: "" } });
    const browser = new Browser(served.origin);
    assertEquals(await browser.signUp(crypto.randomUUID()), 303);
    const client = createPicturesClient(served.origin, browser.fetch);
    const id = await addPicture(client, "A dot", png());
    assertEquals(await (await browser.fetch(`/api/pictures/${id}/file`)).bytes(), PNG);
    assertEquals((await browser.fetch(`/api/pictures/${id}`, { method: "DELETE" })).status, 204);
    assertEquals(await browser.send("/sign-out", {}), 303);
  });

  it("the service, on the open network, keeps its files from other users of the machine, also those that others could read", async () => {
    const data = `${directory}/data`;
    const modes = async () => {
      const names = ["", "/service.db", "/service.db-wal", "/service.db-shm"];
      const infos = await Promise.all(names.map((name) => Deno.stat(data + name)));
      return infos.map(({ mode }) => ((mode ?? 0) & 0o777).toString(8));
    };
    for (let turn = 0; turn < 2; turn++) {
      const served = await start(data);
      const browser = new Browser(served.origin);
      assertEquals(await browser.signUp(`ada${turn}`), 303);
      assertEquals(await modes(), ["700", "600", "600", "600"]);
      await served.stop("SIGKILL"); // leaves all files
      for (const name of ["service.db", "service.db-wal", "service.db-shm"]) await Deno.chmod(`${data}/${name}`, 0o644);
      await Deno.chmod(data, 0o755);
    }
  });

  it("the service, on the open network, evaluates 10 wrong passwords of an account, whatever their addresses, and tells when to come back", async () => {
    await using served = await start(directory, { PROXIES: "1" });
    const browser = await signUpAt(served);
    // A sign-in that has waited too long for its hash gets 503, and is no failed attempt. On a busy machine, it comes again.
    const signIn = async (password: string, address: string): Promise<Response> => {
      const body = new URLSearchParams({ email: "ada@example.com", password });
      const response = await browser.fetch("/sign-in", {
        method: "POST",
        body,
        headers: { "x-forwarded-for": address },
      });
      if (response.status !== 503) return response;
      await response.body?.cancel();
      await pause(1000);
      return await signIn(password, address);
    };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => signIn("wrong horse", `198.51.100.${index}`)),
    );
    assertEquals(answers.filter(({ status }) => status === 403).length, 10);
    const refused = answers.filter(({ status }) => status === 429);
    assertEquals(refused.length, 40);
    for (const { headers } of refused) assert(Number(headers.get("retry-after")) > 60);
    await Promise.all(answers.map((answer) => answer.body?.cancel()));
    const right = await signIn(PASSWORD, "203.0.113.1");
    await right.body?.cancel();
    assertEquals(right.status, 429);
  });

  it("the service, on the open network, keeps no file open for clients that read nothing, and has places left for others", async () => {
    await using served = await start(directory);
    const browser = await signUpAt(served);
    const large = new Blob([PNG, new Uint8Array(4 * 1024 * 1024)], { type: "image/png" });
    const id = await addPicture(createPicturesClient(served.origin, browser.fetch), "Large", large);
    const path = `/api/pictures/${id}/file`;
    const headers = { cookie: browser.cookie };
    {
      using clients = new UnreadClients(served.origin);
      const statuses = await clients.ask(path, 4, 200, { headers });
      assertEquals([statuses.get("200"), statuses.get("503 after 5")], [150, 650]);
      await assertClosed(served, id);
      assertEquals((await browser.fetch(path)).status, 503);
      using others = new UnreadClients(served.origin, "127.0.0.2");
      assertEquals([...await others.ask(path, 1, 32, { headers })], [["200", 32]]);
    }
    const size = async () => (await (await browser.fetch(path)).bytes()).length;
    await until(
      async () => await size() === large.size,
      () => "The places of clients that are gone are not given back",
    );
  });

  it("the service, on the open network, counts the clients behind a proxy by their addresses, not by the connections of the proxy", async () => {
    await using served = await start(directory, { PROXIES: "1" });
    const browser = await signUpAt(served);
    const large = new Blob([PNG, new Uint8Array(1024 * 1024)], { type: "image/png" });
    const id = await addPicture(createPicturesClient(served.origin, browser.fetch), "Large", large);
    using proxy = new UnreadClients(served.origin);
    const ask = (address: string) => {
      const headers = { cookie: browser.cookie, "x-forwarded-for": `203.0.113.9, ${address}` };
      return proxy.ask(`/api/pictures/${id}/file`, 1, 160, { headers });
    };
    assertEquals((await ask("192.0.2.1")).get("200"), 150);
    assertEquals((await ask("192.0.2.2")).get("200"), 150);
  });

  it("the service, on the open network, removes at its start the picture that a crash kept from the list", async () => {
    const picture = `${directory}/${crypto.randomUUID()}`;
    await Deno.writeFile(picture, PNG);
    const served = await start(directory);
    await served.stop();
    await assertRejects(() => Deno.stat(picture), Deno.errors.NotFound);
  });
});

/** Arguments of `unshare` that run a command with a disk of 2 MiB at `DATA`. */
const ON_SMALL_DISK = [
  "--map-root-user",
  "--mount",
  "sh",
  "-c",
  'mount -t tmpfs -o size=2m tmpfs "$DATA" && exec "$@"',
  "sh",
];
const mayMount = granted("run") && spawnSync("unshare", ["--map-root-user", "--mount", "true"]).status === 0;
if (!mayMount) assertMaySkip("The right to make namespaces with `unshare`");

(mayMount ? suite : describe.skip)("examples/service, on a full disk,", () => {
  it("the service, on a full disk, responds with 503 and says why in the log, keeps nothing of an upload, and still serves what it has", async () => {
    await using directory = await makeTempDirectory();
    await using served = await startServer("unshare", [
      ...ON_SMALL_DISK,
      Deno.execPath(),
      "serve",
      "--host=127.0.0.1",
      "--port=0",
      ...FLAGS,
      "--allow-env=DATA,ORIGIN,PROXIES,DATABASE_URL",
      `--allow-read=${directory.path}`,
      `--allow-write=${directory.path}`,
      "examples/service/main.ts",
    ], { DATA: directory.path, DATABASE_URL: "", PROXIES: "1" });
    const browser = await signUpAt(served);
    let uploads = 0;
    const upload = async (bytes: number) => {
      const body = pictureForm("Dot", new Blob([PNG, new Uint8Array(bytes)]));
      const headers = { "x-forwarded-for": `198.51.100.${++uploads}` };
      const response = await browser.fetch("/api/pictures", { method: "POST", body, headers });
      return { status: response.status, read: await response.json() };
    };
    const { status, read: { id } } = await upload(0);
    assertEquals(status, 201);
    assertEquals(await upload(3 * 1024 * 1024), { status: 503, read: { error: "The disk is full" } });
    assertEquals((await upload(1024 * 1024)).status, 201); // the failed upload has left no part of it
    for (let bytes = 512 * 1024; bytes >= 4096; bytes /= 2) {
      while ((await upload(bytes)).status === 201);
    }
    assertEquals(await new Browser(served.origin).signUp("bob"), 503);
    assertMatch(served.printed(), /"error":"Error: ENOSPC/);
    assertMatch(served.printed(), /"error":"Error: database or disk is full/);
    assertEquals(await (await browser.fetch(`/api/pictures/${id}/file`)).bytes(), PNG);
  });
});

suite("examples/service, when it is asked to end,", () => {
  it("the service, when it is asked to end, responds with 503 to an upload that is still arriving, exits with 0, and has all that was kept at its next start", async () => {
    await using directory = await makeTempDirectory();
    const first = await start(directory.path);
    const browser = await signUpAt(first);
    await addPicture(createPicturesClient(first.origin, browser.fetch), "A dot", png());

    const { hostname, port } = new URL(first.origin);
    using upload = await Deno.connect({ hostname, port: Number(port) });
    const head = [
      "POST /api/pictures HTTP/1.1",
      "host: h",
      `origin: ${ORIGIN}`,
      `cookie: ${browser.cookie}`,
      "content-type: multipart/form-data; boundary=edge",
      "content-length: 1000",
      "expect: 100-continue",
    ];
    const file = 'content-disposition: form-data; name="file"; filename="a"';
    const write = (text: string) => upload.write(new TextEncoder().encode(text));
    const bytes = new Uint8Array(1024);
    const read = async () => new TextDecoder().decode(bytes.subarray(0, await upload.read(bytes) ?? 0));
    await write(`${head.join("\r\n")}\r\n\r\n`);
    assertEquals(await read(), "HTTP/1.1 100 Continue\r\n\r\n"); // so the service waits for the form
    await write(`--edge\r\n${file}\r\n\r\nx`);
    const stopping = first.stop();
    const answer = await read();
    assertMatch(answer, /^HTTP\/1\.1 503 [^]*\r\nretry-after: 5\r\n/);
    upload.close();
    await stopping;
    assertEquals(await first.exitCode, 0);

    await using second = await start(directory.path);
    const again = createPicturesClient(second.origin, browser.fetch);
    assertEquals(await Array.fromAsync(listTitles(again)), ["A dot"]);
  });
});

suite("examples/service, with tracing,", () => {
  it("the service, with tracing, names the spans of requests by their routes", async () => {
    await using collector = startCollector();
    await using directory = await makeTempDirectory();
    const served = await start(directory.path, collector.env);
    for (const path of ["/ready", "/api/pictures/1/file"]) await (await fetch(served.origin + path)).body?.cancel();
    await served.stop();
    assertEquals(await served.exitCode, 0);
    assertEquals(collector.spans.map(({ name }) => name).toSorted(), ["GET /api/pictures/:id/file", "GET /ready"]);
  });
});

suite("the app of examples/service", () => {
  let directory = "";
  let store: Store;
  let createService: typeof createApp;
  before(async () => {
    // Only now: a library that it loads reads the environment at once, and without permission these tests are skipped.
    ({ createApp: createService } = await import("../../examples/service/app.ts"));
    directory = await Deno.makeTempDir();
    store = openStore(":memory:");
    await store.addAccount({ email: "ada@example.com", name: "Ada", passwordHash: "" });
  });
  after(() => Deno.remove(directory, { recursive: true }));

  const INFO: Deno.ServeHandlerInfo = {
    remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 1 },
    completed: Promise.resolve(),
  };
  const create = (changed: Partial<Dependencies> = {}, info = INFO): App => {
    const stopping = new AbortController().signal;
    // Each app has limits of its own.
    const own = { ...store, limits: rateLimitStore({ most: 1000 }) };
    const whole = { store: own, directory, origins: [ORIGIN], proxies: 0, stopping, log() {}, ...changed };
    const app = createService(whole);
    return { fetch: (request) => app.fetch(request, info), routes: [] };
  };
  /** Signs somebody in, and returns the cookie. */
  const signIn = async (email: string) => {
    const refuse = () => new Response();
    const sessions = createSessions({ store: store.sessions, idle: 60, absolute: 60, perUser: 10, refuse });
    return (await sessions.begin(new Request(ORIGIN), email))["set-cookie"].split(";", 1)[0] ?? "";
  };
  const readDocument = async () => (await create().fetch(new Request("http://localhost/openapi.json"))).json();
  const statusOf = async (app: App, path: string, init?: RequestInit) => {
    return (await app.fetch(new Request(`http://localhost${path}`, init))).status;
  };

  it("the app of the service is ready while its store responds, until it is asked to end", async () => {
    const ready = await create().fetch(new Request("http://localhost/ready"));
    assertEquals([ready.status, await ready.text()], [200, "Ready"]);
    assertEquals(ready.headers.get("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
    assertEquals(await statusOf(create({ stopping: AbortSignal.abort() }), "/ready"), 503);
    const broken: Store = {
      ...store,
      ping: () => {
        throw new Error("The disk is full");
      },
    };
    const lines: object[] = [];
    assertEquals(await statusOf(create({ store: broken, log: (line) => lines.push(line) }), "/ready"), 503);
    assertMatch(JSON.stringify(lines[0]), /The disk is full/);
  });

  /** Stops the clock of the limits: on a slow machine, an attempt would come back before the test has made the next one. */
  const stopClock = (): Disposable => {
    const { now } = performance;
    const stopped = performance.now();
    performance.now = () => stopped;
    return { [Symbol.dispose]: () => void (performance.now = now) };
  };

  it("the app of the service denies a stranger before the body is read, and an address after 20 attempts", async () => {
    using _clock = stopClock();
    const app = create();
    const send = async (path: string, headers: Record<string, string>) => {
      let pulled = 0;
      const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
      const init: RequestInit & { duplex: "half" } = { method: "POST", body, headers, duplex: "half" };
      const response = await app.fetch(new Request(`http://localhost${path}`, init));
      return [response.status, response.headers.get("retry-after"), pulled];
    };
    const form = { "content-type": "application/x-www-form-urlencoded" };
    assertEquals(await send("/sign-in", { ...form, origin: "https://evil.example" }), [403, null, 0]);
    assertEquals(await send("/api/pictures", { origin: ORIGIN }), [401, null, 0]);
    const attempt = { method: "POST", headers: { origin: ORIGIN } };
    for (let count = 0; count < 20; count++) assertEquals(await statusOf(app, "/sign-in", attempt), 415);
    assertEquals(await send("/sign-in", { ...form, origin: ORIGIN }), [429, "3", 0]);
    assertEquals(await statusOf(app, "/api/me"), 401);
  });

  it("the app of the service gives a form a minute to arrive, and then stops to receive it", async () => {
    const { timeout } = AbortSignal;
    const minute = new AbortController();
    const asked: number[] = [];
    AbortSignal.timeout = (milliseconds) => {
      asked.push(milliseconds);
      return minute.signal;
    };
    try {
      const cancelled = Promise.withResolvers<void>();
      const body = new ReadableStream({
        pull: () => minute.abort(),
        cancel: () => cancelled.resolve(),
      }, { highWaterMark: 0 });
      const headers = { origin: ORIGIN, "content-type": "application/x-www-form-urlencoded" };
      const init: RequestInit & { duplex: "half" } = { method: "POST", body, headers, duplex: "half" };
      const response = await create().fetch(new Request("http://localhost/sign-in", init));
      assertEquals([response.status, await response.json()], [408, { error: "The body comes too slowly" }]);
      await cancelled.promise;
      assertEquals(asked, [60_000]);
    } finally {
      AbortSignal.timeout = timeout;
    }
  });

  it("the app of the service has places for 10 uploads of one address at once, and gives them back", async () => {
    using _clock = stopClock();
    const app = create();
    const headers = { origin: ORIGIN, cookie: await signIn("ada@example.com") };
    const whole = new Response(pictureForm("Text", new Blob(["no picture"])));
    const bytes = await whole.clone().bytes();
    const sent = { ...headers, "content-type": whole.headers.get("content-type") ?? "" };
    const rest = Promise.withResolvers<void>();
    let arriving = 0;
    const uploads = Array.from({ length: 10 }, () => {
      const pull = async (controller: ReadableStreamDefaultController) => {
        arriving++;
        await rest.promise;
        controller.enqueue(bytes);
        controller.close();
      };
      const body = new ReadableStream({ pull }, { highWaterMark: 0 });
      const init: RequestInit & { duplex: "half" } = { method: "POST", headers: sent, body, duplex: "half" };
      return statusOf(app, "/api/pictures", init);
    });
    const another = () => statusOf(app, "/api/pictures", { method: "POST", headers: sent, body: bytes });
    await until(() => arriving === 10, () => "The uploads have not begun");
    assertEquals(await another(), 503);
    rest.resolve();
    assertEquals(new Set(await Promise.all(uploads)), new Set([415]));
    assertEquals(await another(), 415);
  });

  it("the app of the service lists pictures page by page, newest first", async () => {
    const titles = Array.from({ length: 45 }, (_, index) => `Picture ${index}`);
    for (const title of titles) {
      await store.addPicture("ada@example.com", { id: crypto.randomUUID(), title, type: "image/png" });
    }
    const app = create();
    const headers = { cookie: await signIn("ada@example.com") };
    const client = createPicturesClient("http://localhost", async (request) => {
      return await app.fetch(new Request(request, { headers }));
    });
    assertEquals(await Array.fromAsync(listTitles(client)), titles.toReversed());
    const pages: string[][] = [];
    let before: number | null = 999_999;
    while (before !== null) {
      const { status, body }: Awaited<ReturnType<typeof client.listPictures>> = await client.listPictures({
        query: { before },
      });
      assert(status === 200);
      pages.push(body.data.map(({ title }) => title));
      before = body.next;
    }
    assertEquals(pages.map(({ length }) => length), [20, 20, 5]);
    assertEquals(pages.flat(), titles.toReversed());
    for (const query of ["limit=0", "limit=101", "before=-1", "before="]) {
      const response = await app.fetch(new Request(`http://localhost/api/pictures?${query}`, { headers }));
      assertEquals([query, response.status], [query, 400]);
    }
  });

  it("the app of the service responds with 400 to text with NUL, which the database would cut off", async () => {
    const app = create();
    const body = new URLSearchParams({ name: "Ada\0Admin", email: "nul@example.com", password: PASSWORD });
    assertEquals(await statusOf(app, "/sign-up", { method: "POST", headers: { origin: ORIGIN }, body }), 400);
    assertEquals(await store.findAccount("nul@example.com"), undefined);
    const headers = { origin: ORIGIN, cookie: await signIn("ada@example.com") };
    assertEquals(await statusOf(app, "/api/pictures", { method: "POST", headers, body: pictureForm("\0") }), 400);
  });

  it("the app of the service keeps no picture of a session that ended while the file arrived", async () => {
    const app = create();
    await store.addAccount({ email: "eve@example.com", name: "Eve", passwordHash: "" });
    const cookie = await signIn("eve@example.com");
    const files = async () => (await Array.fromAsync(Deno.readDir(directory))).map(({ name }) => name).toSorted();
    const kept = await files();
    const { body: whole, headers } = new Response(pictureForm());
    const [head, ...rest] = [...new Uint8Array(await new Response(whole).arrayBuffer())];
    let pulls = 0;
    const body = new ReadableStream({
      async pull(controller) {
        if (pulls++ === 0) return controller.enqueue(Uint8Array.of(head ?? 0));
        await store.sessions.endOthers("eve@example.com", undefined);
        controller.enqueue(Uint8Array.from(rest));
        controller.close();
      },
    });
    const sent = { cookie, origin: ORIGIN, "content-type": headers.get("content-type") ?? "" };
    assertEquals(await statusOf(app, "/api/pictures", { method: "POST", headers: sent, body }), 401);
    assertEquals((await store.listPictures("eve@example.com", 10)).data, []);
    assertEquals(await files(), kept);
  });

  it("the app of the service keeps 100 pictures of an account, and takes more once some are deleted", async () => {
    const app = create();
    await store.addAccount({ email: "bob@example.com", name: "Bob", passwordHash: "" });
    const ids = Array.from({ length: 99 }, () => crypto.randomUUID());
    for (const id of ids) await store.addPicture("bob@example.com", { id, title: "Dot", type: "image/png" });
    const headers = { cookie: await signIn("bob@example.com"), origin: ORIGIN };
    const upload = () => statusOf(app, "/api/pictures", { method: "POST", body: pictureForm(), headers });
    const files = async () => (await Array.fromAsync(Deno.readDir(directory))).length;
    assertEquals((await Promise.all([upload(), upload(), upload()])).toSorted(), [201, 409, 409]);
    assertEquals([await upload(), await files()], [409, 1]);
    assertEquals(await statusOf(app, `/api/pictures/${ids[0]}`, { method: "DELETE", headers }), 204);
    assertEquals([await upload(), await files()], [201, 2]);
  });

  it("the app of the service adds a picture once that is uploaded again with its Idempotency-Key", async () => {
    await store.addAccount({ email: "may@example.com", name: "May", passwordHash: "" });
    const files = async () => (await Array.fromAsync(Deno.readDir(directory))).map(({ name }) => name);
    const before = await files();
    const titles = async () => (await store.listPictures("may@example.com", 100)).data.map(({ title }) => title);
    const cookie = await signIn("may@example.com");
    const uploadTo = (app: App) => async (key: string, title: string, file: Blob = png()) => {
      const body = pictureForm(title, file);
      const headers = { cookie, origin: ORIGIN, "idempotency-key": key };
      const response = await app.fetch(new Request("http://localhost/api/pictures", { method: "POST", body, headers }));
      const read = await response.json();
      assertEquals(response.headers.get("retry-after"), response.status === 409 ? "1" : null);
      return [response.status, read.id ?? read.error];
    };
    const upload = uploadTo(create());
    const [status, id] = await upload("a", "One");
    assertEquals([status, await upload("a", "One")], [201, [201, id]]);
    const file = new Request(`http://localhost/api/pictures/${id}/file`, { method: "HEAD", headers: { cookie } });
    const head = await create().fetch(file);
    assertEquals([head.status, head.body, head.headers.get("content-length")], [200, null, `${PNG.length}`]);
    assertEquals(await upload("a", "Two"), [422, "The Idempotency-Key belongs to another request"]);
    assertEquals((await upload("a b", "Two"))[0], 400);
    assertEquals((await upload("b", "Text", new Blob(["no picture"])))[0], 415);
    assertEquals((await upload("b", "Two"))[0], 201);
    assertEquals([await titles(), (await files()).length], [["Two", "One"], before.length + 2]);

    const fail = () => Promise.reject(new Error("The database is gone"));
    const failing = uploadTo(create({ store: { ...store, addPictureOnce: fail } }));
    assertEquals(await failing("c", "Three"), [500, "Internal server error"]);
    assertEquals((await files()).length, before.length + 2);
    const addPictureOnce: Store["addPictureOnce"] = async (...args) => {
      await store.addPictureOnce(...args);
      return await fail();
    };
    const unanswered = uploadTo(create({ store: { ...store, addPictureOnce } }));
    assertEquals(await unanswered("c", "Three"), [500, "Internal server error"]);
    const [again, added] = await upload("c", "Three");
    assertEquals([again, await titles()], [201, ["Three", "Two", "One"]]);
    assert((await files()).includes(String(added)));

    const gate = Promise.withResolvers<never>();
    const waiting = uploadTo(create({ store: { ...store, addPictureOnce: () => gate.promise } }));
    const first = waiting("d", "Four");
    await until(async () => (await files()).length === before.length + 4);
    assertEquals(await upload("d", "Four"), [409, "Still running"]);
    gate.reject(new Error("The database is gone"));
    assertEquals(await first, [500, "Internal server error"]);
  });

  it("the app of the service responds to a typed client as its endpoints declare", async () => {
    const completed = Promise.withResolvers<void>();
    const held = holdToEndpoints(api, create({}, { ...INFO, completed: completed.promise }));
    assertEquals(await callPictures({ fetch: held.fetch }), TOLD_OF_PICTURES);
    assertEquals(await held.unprotected(), []);
    completed.resolve();
  });

  it("the app of the service responds as its document says", async () => {
    const { paths } = await readDocument();
    assertEquals(Object.keys(paths).toSorted(), [
      "/api/me",
      "/api/pictures",
      "/api/pictures/export",
      "/api/pictures/{id}",
      "/api/pictures/{id}/file",
      "/sign-in",
      "/sign-out",
      "/sign-up",
    ]);
    // Only now: its parser reads the environment when it is imported.
    const { assertOpenApi } = await import("../support/assert_openapi.ts");
    await assertOpenApi(await readDocument());
  });
});
