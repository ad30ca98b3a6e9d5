/** The recipes that do not need Deno, on Bun and Node.js. */
import { assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { get } from "node:http";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { BUN, bundle, findProgram, run } from "./programs.ts";
import { ROOT, type ServerProcess, startServer } from "../../support/server_process.ts";
import { until } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";
import { serve } from "../../examples/serve.ts";
import { assertOneCookieOnly } from "./foreign_cookies.ts";

/** A recipe, and what a client sees of it on every runtime. */
interface Portable {
  /** The file in examples/recipes/. */
  readonly file: string;
  /** The options of its `createApp`; by default, its default export is served. */
  readonly options?: object;
  /** The environment variables that it reads. */
  readonly env?: Readonly<Record<string, string>>;
  /** The package of the Node.js that it needs; by default, the one of the machine. */
  readonly node?: string;
  /** Asks it. */
  readonly ask: (server: ServerProcess) => Promise<void>;
}

/** The issuer that jwt.ts trusts. */
const issuer: { origin: string; keys: readonly JWK[] } = { origin: "", keys: [] };

const upstream = { arrived: 0, aborted: 0, origin: "" };

const PORTABLE: readonly Portable[] = [
  {
    file: "timeouts.ts",
    get options() {
      return { upstream: upstream.origin, bound: 2000 };
    },
    ask: async ({ origin, printed }) => {
      const late = await fetch(`${origin}/size`);
      assertEquals([late.status, await late.text()], [503, "Took too long"]);
      await until(() => printed().includes(`${late.headers.get("x-request-id")} GET /size 503`), printed);
      await until(() => upstream.aborted === upstream.arrived);

      // Again where the machine is so slow that the bound comes first.
      await until(async () => {
        const client = new AbortController();
        const before = upstream.arrived;
        let ended = false;
        const response = fetch(`${origin}/size`, { signal: client.signal }).catch(() => {}).finally(() => ended = true);
        await until(() => upstream.arrived > before || ended);
        client.abort();
        await response;
        return printed().includes("GET /size 499");
      }, printed);
      await until(() => upstream.aborted === upstream.arrived);
    },
  },
  {
    file: "ndjson.ts",
    ask: async ({ origin }) => {
      const post = async (body: string) => {
        const headers = { "content-type": "application/x-ndjson" };
        const response = await fetch(`${origin}/books`, { method: "POST", body, headers });
        return [response.status, (await response.json()).created];
      };
      assertEquals(await post('{"title":"Emma"}\n{"title":"Ulysses"}\n'), [201, 2]);
      assertEquals(await post("{"), [400, undefined]);
      assertEquals(await post(`{"title":"${"x".repeat(64 * 1024)}"}`), [400, undefined]);
    },
  },
  {
    file: "compression.ts",
    ask: async ({ origin }) => {
      const numbers = async (accepted: string) => {
        const response = await fetch(`${origin}/numbers`, { headers: { "accept-encoding": accepted } });
        return [response.headers.get("etag"), response.headers.get("vary"), (await response.json()).length];
      };
      assertEquals(await numbers("gzip"), ['W/"1000"', "accept-encoding", 1000]);
      assertEquals(await numbers("identity"), ['"1000"', "accept-encoding", 1000]);
    },
  },
  {
    file: "../problem_details.ts",
    ask: async ({ origin, printed }) => {
      const response = await fetch(`${origin}/books`, {
        method: "PUT",
        headers: { origin: "https://app.example.com" },
      });
      const { headers } = response;
      assertEquals(await response.json(), { type: "about:blank", title: "Method Not Allowed", status: 405 });
      assertEquals([headers.get("allow"), headers.get("vary")], ["GET, HEAD, OPTIONS, POST", "Origin"]);
      assertEquals(headers.get("access-control-allow-origin"), "https://app.example.com");
      const entry = { requestId: headers.get("x-request-id"), method: "PUT", route: null, status: 405 };
      await until(() => printed().includes(JSON.stringify(entry).slice(0, -1)), printed);
      for (const method of ["GET", "HEAD"]) {
        const books = await fetch(`${origin}/books`, { method });
        await books.body?.cancel();
        assertMatch(`${books.status} ${books.headers.get("ratelimit")}`, /^200 "address";r=59\d;t=1$/);
      }
      const body = JSON.stringify({ title: "x".repeat(64 * 1024) });
      const large = await fetch(`${origin}/books`, { method: "POST", body, headers: { authorization: "Bearer ada" } });
      assertEquals([large.status, (await large.json()).title], [413, "Content Too Large"]);
    },
  },
  { file: "mounting.ts", ask: askShop },
  {
    file: "csrf.ts",
    ask: async ({ origin }) => {
      const post = async (headers: Record<string, string>) => {
        const body = '{"to":"grace","amount":5}';
        const response = await fetch(`${origin}/transfers`, { method: "POST", body, headers });
        return [response.status, await response.json()];
      };
      const own = { origin: "http://localhost:8000", "content-type": "application/json" };
      assertEquals(await post(own), [201, { to: "grace", amount: 5 }]);
      assertEquals((await post({ ...own, origin: "https://evil.example" }))[0], 403);
      assertEquals((await post({ "content-type": "text/plain", origin: "null" }))[0], 403);
    },
  },
  {
    file: "sessions.ts",
    ask: async ({ origin }) => {
      const post = async (path: string, headers: Record<string, string>) => {
        const body = new URLSearchParams({ email: "ada@example.com", password: "correct horse" });
        const response = await fetch(origin + path, { method: "POST", body, headers, redirect: "manual" });
        await response.body?.cancel();
        return [response.status, response.headers.get("set-cookie")?.split(";")[0] ?? ""] as const;
      };
      const own = { origin: "http://localhost:8000" };
      const [status, cookie] = await post("/sign-in", own);
      assertEquals(status, 303);
      const me = async () => {
        const response = await fetch(`${origin}/me`, { headers: { cookie }, redirect: "manual" });
        return [response.status, await response.text()];
      };
      assertEquals(await me(), [200, '{"email":"ada@example.com","name":"Ada"}']);
      await assertOneCookieOnly(origin, "/me", cookie);
      const put = async (headers: Record<string, string>) => {
        const response = await fetch(`${origin}/api/me`, { method: "PUT", body: '{"name":"Ada"}', headers });
        await response.body?.cancel();
        return response.status;
      };
      assertEquals([await put({ cookie, ...own }), await put({ cookie })], [200, 403]);
      assertEquals(await put({ authorization: "Bearer battery-staple" }), 200);
      assertEquals(await put({ authorization: "Basic YWRhOng=", cookie, ...own }), 401);
      assertEquals((await post("/sign-out", { ...own, cookie }))[1], "__Host-session=");
      assertEquals(await me(), [303, ""]);
    },
  },
  {
    file: "jwt.ts",
    get env() {
      return { ISSUER: issuer.origin, AUDIENCE: "https://api.example.com", JWKS: `${issuer.origin}/jwks` };
    },
    ask: async ({ origin }) => {
      const { privateKey, publicKey } = await generateKeyPair("ES256");
      issuer.keys = [{ ...await exportJWK(publicKey), kid: "1", alg: "ES256" }];
      const ask = async (method: string, audience: string) => {
        const token = await new SignJWT({ sub: "ada" }).setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "1" })
          .setIssuer(issuer.origin).setAudience(audience).setExpirationTime("1m").sign(privateKey);
        const response = await fetch(`${origin}/books`, { method, headers: { authorization: `Bearer ${token}` } });
        return [response.status, await response.text()];
      };
      assertEquals(await ask("GET", "https://api.example.com"), [200, '{"readBy":"ada"}']);
      assertEquals(await ask("POST", "https://api.example.com"), [403, ""]);
      assertEquals(await ask("GET", "https://other.example.com"), [401, ""]);
    },
  },
  {
    file: "forms.ts",
    ask: async ({ origin }) => {
      const post = async (path: string, body: URLSearchParams | FormData) => {
        const response = await fetch(origin + path, { method: "POST", body });
        return [response.status, await response.json()];
      };
      const subscription = { email: "ada@example.com", topic: "books" };
      assertEquals((await post("/subscriptions", new URLSearchParams(subscription)))[0], 201);
      const long = { ...subscription, pad: "x".repeat(16 * 1024) };
      assertEquals((await post("/subscriptions", new URLSearchParams(long)))[0], 413);

      const upload = (size: number) => {
        const form = new FormData();
        form.set("title", "Cat");
        form.set("picture", new Blob(["x".repeat(size)]));
        return post("/pictures", form);
      };
      const [status, { id, size }] = await upload(1_000_000);
      const path = new URL(`.uploads/${id}`, ROOT);
      assertEquals([status, size, (await Deno.stat(path)).size], [201, 1_000_000, 1_000_000]);
      await Deno.remove(path);
      assertEquals((await upload(5 * 1024 * 1024))[0], 413);
    },
  },
  {
    file: "csv_import.ts",
    ask: async ({ origin }) => {
      const importRows = async (rows: string) => {
        const body = new FormData();
        body.set("contacts", new File([`email,name\n${rows}`], "contacts.csv", { type: "text/csv" }));
        const response = await fetch(`${origin}/contacts`, { method: "POST", body });
        return [response.status, await response.json()];
      };
      assertEquals(await importRows("ada@example.com,Ada\n".repeat(5_000)), [201, { imported: 5_000 }]);
      assertEquals(await importRows("ada,Ada\n"), [400, { error: "Line 2: email: Invalid email address" }]);
    },
  },
  {
    file: "validation_errors.ts",
    ask: async ({ origin }) => {
      const headers = { "accept-language": "de" };
      const response = await fetch(`${origin}/books`, { method: "POST", body: '{"title":"","year":1815}', headers });
      assertEquals([response.status, response.headers.get("content-language")], [422, "de"]);
      const detail = "Geben Sie einen Titel mit 1 bis 200 Zeichen ein";
      assertEquals((await response.json()).errors, [{ pointer: "#/title", detail }]);
    },
  },
  {
    file: "rate_limit.ts",
    ask: async ({ origin }) => {
      const ask = (localAddress: string, headers: Record<string, string> = {}) =>
        new Promise<unknown>((resolve, reject) => {
          get(`${origin}/search`, { localAddress, headers }, (response) => {
            response.resume();
            resolve([response.statusCode, response.headers["ratelimit"]?.slice(0, 13)]);
          }).on("error", reject);
        });
      for (let left = 9; left >= 0; left--) assertEquals(await ask("127.0.0.1"), [200, `"address";r=${left}`]);
      assertEquals(await ask("127.0.0.1", { "x-forwarded-for": "192.0.2.1" }), [429, '"address";r=0']);
      assertEquals(await ask("127.0.0.2"), [200, '"address";r=9']);
    },
  },
  {
    file: "webhook.ts",
    // Node.js 20 has no `node:sqlite`.
    node: "node@24",
    ask: async ({ origin, printed }) => {
      const post = async (path: string, body: object) => {
        const response = await fetch(origin + path, { method: "POST", body: JSON.stringify(body) });
        return [response.status, Object.keys(await response.json())];
      };
      assertEquals(await post("/receivers", { url: "http://example.com/" }), [400, ["error"]]);
      // A name that does not exist, and addresses that are not public: the deliveries fail, and the server goes on.
      for (const host of ["webhooks.invalid", "127.0.0.1", "[::1]", "localhost"]) {
        assertEquals(await post("/receivers", { url: `https://${host}/` }), [201, ["secret"]]);
      }
      assertEquals(await post("/orders", { book: "Emma" }), [201, ["id"]]);
      await until(() => (printed().match(/no response, attempt 1/g) ?? []).length === 4);
      assertEquals(printed().includes("UnhandledRejection"), false);
    },
  },
  {
    file: "idempotency.ts",
    ask: async ({ origin }) => {
      const post = async (key: string, user: string) => {
        const headers = { authorization: `Bearer ${user}`, ...key !== "" && { "idempotency-key": key } };
        const response = await fetch(`${origin}/payments`, { method: "POST", body: '{"amount":5}', headers });
        const { id = "" } = await response.json();
        return `${response.status} ${id}`;
      };
      const answers = await Promise.all(Array.from({ length: 20 }, () => post("a", "ada")));
      const first = await post("a", "ada");
      assertEquals(answers.filter((answer) => answer !== first && answer !== "409 "), []);
      assertMatch(await post("a", "bob"), /^201 (?!undefined)/);
      assertEquals([await post("a", "bob") === first, await post("", "ada")], [false, "400 "]);
    },
  },
  {
    file: "content_negotiation.ts",
    ask: async ({ origin }) => {
      const ask = async (accept: string) => {
        const response = await fetch(`${origin}/books`, { headers: { accept } });
        return [response.headers.get("content-type")?.split(";")[0], (await response.text()).trimStart().slice(0, 9)];
      };
      assertEquals(await ask("application/json"), ["application/json", '{"data":[']);
      assertEquals(await ask("text/html, */*;q=0.8"), ["text/html", "<!doctype"]);
    },
  },
  {
    file: "extracted_handlers.ts",
    ask: async ({ origin }) => {
      const init = { method: "POST", headers: { authorization: "Bearer ada" }, body: '{"days":14}' };
      const response = await fetch(`${origin}/books/emma/loans`, init);
      assertEquals(await response.json(), { book: "Emma", reader: "Ada", days: 14, notified: false });
    },
  },
  {
    file: "modules/app.ts",
    ask: async ({ origin }) => {
      const headers = { authorization: "Bearer bob" };
      const head = await fetch(`${origin}/books`, { method: "HEAD" });
      assertEquals([head.status, Number(head.headers.get("content-length")) > 0, await head.text()], [200, true, ""]);
      const lent = await fetch(`${origin}/books/1/loan`, { method: "PUT", headers });
      assertEquals(await lent.json(), { id: "1", title: "Middlemarch", lentTo: "Bob" });
      const created = await fetch(`${origin}/books`, { method: "POST", body: '{"title":"Emma"}', headers });
      assertEquals([created.status, await created.json()], [403, { error: "Forbidden" }]);
    },
  },
];

