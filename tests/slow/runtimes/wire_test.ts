/**
 * Sends raw bytes to running servers, on every runtime with a server. The application sees what the client sent, as the runtime's
 * server passes it on. If runtimes differ, each safe response is accepted.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { BUN, bundle, findProgram } from "./programs.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { pause, until } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";

/** A runtime with a server of its own. */
interface Runtime {
  readonly name: string;
  start(): Promise<ServerProcess>;
}

const RUNTIMES: readonly Runtime[] = [
  {
    name: "Deno",
    start: () => startServer(Deno.execPath(), ["run", "--allow-net", "tests/slow/runtimes/wire/deno.ts"]),
  },
  {
    name: "Deno with __proto__",
    start: () =>
      startServer(Deno.execPath(), [
        "run",
        "--allow-net",
        "--unstable-unsafe-proto",
        "tests/slow/runtimes/wire/deno.ts",
      ]),
  },
  {
    name: "Bun",
    start: async () => startServer(await findProgram(BUN, "bun"), ["run", "tests/slow/runtimes/wire/bun.ts"]),
  },
  {
    name: "Node.js",
    async start() {
      const directory = await Deno.makeTempDir();
      const program = await bundle("tests/slow/runtimes/wire/node.ts", directory);
      const server = await startServer("node", [program]);
      await Deno.remove(directory, { recursive: true });
      return server;
    },
  },
];

