import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { until } from "../support/until.ts";
import { granted, serve, type Served } from "./serve.ts";

const ADMIN = { authorization: "Bearer ada" };
const READER = { authorization: "Bearer bob" };

(granted("net", "read", "run") ? describe : describe.skip)("examples/problem_details.ts", () => {
  let served: Served;
  before(async () => {
    served = await serve("examples/problem_details.ts");
  });
  after(() => served.stop());
  const request = (path: string, options?: RequestInit) => fetch(served.origin + path, options);
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

  it("problem_details.ts reports a body that is not JSON as one issue of the body", async () => {
    for (const body of ["", "{", "\0"]) {
      const { errors } = await readProblem(await post(body), 400);
      assertEquals(errors, [{ part: "body", path: [], detail: "Invalid JSON" }]);
    }
  });

  it("problem_details.ts answers 413 to a body of more than 64 KiB, and accepts one of exactly 64 KiB", async () => {
    const body = '{"title":"Emma"}'.padEnd(64 * 1024);
    const accepted = await post(body);
    assertEquals([accepted.status, await accepted.json()], [201, { title: "Emma" }]);
    assertEquals(await readProblem(await post(`${body} `), 413), {
      type: "about:blank",
      title: "Content Too Large",
      status: 413,
    });
  });

  it("problem_details.ts answers 401 without a valid token, with the WWW-Authenticate header that a 401 requires", async () => {
    for (
      const headers of [{}, { authorization: "" }, { authorization: "Bearer eve" }, { authorization: "__proto__" }]
    ) {
      const response = await post("{}", headers);
      assertEquals(response.headers.get("www-authenticate"), "Bearer");
      assertEquals(await readProblem(response, 401), { type: "about:blank", title: "Unauthorized", status: 401 });
    }
  });

  it("problem_details.ts answers 403 to a user who is not an admin, even if the input is invalid", async () => {
    for (const body of ['{"title":"Emma"}', "{"]) {
      assertEquals(await readProblem(await post(body, READER), 403), {
        type: "about:blank",
        title: "Forbidden",
        status: 403,
        detail: "Only admins may do this",
      });
    }
  });

  it("problem_details.ts answers 404 when no route matches", async () => {
    for (
      const response of [await request("/nope"), await request("/books"), await request("/%00", { method: "BREW" })]
    ) {
      assertEquals(await readProblem(response, 404), { type: "about:blank", title: "Not Found", status: 404 });
    }
  });

  it("problem_details.ts answers 500 to an error with the id under which the error is logged, and no details", async () => {
    const { instance, ...rest } = await readProblem(await request("/broken"), 500);
    assertEquals(rest, { type: "about:blank", title: "Internal Server Error", status: 500 });
    assertMatch(instance, /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const logged = `${instance} Error: The disk is full`;
    // The log may arrive after the response.
    await until(() => served.printed().includes(logged), () => served.printed());
  });

  it("problem_details.ts adds no other header", async () => {
    const { headers, body } = await request("/nope");
    await body?.cancel();
    assertEquals([...headers.keys()].toSorted(), ["content-length", "content-type", "date"]);
  });
});
