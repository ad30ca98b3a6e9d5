/** Over a raw socket against a running server: what `Deno.serve` hands over is what the client sent, tidied by nobody. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, deny, route, setup } from "../mod.ts";

const granted = Deno.permissions.querySync({ name: "net" }).state === "granted";

const app = setup({
  validator: { validate: (_schema, value) => ({ ok: true, value }) },
  handlers: [
    route.get("/public", { resolve: () => new Response("public") }),
    route.get("/b", { resolve: () => new Response("b") }),
    route.with({
      prefix: "/admin",
      guards: [(c) => c.request.headers.has("authorization") ? allow() : deny(new Response("denied", { status: 401 }))],
    }).all("", { resolve: () => new Response("admin") }),
    route.get("/files/*", { resolve: (c) => new Response(`file ${c.raw.params["*"]}`) }),
    route.post("/body", {
      request: { body: {}, maxBodyBytes: 8 },
      resolve: (c) => Response.json(c.input.ok ? c.input.body : c.input.issues.map((issue) => issue.code)),
    }),
  ],
  onError: () => new Response("error", { status: 500 }),
});

/** Sends bytes to a server of the app, and returns status and body of its answer. */
async function exchange(bytes: string): Promise<[number, string]> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, app.fetch);
  try {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
    await connection.write(new TextEncoder().encode(bytes));
    const answer = await new Response(connection.readable).text();
    const [head = "", body = ""] = answer.split("\r\n\r\n", 2);
    return [Number(head.split(" ", 2)[1]), body];
  } finally {
    await server.shutdown();
  }
}

const get = (target: string, host = "h", headers = "") =>
  exchange(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`);

(granted ? describe : describe.skip)("over a raw socket", () => {
  it("a Host header cannot move the path: what is no host matches nothing", async () => {
    assertEquals(await get("/public"), [200, "public"]);
    for (const host of ["h/admin?", "h/admin#", "h/public", "h?", "h#", "h/", "u:p@h", "h\\admin", "a b", "h\tx"]) {
      assertEquals(await get("/public", host, "authorization: x\r\n"), [404, ""], host);
    }
  });

  it("a Host header that does not parse matches nothing, and is no error", async () => {
    for (const host of ["[::1", "h:99999", "h:port", "%", "h%2Fx"]) {
      assertEquals(await get("/public", host), [404, ""], host);
    }
  });

  it("an empty Host header, or none in HTTP/1.0, leaves the path where it is", async () => {
    assertEquals(await get("/public", ""), [200, "public"]);
    assertEquals(await exchange("GET /public HTTP/1.0\r\n\r\n"), [200, "public"]);
  });

  it("a target in absolute form meets the same guards", async () => {
    assertEquals(await get("http://evil/admin"), [401, "denied"]);
    assertEquals(await get("http://evil/admin", "h", "authorization: x\r\n"), [200, "admin"]);
    assertEquals(await get("HTTP://EVIL:80/x/../admin"), [401, "denied"]);
    assertEquals(await get("http://evil/public"), [200, "public"]);
  });

  it("the path is canonical before it is matched", async () => {
    assertEquals(await get("/a/../b"), [200, "b"]);
    assertEquals(await get("/a/%2e%2E/b"), [200, "b"]);
    assertEquals(await get("/./b"), [200, "b"]);
    assertEquals(await get("/public/../admin"), [401, "denied"]);
    assertEquals(await get("/files/../admin"), [401, "denied"]);
    assertEquals(await get("/files/%2e%2e/admin"), [401, "denied"]);
  });

  it("another spelling of a path is another path", async () => {
    for (
      const target of [
        "//admin",
        "/admin/",
        "/ADMIN",
        "/%61dmin",
        "/admin;x=1",
        "/admin%2F",
        "/x/../../b/",
        "/a\\..\\b",
      ]
    ) {
      assertEquals(await get(target), [404, ""], target);
    }
    assertEquals(await exchange("OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"), [404, ""]);
    assertEquals(await get("/files/a%2F..%2Fb"), [200, "file a/../b"]);
    assertEquals(await get("/public#fragment"), [200, "public"]);
    assertEquals(await get("/public?x=/../admin"), [200, "public"]);
  });

  it("a body is bounded while it is read, and the connection survives", async () => {
    const send = (headers: string, body: string) =>
      exchange(`POST /body HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${headers}\r\n\r\n${body}`);
    assertEquals(await send("content-length: 3", "[1]"), [200, "[1]"]);
    assertEquals(await send("content-length: 9", "[1,2,3,4]"), [200, '["body_too_large"]']);
    assertEquals((await send("transfer-encoding: chunked", "4\r\n[1,2\r\n5\r\n,3,4]\r\n0\r\n\r\n"))[0], 200);
    assertEquals((await send("content-length: 0", ""))[1], '["invalid_json"]');
  });
});