for (const { name, start } of RUNTIMES) {
  (granted("net", "read", "run", "write") ? describe : describe.skip)(`over a raw socket, on ${name}`, () => {
    let server: ServerProcess;
    before(async () => {
      server = await start();
    });
    after(() => server.stop());

    const connect = () => Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(server.origin).port) });
    /** Sends bytes. Returns status and body of the response. */
    const exchange = async (bytes: string): Promise<readonly [number, string]> => {
      using connection = await connect();
      await connection.write(latin1(bytes));
      return readAnswer(new Uint8Array(await new Response(connection.readable).arrayBuffer()));
    };
    const get = (target: string, host = "h", headers = "") =>
      exchange(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`);
    const getJson = async (target: string) => JSON.parse((await get(target))[1]);
    const post = (target: string, headers: string, body: string) =>
      exchange(`POST ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${headers}\r\n\r\n${body}`);

    describe("path confusion", () => {
      it("a Host header cannot shift the path: an invalid host reaches no route", async () => {
        // As in advisories of frameworks that match a url built from the header: `Host: h/admin?` with `GET /public`.
        assertEquals(await get("/public"), [200, "public"]);
        const hosts = ["h/admin?", "h/admin#", "h/public", "h?", "h#", "h/", "u:p@h", "h\\admin", "a b", "h\tx"];
        for (const host of hosts) assertRefused(await get("/public", host, "authorization: x\r\n"), host);
      });

      it("a Host header that no URL can contain is not an error", async () => {
        assertEquals(await get("/public"), [200, "public"]);
        for (const host of ["[::1", "h:99999", "h:port", "%", "h%2Fx"]) assertRefused(await get("/public", host), host);
      });

      it("an empty Host header, or none in HTTP/1.0, does not shift the path", async () => {
        for (
          const request of [
            "GET /public HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n",
            "GET /public HTTP/1.0\r\n\r\n",
          ]
        ) {
          const answer = await exchange(request);
          if (answer[0] !== 200) assertRefused(answer);
          else assertEquals(answer[1], "public");
        }
        assertNotAdmin(await get("//admin", ""));
        assertNotAdmin(await get("/x//admin", ""));
      });

      it("a target in absolute form (RFC 9112, 3.2.2) reaches the same guards", async () => {
        assertEquals(await get("http://evil/admin"), [401, "denied"]);
        assertEquals(await get("http://evil/admin", "h", "authorization: x\r\n"), [200, "admin"]);
        assertEquals(await get("http://evil/public"), [200, "public"]);
        for (
          const target of [
            "HTTP://EVIL:80/x/../admin",
            "http:///admin",
            "http:/admin",
            "http://e\\admin",
            "http://u:p@e/admin",
          ]
        ) {
          assertNotAdmin(await get(target), target);
        }
      });

      it("a raw dot segment reaches no route on Deno; Bun and Node.js resolve it before the app sees the url", async () => {
        const targets = [
          ["/b", 200],
          ["/a/../b", 200],
          ["/a/%2e%2E/b", 200],
          ["/./b", 200],
          ["/public/../admin", 401],
          ["/files/../admin", 401],
          ["/files/%2e%2e/admin", 401],
          ["/%2e/admin", 401],
          ["/x/.%2E/admin", 401],
          // nginx and Caddy read this as /admin, because they merge slashes first.
          ["/x//../admin", 404],
          ["/public//../../admin", 401],
        ] as const;
        for (const [target, resolved] of targets) {
          const reaches = target === "/b" || !name.startsWith("Deno");
          assertEquals((await get(target))[0], reaches ? resolved : 404, target);
        }
      });

      it("a backslash is not a slash: such a path reaches no guarded route", async () => {
        assertEquals(await get("/admin"), [401, "denied"]);
        for (const target of ["/a\\..\\admin", "\\admin", "/\\admin", "/\\/admin", "/public\\..\\admin"]) {
          assertNotAdmin(await get(target), target);
        }
      });

      it("a spelling that no parser reads as the same path is a different path", async () => {
        const targets = [
          "//admin",
          "/admin/",
          "/ADMIN",
          "/%61dmin",
          "/admin;x=1",
          "/admin%2F",
          "/admin%00",
          "/admin%20",
          "/x/../../b/",
        ];
        for (const target of targets) assertRefused(await get(target, "h", "authorization: x\r\n"), target);
        assertRefused(await exchange("OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"));
        assertRefused(await get("/public#fragment"));
        assertEquals(await get("/public?x=/../admin"), [200, "public"]);
      });

      it("a long path is rejected or served", async () => {
        for (const length of [10_000, 60_000, 2_000_000]) {
          const [status] = await get(`/files/${"a/".repeat(length / 2)}`).catch(() => [400]);
          assert([200, 400, 404, 414, 431].includes(status), String(status));
        }
      });
    });

    describe("decoding", () => {
      it("happens once, after matching; malformed escapes stay undecoded", async () => {
        const cases = [
          ["%2F", "/"],
          ["%5C", "\\"],
          ["%00", "\0"],
          ["%252e", "%2e"],
          ["%252F", "%2F"],
          ["%zz", "%zz"],
          ["%", "%"],
          ["%C3%28", "%C3%28"],
          ["%ED%A0%80", "%ED%A0%80"],
          ["a%2F..b%2Fb", "a/..b/b"],
          ["%C3%A9", "é"],
          ["+", "+"],
        ];
        for (const [sent, seen] of cases) {
          assertEquals(await getJson(`/one/${sent}`), seen);
          assertEquals(await getJson(`/files/x/${sent}`), `x/${seen}`);
        }
      });

      it("never turns a query key into a property of every object (prototype pollution)", async () => {
        const query = await getJson("/query?__proto__=1&__proto__[x]=2&constructor=3&a=4&a=5");
        const expected = '{"__proto__":"1","__proto__[x]":"2","constructor":"3","a":["4","5"]}';
        assertEquals(JSON.stringify(query), JSON.stringify(JSON.parse(expected)));
        assertEquals(await getJson("/query?x"), { x: "" });
      });
    });

    describe("headers and cookies", () => {
      const read = async (headers: string) => JSON.parse((await get("/headers", "h", headers))[1]);

      it("arrive as the client sent them; several cookie fields are one", async () => {
        const { headers, cookies } = await read(
          "Cookie: a=1; b=x=y\r\ncookie: c=2; a=3\r\nX-Id: 1\r\nx-id: 2\r\nX-Empty:\r\n",
        );
        assertEquals(headers["x-id"], "1, 2");
        assertEquals(headers["x-empty"], "");
        assertEquals(cookies, { a: ["1", "3"], b: "x=y", c: "2" });
        assertEquals((await read("cookie:\r\n")).cookies, {});
      });

      it("have bytes that are not ASCII as Latin-1, and no other name passes for __Host-id", async () => {
        const { headers, cookies } = await read(
          'x-name: caf\xe9\r\ncookie: \xa0__Host-id=1; "q"="v"; flag; =x; t=\t1 \r\n',
        );
        assertEquals(headers["x-name"], "caf\xe9");
        assertEquals(cookies, { "\xa0__Host-id": "1", '"q"': '"v"', "": "x", t: "1" });
      });

      it("never turn a name into a property of every object (prototype pollution)", async () => {
        const { headers, cookies } = await read("__proto__: 1\r\ncookie: __proto__=2; constructor=3; __proto__=4\r\n");
        assertEquals(JSON.stringify(cookies), '{"__proto__":["2","4"],"constructor":"3"}');
        assertEquals(Object.getOwnPropertyDescriptor(headers, "__proto__")?.value, "1");
      });

      it("of 8 KB of semicolons are no cookies", async () => {
        assertEquals((await read(`cookie: ${";".repeat(8000)}a=1\r\n`)).cookies, { a: "1" });
      });
    });

    describe("a guard before the body", () => {
      it("denies without waiting for a body that is announced", async () => {
        for (const head of ["content-length: 5000000", "transfer-encoding: chunked"]) {
          using connection = await connect();
          await connection.write(latin1(`POST /early HTTP/1.1\r\nHost: h\r\n${head}\r\n\r\n`));
          assertMatch(await readUntil(connection, "denied early"), /^HTTP\/1\.1 401 [^]*denied early/);
        }
      });

      it("denies a body that keeps coming: memory does not grow", async () => {
        const before = await residentMegabytes(server.pid);
        using connection = await connect();
        await connection.write(latin1("POST /early HTTP/1.1\r\nHost: h\r\ntransfer-encoding: chunked\r\n\r\n"));
        assertMatch(await readUntil(connection, "denied early"), /^HTTP\/1\.1 401 /);
        // Deno and Bun receive the rest and drop it. On Node.js the adapter closes the connection.
        const piece = latin1(`f4240\r\n${"1".repeat(1_000_000)}\r\n`);
        for (let sent = 0; sent < 300; sent++) {
          if (await writeAll(connection, piece).then(() => false, () => true)) break;
        }
        assertEquals(await get("/public"), [200, "public"]);
        const growth = await residentMegabytes(server.pid) - before;
        assert(growth < 150, `${growth} MB more than before`);
      });
    });

    describe("forms", () => {
      const form = (body: string, type = "multipart/form-data; boundary=b") =>
        post("/form", `content-type: ${type}\r\ncontent-length: ${body.length}`, body);
      const field = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';

      it("are read, and what is wrong with them is an issue", async () => {
        assertEquals(await form("a=1&a=%zz&__proto__=2", "application/x-www-form-urlencoded"), [
          200,
          '{"a":["1","%zz"],"__proto__":"2"}',
        ]);
        assertEquals(await form(`${field}--b--\r\n`), [200, '{"a":"1"}']);
        assertEquals(await form(field), [200, '["invalid_form"]']);
        assertEquals(await form(`${field}--b--\r\n`, "multipart/form-data"), [200, '["invalid_form"]']);
        assertEquals(await form("{}", "application/json"), [200, '["unsupported_media_type"]']);
        assertEquals(await form(`${field.repeat(100)}--b--`), [200, '["body_too_large"]']);
      });
    });

    describe("a body that the client cuts off", () => {
      /** How a body ends too early: its head, what is sent of it, and what is sent once the server reads it. */
      const CUTS = [
        ["is shorter than content-length", "content-length: 900", '{"a":', ""],
        ["ends amid a chunk", "transfer-encoding: chunked", '9\r\n{"a":', ""],
        ["ends after a chunk", "transfer-encoding: chunked", '5\r\n{"a":\r\n', ""],
        ["goes on with an invalid chunk", "transfer-encoding: chunked", '5\r\n{"a":\r\n', "nine\r\n{}"],
      ] as const;
      const TARGETS = [
        ["/unbounded", ""],
        ["/bounded", ""],
        ["/roomy", ""],
        ["/form", "content-type: application/x-www-form-urlencoded\r\n"],
        ["/form", "content-type: multipart/form-data; boundary=b\r\n"],
      ] as const;
      const states = async () => [await getJson("/issues"), (await getJson("/errors")).length] as const;

      for (const [what, head, part, later] of CUTS) {
        it(`and that ${what}, is the issue incomplete_body, and no error`, async () => {
          for (const [target, type] of TARGETS) {
            for (const reset of [false, true]) {
              const [[...issues], errors] = await states();
              const begun = await getJson("/begun");
              const connection = await connect();
              await connection.write(latin1(`POST ${target} HTTP/1.1\r\nHost: h\r\n${type}${head}\r\n\r\n${part}`));
              await until(async () => await getJson("/begun") > begun);
              await connection.write(latin1(later));
              // A connection with unread bytes is closed by a reset.
              if (reset) connection.close();
              else await connection.closeWrite();
              await until(async () => (await getJson("/issues")).length > issues.length);
              if (!reset) connection.close();
              assertEquals(await states(), [[...issues, "incomplete_body"], errors], `${target} ${type}`);
            }
          }
        });
      }

      it("and that is read only after that, is the issue incomplete_body, too", async () => {
        for (const [what, head, part, later] of CUTS) {
          for (const [target, type] of [["/late/json", ""], ["/late/form", TARGETS[3][1]]]) {
            const [[...issues], errors] = await states();
            using connection = await connect();
            await connection.write(latin1(`POST ${target} HTTP/1.1\r\nHost: h\r\n${type}${head}\r\n\r\n${part}`));
            await until(async () => await getJson("/late") === 1);
            await connection.write(latin1(later));
            await connection.closeWrite();
            await post("/release", "content-length: 0", "");
            await until(async () => (await getJson("/issues")).length > issues.length);
            assertEquals(await states(), [[...issues, "incomplete_body"], errors], `${target}, ${what}`);
          }
        }
      });
    });

    describe("bodies", () => {
      it("are bounded while they are read, whatever content-length or chunk sizes say", async () => {
        assertEquals(await post("/bounded", "content-length: 3", "[1]"), [200, "[1]"]);
        assertEquals(await post("/bounded", "content-length: 9", "[1,2,3,4]"), [200, '["body_too_large"]']);
        const chunks = "4\r\n[1,2\r\n5\r\n,3,4]\r\n0\r\n\r\n";
        assertEquals(await post("/bounded", "transfer-encoding: chunked", chunks), [200, '["body_too_large"]']);
        assertEquals(await post("/unbounded", "transfer-encoding: chunked", chunks), [200, "[1,2,3,4]"]);
        assertEquals(await post("/bounded", "content-length: 0", ""), [200, '["invalid_json"]']);
      });

      it("with trailers have one response, on Bun a second one with 400, and no trailer is taken for a request", async () => {
        const body = "POST /unbounded HTTP/1.1\r\nHost: h\r\ntransfer-encoding: chunked\r\n\r\n3\r\n[1]\r\n0\r\n";
        const next = "GET /public HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
        const statuses = async (trailers: string) => {
          using connection = await connect();
          await connection.write(latin1(`${body}${trailers}\r\n${next}`));
          const text = await new Response(connection.readable).text().catch(() => ""); // Deno resets it
          assert(!text.includes("admin"), text);
          return text.match(/(?<=HTTP\/1\.1 )\d+/g)?.map(Number) ?? [];
        };
        // A proxy that forwards trailers and shares connections gives the 400 to another client: the manual says so.
        assertEquals(await statuses("x-a: 1\r\n"), [200, name === "Bun" ? 400 : 200]);
        const hostile = await statuses("GET /admin HTTP/1.1\r\nHost: h\r\nauthorization: x\r\n");
        assert(!hostile.slice(1).includes(200), `${hostile}`);
      });

      it("of a gigabyte are not read beyond the bound, and memory does not grow", async () => {
        const before = await residentMegabytes(server.pid);
        const chunked = "transfer-encoding: chunked";
        // Content-Length next to chunks is an attempt at smuggling. RFC 9112, 6.3, lets a server reject it or use the chunks.
        const both = [`content-length: 1\r\n${chunked}`, `${chunked}\r\ncontent-length: 1`];
        for (const headers of ["content-length: 1000000000", chunked, ...both]) {
          const piece = latin1(
            headers.includes(chunked) ? `f4240\r\n${"1".repeat(1_000_000)}\r\n` : "1".repeat(1_000_000),
          );
          using connection = await connect();
          await connection.write(latin1(`POST /bounded HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n`));
          let answered = false;
          const answer = readUntil(connection, "body_too_large").then((text) => {
            answered = true;
            return text;
          });
          // A server may receive and drop the bytes, or close the connection. It must not keep them.
          for (let sent = 0; sent < 1000 && !answered; sent++) {
            if (await writeAll(connection, piece).then(() => false, () => true)) break;
          }
          // Bun itself rejects a Content-Length of more than 128 MB.
          assertMatch(
            await answer,
            both.includes(headers) ? /^HTTP\/1\.1 (200 [^]*too_large|400 )/ : /^HTTP\/1\.1 (200 [^]*too_large|413 )/,
          );
        }
        assertEquals(await get("/public"), [200, "public"]);
        const growth = await residentMegabytes(server.pid) - before;
        assert(growth < 200, `${growth} MB more than before`);
      });

      it("that are slow or cut off do not delay others", async () => {
        using slow = await connect();
        await slow.write(latin1("POST /unbounded HTTP/1.1\r\nHost: h\r\ncontent-length: 100\r\n\r\n[1,"));
        // The slow request is still open when the other one is answered.
        assertEquals(await post("/unbounded", "content-length: 3", "[2]"), [200, "[2]"]);
        slow.close();
        assertEquals(await get("/public"), [200, "public"]);
      });

      it("that are not UTF-8 or not JSON are data, not an error", async () => {
        for (const body of ["\xff\xfe[\x001\x00]\x00", "\xef\xbb\xbf", "{", "\0", "NaN", "[1,]"]) {
          assertEquals(await post("/unbounded", `content-length: ${body.length}`, body), [200, '["invalid_json"]']);
        }
        assertEquals(await post("/unbounded", "content-length: 6", "\xef\xbb\xbf[1]"), [200, "[1]"]);
        assertEquals(await post("/unbounded", "content-length: 3", '"\xff"'), [200, '"\ufffd"']);
        const nested = "[".repeat(200_000);
        const [status] = await post("/unbounded", `content-length: ${nested.length}`, nested);
        assertEquals(status, 200);
      });
    });

    describe("streams", () => {
      it("are cancelled when the client disconnects", async () => {
        const connection = await connect();
        await connection.write(latin1("GET /stream/gone HTTP/1.1\r\nHost: h\r\n\r\n"));
        await connection.read(new Uint8Array(1000));
        connection.close();
        await until(async () => (await getJson("/streams/gone")).cancelled);
        const { pulled } = await getJson("/streams/gone");
        assert(pulled < 500, `${pulled} MB were made for nobody`);
      });

      it("are produced no faster than a slow reader reads them", async () => {
        const before = await residentMegabytes(server.pid);
        using connection = await connect();
        await connection.write(latin1("GET /stream/slow HTTP/1.1\r\nHost: h\r\n\r\n"));
        await until(async () => (await getJson("/streams/slow"))?.pulled > 0);
        await pause(1500);
        const { pulled } = await getJson("/streams/slow");
        assert(pulled < 50, `${pulled} MB were made for a reader of none`);
        const growth = await residentMegabytes(server.pid) - before;
        assert(growth < 200, `${growth} MB more than before`);
      });

      it("that fail end only their own response, which the client can detect", async () => {
        using connection = await connect();
        await connection.write(latin1("GET /broken-stream HTTP/1.1\r\nHost: h\r\n\r\n"));
        const answer = await new Response(connection.readable).text().catch(() => "reset");
        assert(!answer.endsWith("0\r\n\r\n"), answer);
        assertEquals(await get("/public"), [200, "public"]);
      });
    });

    it("an error shows the client only the response of onError", async () => {
      assertEquals(await get("/throws"), [500, "error"]);
    });
  });
}

/** Asserts that no route was reached: the runtime rejected the request, or the framework found no route. */
function assertRefused([status]: readonly [number, string], message?: string): void {
  assert(status === 400 || status === 404, `${status} for ${message}`);
}

function assertNotAdmin([status, body]: readonly [number, string], message?: string): void {
  assert([400, 401, 404].includes(status) && body !== "admin", `${status} ${body} for ${message}`);
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Status and body of a response, its chunks joined. */
function readAnswer(bytes: Uint8Array): readonly [number, string] {
  const text = String.fromCharCode(...bytes);
  const [head = "", ...rest] = text.split("\r\n\r\n");
  let body = rest.join("\r\n\r\n");
  if (/^transfer-encoding: chunked/im.test(head)) {
    let chunks = "";
    for (let size = parseInt(body, 16); size > 0; size = parseInt(body, 16)) {
      const start = body.indexOf("\r\n") + 2;
      chunks += body.slice(start, start + size);
      body = body.slice(start + size + 2);
    }
    body = chunks;
  }
  return [Number(head.split(" ", 2)[1]), new TextDecoder().decode(latin1(body))];
}

async function readUntil(connection: Deno.Conn, end: string): Promise<string> {
  let text = "";
  const buffer = new Uint8Array(10_000);
  while (!text.includes(end)) {
    // A server may reset the connection after its response. The bytes received so far count.
    const length = await connection.read(buffer).catch(() => null);
    if (length === null) break;
    text += new TextDecoder().decode(buffer.subarray(0, length));
  }
  return text;
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let start = 0; start < bytes.length;) start += await connection.write(bytes.subarray(start));
}

/** The memory of a process, in megabytes. */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1000;
}