/** The app of mounting.ts under `/shop`. */
async function askShop({ origin }: ServerProcess): Promise<void> {
  const answers = await Promise.all([
    fetch(`${origin}/shop`),
    fetch(`${origin}/shop/orders/7`, { method: "POST", body: "x".repeat(100_000) }),
    fetch(`${origin}/shop/nothing`),
  ]);
  assertEquals(await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()])), [
    [200, "The shop"],
    [200, `Order 7: ${"x".repeat(100_000)}`],
    [404, ""],
  ]);
}

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("on runtimes other than Deno", () => {
  let directory = "";
  let server: Deno.HttpServer<Deno.NetAddr>;
  let keys: Deno.HttpServer<Deno.NetAddr>;
  let launcher = "";
  let bun = "";
  before(async () => {
    directory = await Deno.makeTempDir();
    bun = await findProgram(BUN, "bun");
    launcher = await bundle("tests/slow/runtimes/serve_recipe.ts", directory);
    server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ signal }) => {
      upstream.arrived++;
      return new Promise<Response>((resolve) => {
        signal.addEventListener("abort", () => {
          upstream.aborted++;
          resolve(new Response());
        });
      });
    });
    upstream.origin = `http://127.0.0.1:${server.addr.port}`;
    keys = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => Response.json({ keys: issuer.keys }));
    issuer.origin = `http://127.0.0.1:${keys.addr.port}`;
  });
  after(async () => {
    await Promise.all([server.shutdown(), keys.shutdown()]);
    await Deno.remove(directory, { recursive: true });
  });

  const use = async (program: string, args: readonly string[], { ask, env }: Omit<Portable, "file">) => {
    const served = await startServer(program, args, { ...env, PORT: "0" });
    try {
      await ask(served);
    } finally {
      await served.stop("SIGKILL");
    }
  };

  for (const recipe of PORTABLE) {
    it(`${recipe.file} runs on Bun and Node.js`, async () => {
      const module = await bundle(`examples/recipes/${recipe.file}`, directory);
      const { options } = recipe;
      const args = [launcher, module, ...options === undefined ? [] : [JSON.stringify(options)]];
      await use(recipe.node === undefined ? "node" : await findProgram(recipe.node, "node"), args, recipe);
      await use(bun, ["run", ...args], recipe);
    });
  }

  it("on runtimes other than Deno client.ts runs on Bun and Node.js", async () => {
    const module = await bundle("examples/recipes/client.ts", directory);
    await using served = await serve("examples/recipes/client/app.ts");
    const program = `
      const { addBook, createBooksClient, findTitle } = await import(${JSON.stringify(module)});
      const client = createBooksClient(${JSON.stringify(served.origin)});
      console.log(await findTitle(client, await addBook(client, "The Trial")), await findTitle(client, "none"));
    `;
    assertEquals(await run("node", ["--input-type=module", "--eval", program]), "The Trial undefined\n");
    assertEquals(await run(bun, ["--eval", program]), "The Trial undefined\n");
  });

  it("on runtimes other than Deno mounting_express.ts runs on Node.js", async () => {
    const ask = async (served: ServerProcess) => {
      await askShop(served);
      assertEquals(await (await fetch(served.origin)).text(), "Express");
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":1}' };
      assertEquals(await (await fetch(`${served.origin}/legacy`, init)).json(), { a: 1 });

      const broken = await fetch(`${served.origin}/shop/broken`);
      assertEquals([broken.status, await broken.text()], [500, ""]);
      await until(() => served.printed().includes("The disk is full"), served.printed);

      const { hostname, port } = new URL(served.origin);
      using connection = await Deno.connect({ hostname, port: Number(port) });
      await connection.write(new TextEncoder().encode("GET /shop HTTP/1.1\r\nHost: a/b\r\n\r\n"));
      const bytes = new Uint8Array(1024);
      const answer = new TextDecoder().decode(bytes.subarray(0, await connection.read(bytes) ?? 0));
      assertMatch(answer, /^HTTP\/1\.1 400 /);
    };
    await use("node", [await bundle("examples/recipes/mounting_express.ts", directory)], { ask });
  });
});
