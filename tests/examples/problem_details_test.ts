import { assert, assertEquals, assertMatch } from "@std/assert";
import { it } from "@std/testing/bdd";
import { until } from "../support/until.ts";
import { describeServed } from "./describe_served.ts";

const ADMIN = { authorization: "Bearer ada" };
const READER = { authorization: "Bearer bob" };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describeServed("examples/problem_details.ts", (served) => {
  const { request } = served;
  const post = (body: string, headers: Record<string, string> = ADMIN) =>
    request("/books", { method: "POST", body, headers });

  /** Reads a problem, and asserts its status and the members that every problem has. */
  async function readProblem(response: Response, status: number) {
    const problem = await response.json();
    assertEquals(response.status, status);
    assertEquals(response.headers.get("content-type"), "application/problem+json");
    assertEquals(problem.status, status);
    assertEquals([typeof problem.type, typeof problem.title], ["string", "string"]);
    return problem;
  }

  it("problem_details.ts sends a success as plain JSON", async () => {
    const response = await post('{"title":"Emma"}');
    assertEquals([response.status, await response.json()], [201, { title: "Emma" }]);
    assertEquals(response.headers.get("content-type"), "application/json");
  });

  it("problem_details.ts lists each issue of an invalid input with its part and path", async () => {
    const { errors, ...rest } = await readProblem(await post('{"title":"","year":1.5}'), 400);
    assertEquals(rest, { type: "https://example.com/problems/invalid-input", title: "Invalid input", status: 400 });
    assertEquals(errors.map(({ part, path }: { part: string; path: string[] }) => [part, ...path]), [
      ["body", "title"],
      ["body", "year"],
    ]);
    for (const error of errors) {
      assertEquals(Object.keys(error), ["part", "path", "detail"]);
      assert(error.detail !== "");
    }
  });

  it("problem_details.ts responds with 401 without a valid token, with the WWW-Authenticate header that a 401 requires", async () => {
    for (
      const headers of [{}, { authorization: "" }, { authorization: "Bearer eve" }, { authorization: "__proto__" }]
    ) {
      const response = await post("{}", headers);
      assertEquals(response.headers.get("www-authenticate"), "Bearer");
      assertEquals(await readProblem(response, 401), { type: "about:blank", title: "Unauthorized", status: 401 });
    }
  });

  it("problem_details.ts responds with 403 to a user who is not an admin, even if the input is invalid", async () => {
    for (const body of ['{"title":"Emma"}', "{"]) {
      assertEquals(await readProblem(await post(body, READER), 403), {
        type: "about:blank",
        title: "Forbidden",
        status: 403,
        detail: "Only admins may do this",
      });
    }
  });

  it("problem_details.ts has an id, the security headers and those of CORS on every response, with a limit on those of routes", async () => {
    const ids = new Set<string>();
    const exchanges: readonly (readonly [string, string, number, boolean?])[] = [
      ["GET", "/books", 200, true],
      ["POST", "/books", 401, true],
      ["GET", "/broken", 500, true],
      ["PUT", "/books", 405],
      ["OPTIONS", "/books", 204],
      ["GET", "/nope", 404],
    ];
    for (const origin of ["https://app.example.com", "https://evil.example", "null"]) {
      for (const [method, path, status, isLimited = false] of exchanges) {
        const sent = await request(path, { method, headers: { origin, "x-request-id": "mine" } });
        await sent.body?.cancel();
        const get = (name: string) => sent.headers.get(name);
        assertEquals([sent.status, get("vary"), get("x-content-type-options")], [status, "Origin", "nosniff"]);
        assertEquals(get("content-security-policy"), "default-src 'none'");
        assertEquals(get("access-control-allow-origin"), origin.includes("app.example") ? origin : null);
        assertEquals(
          get("access-control-expose-headers"),
          origin.includes("app.example") ? "ratelimit, ratelimit-policy, retry-after, x-request-id" : null,
        );
        assertEquals([get("ratelimit-policy"), sent.headers.has("ratelimit")], [
          isLimited ? '"address";q=600;w=60' : null,
          isLimited,
        ]);
        assertMatch(get("x-request-id") ?? "", UUID);
        ids.add(get("x-request-id") ?? "");
      }
    }
    assertEquals(ids.size, 3 * exchanges.length);
  });

  it("problem_details.ts logs a line for each response: the id, and the route by its pattern", async () => {
    const response = await request("/secret?token=secret", { method: "SECRET" });
    await response.body?.cancel();
    const entry = { requestId: response.headers.get("x-request-id"), method: "other", route: null, status: 404 };
    const line = `${JSON.stringify(entry).slice(0, -1)},"durationMs":`;
    await until(() => served.printed().includes(line), () => served.printed());
    assert(!/secret/i.test(served.printed()));
  });

  it("problem_details.ts responds with 500 to an error with the id under which the error is logged, and no details", async () => {
    const response = await request("/broken");
    const { instance, ...rest } = await readProblem(response, 500);
    assertEquals(rest, { type: "about:blank", title: "Internal Server Error", status: 500 });
    assertEquals(instance, `urn:uuid:${response.headers.get("x-request-id")}`);
    const logged = `${instance} Error: The disk is full`;
    // The log may arrive after the response.
    await until(() => served.printed().includes(logged), () => served.printed());
  });

  // Last: no other request comes through after it.
  it("problem_details.ts responds with 429 to a client that sends more than ten requests a second, whatever it sends", async () => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < 1000 && !statuses.has(429); sent++) {
      const response = await post("{", { ...ADMIN, "x-forwarded-for": `192.0.2.${sent % 256}` });
      statuses.add(response.status);
      if (response.status !== 429) await response.body?.cancel();
      else {
        assertMatch(response.headers.get("retry-after") ?? "", /^[1-9]$/);
        assertEquals(await readProblem(response, 429), {
          type: "about:blank",
          title: "Too Many Requests",
          status: 429,
        });
      }
    }
    assertEquals([...statuses], [400, 429]);
  });
});
