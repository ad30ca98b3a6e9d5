import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, reply, route, type RouteResponses, setup } from "../../../mod.ts";

const csv = { schema: z.string(), contentType: "text/csv" } as const;
const json = { schema: z.object({ id: z.string() }) };

/** The message for declared responses. The compiler rejects them, too. */
function faultOf(responses: unknown): string {
  return assertThrows(() => endpoint.get("/books", { responses: responses as RouteResponses }), TypeError).message;
}

describe("a list of responses", () => {
  it("is declared for a status, a range or default, and is kept as it is", () => {
    const list = [json, csv] as const;
    assertEquals(endpoint.get("/books", { responses: { 200: list } }).responses?.[200], list);
    assertEquals(endpoint.get("/books", { responses: { "4XX": list, default: [csv] } }).responses?.default, [csv]);
  });

  it("throws where it is declared if it is empty, or has a media type twice", () => {
    const list = 'The list at responses.200 of endpoint GET "/books" must have ';
    assertEquals(faultOf({ 200: [] }), `${list}at least one response: write {}`);
    const must = `${list}another contentType for each response`;
    assertEquals(faultOf({ 200: [csv, csv] }), must);
    assertEquals(faultOf({ 200: [json, { contentType: "application/json" }] }), must);
    assertEquals(faultOf({ 200: [csv, json, { contentType: "Text/CSV; header=present" }] }), must);
    assertThrows(
      () => route.with({ responses: { "4XX": [json, json] as never } }),
      TypeError,
      "The list at responses.4XX of route.with must have another contentType",
    );
  });

  it("throws where it is declared if one of it is wrong", () => {
    assertEquals(
      faultOf({ 200: [csv, { shema: 1, contentType: "a/b" }] }),
      'Option "shema" of responses.200 of endpoint GET "/books" is unknown: did you mean schema?',
    );
    assertEquals(
      faultOf({ 200: [{ schema: undefined }] }).slice(0, 68),
      'Option "schema" of responses.200 of endpoint GET "/books" is undefin',
    );
    assertEquals(
      faultOf({ 200: [csv, { headers: { "a b": {} } }] }).slice(0, 66),
      'Option "a b" of responses.200.headers of endpoint GET "/books" is ',
    );
    assertEquals(faultOf({ 200: [csv, [json]] }).includes("received an array"), true);
  });

  it("may have types that contain each other", () => {
    const types = ["text/csvx", "text/csv", "text/cs", "application/json", "application/problem+json"];
    const list = types.map((contentType) => ({ contentType }));
    assertEquals(endpoint.get("/", { responses: { 200: list } as RouteResponses }).responses?.[200], list);
  });

  it("is no declaration of a header", () => {
    const message = faultOf({ 200: { headers: { etag: [{}] } } });
    assertEquals(
      message,
      'Options of responses.200.headers.etag of endpoint GET "/books" must be an object such as { schema: … }: ' +
        "received an array",
    );
  });

  it("is replaced as a whole by the responses of a route", () => {
    const scope = endpoint.with({ responses: { 200: [json, csv] } });
    assertEquals(scope.get("/", { responses: { 200: csv } }).responses, { 200: csv });
  });

  it("is sent by reply, which picks by contentType", async () => {
    const show = route.get("/books/:format", {
      responses: { 200: [json, csv] },
      resolve: (c) =>
        c.raw.params.format === "csv" ? reply(200, "id\n1", { contentType: "text/csv" }) : reply(200, { id: "1" }),
    });
    const app = setup({ handlers: [show] });
    for (const [format, type, text] of [["csv", "text/csv", "id\n1"], ["json", "application/json", '{"id":"1"}']]) {
      const response = await app.fetch(new Request(`http://localhost/books/${format}`));
      assertEquals([response.headers.get("content-type")?.split(";")[0], await response.text()], [type, text]);
    }
  });
});
