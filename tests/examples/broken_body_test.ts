/** Incomplete bodies. They are sent over raw sockets, because `fetch` cannot send them. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { describeServed } from "./describe_served.ts";
import { serveApp } from "./recipes/serve_app.ts";
import { serve } from "./serve.ts";

const JSON_TYPE = "content-type: application/json";
const FORM_TYPE = "content-type: application/x-www-form-urlencoded\r\n";
const ROUTES = [
  ["examples/books.ts", "/books", JSON_TYPE],
  ["examples/users.ts", "/users", JSON_TYPE],
  ["examples/problem_details.ts", "/books", `${JSON_TYPE}\r\nauthorization: Bearer ada`],
] as const;
const BODIES = [
  ["is shorter than announced", "content-length: 100", '{"title":'],
  ["ends amid a chunk", "transfer-encoding: chunked", '9\r\n{"ti'],
  ["has no valid chunks", "transfer-encoding: chunked", "nine\r\n{}"],
  ["has a chunk that is none, later on", "transfer-encoding: chunked", '9\r\n{"title":\r\n', "nine\r\n{}"],
] as const satisfies readonly (readonly [string, string, string, string?])[];

for (const [file, path, headers] of ROUTES) {
  describeServed(`POST ${path} of ${file}`, (served) => {
    for (const [what, ...sent] of BODIES) {
      it(`POST ${path} of ${file} responds to a body that ${what} with a 400 or closes the connection, and logs no error`, async () => {
        const status = await statusOf(served.origin, `POST ${path}`, `${headers}\r\n`, sent);
        assert(status === "HTTP/1.1 400 Bad Request" || status === "", status);
        assert(!/failed|error:/i.test(served.printed()), served.printed());
        assertEquals((await served.request(path, { method: "POST", body: "{" })).status < 500, true);
      });
    }
  }, file);
}

const RECIPES = [
  ["around.ts", "POST /transfers", ""],
  ["client/app.ts", "POST /books", ""],
  ["csrf.ts", "POST /transfers", `${JSON_TYPE}\r\nsec-fetch-site: same-origin\r\n`],
  ["etag_json.ts", "PATCH /notes/1", ""],
  ["extracted_handlers.ts", "POST /books/emma/loans", "authorization: Bearer ada\r\n"],
  ["forms.ts", "POST /subscriptions", FORM_TYPE],
  ["forms.ts", "POST /pictures", "content-type: multipart/form-data; boundary=b\r\n"],
  ["idempotency.ts", "POST /payments", "authorization: Bearer ada\r\nidempotency-key: 1\r\n"],
  ["modules/app.ts", "POST /books", "authorization: Bearer ada\r\n"],
  ["ndjson.ts", "POST /books", "content-type: application/x-ndjson\r\n"],
  ["sessions.ts", "POST /sign-in", `${FORM_TYPE}sec-fetch-site: same-origin\r\n`],
  ["validation_errors.ts", "POST /books", ""],
  ["validation_errors.ts", "POST /wishes", FORM_TYPE],
  ["webhook.ts", "POST /orders", ""],
] as const;

(granted("net") ? describe : describe.skip)("a recipe that reads a body", () => {
  for (const [file, target, headers] of RECIPES) {
    it(`${target} of recipes/${file} responds with 400 to a body that ends early, or amid its chunks`, async () => {
      const { default: app } = await import(`../../examples/recipes/${file}`);
      await using served = serveApp(app);
      for (const [what, ...sent] of BODIES) {
        const status = await statusOf(served.origin, target, headers, sent);
        assert(status === "HTTP/1.1 400 Bad Request" || status === "", `a body that ${what}: ${status}`);
      }
    });
  }
});

for (const [file, path, headers] of ROUTES) {
  (granted("net", "read", "run") ? describe : describe.skip)(`${file} after SIGTERM`, () => {
    it(`${file} after SIGTERM responds with 503 to a body that is still arriving, and exits with 0`, async () => {
      const served = await serve(file);
      const { hostname, port } = new URL(served.origin);
      const connection = await Deno.connect({ hostname, port: Number(port) });
      const head = `POST ${path} HTTP/1.1\r\nHost: h\r\n${headers}\r\ncontent-length: 100\r\n\r\n{`;
      await connection.write(new TextEncoder().encode(head));
      // The handler must be waiting for the body.
      await (await fetch(`${served.origin}/nowhere`)).body?.cancel();
      const stopping = served.stop();
      const answer = new Uint8Array(1000);
      const length = await connection.read(answer) ?? 0;
      // Otherwise, the server waits for the rest of the body.
      connection.close();
      assertMatch(
        new TextDecoder().decode(answer.subarray(0, length)),
        /^HTTP\/1\.1 503 [^]*\r\nretry-after: 1\r\n/,
      );
      await stopping;
      assertEquals(await served.exitCode, 0);
    });
  });
}

/** Sends a body that is broken off, and returns the line with the status; nothing if the server closes the connection. */
async function statusOf(
  origin: string,
  target: string,
  headers: string,
  [framing, body, later = ""]: readonly [string, string, string?],
): Promise<string> {
  const { hostname, port } = new URL(origin);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const head = `${target} HTTP/1.1\r\nHost: h\r\n${headers}${framing}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head + body));
  if (later !== "") {
    // The handler must be running already. The server itself rejects a broken body that arrives with the head.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await connection.write(new TextEncoder().encode(later));
  }
  await connection.closeWrite();
  const [status = ""] = (await new Response(connection.readable).text()).split("\r\n", 1);
  return status;
}
