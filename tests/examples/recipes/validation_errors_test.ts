import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { describeInvalid } from "../../../examples/recipes/validation_errors/validation_errors.ts";
import { contextOf } from "../../support/context_of.ts";
import { request } from "../../support/request.ts";
import { describeServed } from "../describe_served.ts";

describeServed("examples/recipes/validation_errors.ts", (served) => {
  async function post(body: unknown, { query = "", language }: { query?: string; language?: string } = {}) {
    const response = await served.request(`/books${query}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      // Without a header of ours, fetch would send `*`.
      headers: { "accept-language": language ?? "" },
    });
    const { headers, status } = response;
    const read = await response.json();
    if (status !== 201) {
      assertEquals([headers.get("content-type"), headers.get("vary")], ["application/problem+json", "accept-language"]);
      assertEquals(read.status, status);
    }
    return { status, language: headers.get("content-language"), read };
  }

  it("the recipe validation_errors lets valid input through", async () => {
    const { status, read } = await post({ title: " Emma ", year: 1815 }, { query: "?copies=2" });
    assertEquals([status, read], [201, { title: "Emma", year: 1815, authors: [], copies: 2 }]);
  });

  it("the recipe validation_errors has one message for each field, with its place", async () => {
    const { status, read } = await post({ title: "", year: 99.5, authors: [{ name: "Jane" }, {}] }, {
      query: "?copies=x",
    });
    assertEquals([status, read], [400, {
      type: "https://example.com/problems/invalid-input",
      title: "Some of the input is not valid",
      status: 400,
      errors: [
        { parameter: "copies", detail: "Enter a number from 1 to 99" },
        { pointer: "#/title", detail: "Enter a title of 1 to 200 characters" },
        { pointer: "#/year", detail: "Enter a year from 1000 to 2100" },
        { pointer: "#/authors/1/name", detail: "This value is not valid" },
      ],
    }]);
  });

  const WRONG: readonly (readonly [field: string, detail: string, values: readonly unknown[]])[] = [
    ["title", "Enter a title of 1 to 200 characters", [undefined, 7, "  ", "x".repeat(201)]],
    ["year", "Enter a year from 1000 to 2100", [undefined, "1815", 999, 2101, 1815.5]],
  ];

  it("the recipe validation_errors says the same whatever is wrong with a field", async () => {
    for (const [field, detail, values] of WRONG) {
      for (const value of values) {
        const { read } = await post({ title: "Emma", year: 1815, [field]: value });
        assertEquals(read.errors, [{ pointer: `#/${field}`, detail }]);
      }
    }
  });

  it("the recipe validation_errors takes digits for a number in the query, and nothing else", async () => {
    const copies = async (query: string) => (await post({ title: "Emma", year: 1815 }, { query })).read;
    for (const value of ["", "0", "100", "1.5", "1e1", " 5", "5&copies=5"]) {
      const { errors } = await copies(`?copies=${value}`);
      assertEquals(errors, [{ parameter: "copies", detail: "Enter a number from 1 to 99" }], value);
    }
    assertEquals([(await copies("?copies=99")).copies, (await copies("")).copies], [99, 1]);
  });

  it("the recipe validation_errors speaks the language that the client likes best, or else English", async () => {
    for (
      const [accepted, language, title] of [
        ["de", "de", "Einige Eingaben sind ungültig"],
        ["de-AT, en;q=0.5", "de", "Einige Eingaben sind ungültig"],
        ["en;q=0.5, fr;q=0.9", "fr", "Certaines valeurs ne sont pas valides"],
        ["it, *;q=0.1", "en", "Some of the input is not valid"],
        ["it", "en", "Some of the input is not valid"],
        ["", "en", "Some of the input is not valid"],
        [`de,${"de;q=0.1,".repeat(6000)}`, "en", "Some of the input is not valid"],
      ] as const
    ) {
      const answer = await post({}, { language: accepted });
      assertEquals([answer.language, answer.read.title], [language, title], accepted);
    }
  });

  it("the recipe validation_errors tells a body that is not JSON from one that is too large", async () => {
    const { read } = await post("{", { language: "de" });
    assertEquals(read.errors, [{ pointer: "#", detail: "Die Anfrage muss JSON enthalten" }]);
    const large = await post({ title: "x".repeat(64 * 1024) }, { language: "fr" });
    assertEquals([large.status, large.read], [413, {
      type: "https://example.com/problems/too-large",
      title: "Le contenu est trop long",
      status: 413,
    }]);
  });

  it("the recipe validation_errors responds with 422 for values in the body, and 400 for a body or a url that is wrong", async () => {
    const statusOf = async (body: unknown, query = "") => (await post(body, { query })).status;
    for (const body of [{}, "null", { title: "", year: 1815 }]) assertEquals(await statusOf(body), 422);
    for (const body of ["", "{"]) assertEquals(await statusOf(body), 400);
    assertEquals(await statusOf({ title: "Emma", year: 1815 }, "?copies=0"), 400);
    assertEquals(await statusOf({}, "?copies=0"), 400);
    assertEquals(await statusOf("x".repeat(64 * 1024 + 1), "?copies=0"), 413);
  });
});

describe("describeInvalid() of examples/recipes/validation_errors/", () => {
  it("describeInvalid() describes a bounded number of errors: a long array can have one for each element", async () => {
    const issues = Array.from({ length: 30_000 }, (_, index) => (
      { part: "body", path: ["authors", String(index)], message: "" } as const
    ));
    const c = await contextOf("/books", request("/books"));
    const response = describeInvalid({ ok: false, failed: ["body"], issues, received: {} }, c);
    const { errors } = await response.json();
    assertEquals([response.status, errors.length], [422, 20]);
  });

  it("describeInvalid() takes a code of a schema for what it is: the body has been read", async () => {
    const c = await contextOf("/books", request("/books"));
    const issue = { path: ["title"], message: "", code: "body_too_large" };
    const statusOf = (part: "body" | "query") =>
      describeInvalid({ ok: false, failed: [part], issues: [{ part, ...issue }], received: {} }, c).status;
    assertEquals([statusOf("body"), statusOf("query")], [422, 400]);
  });
});
