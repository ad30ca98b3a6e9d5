import { type Answer, denyInvalid, type Reply, reply, route } from "@fw/core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertType, type IsExact } from "@std/testing/types";
import { createApp } from "../../../examples/recipes/extracted_handlers.ts";
import {
  createLendBook,
  lendingRequest,
  lendingResponses,
} from "../../../examples/recipes/extracted_handlers/lend_book.ts";
import { request } from "../../support/request.ts";

const books = { findTitle: (id: string) => Promise.resolve(id === "emma" ? "Emma" : undefined) };

async function lend(path: string, body: unknown, authorization = "Bearer ada") {
  const init = { method: "POST", headers: { authorization }, body: JSON.stringify(body) };
  const response = await createApp(books).fetch(request(path, init));
  const text = await response.text();
  return [response.status, text === "" ? text : JSON.parse(text)];
}

describe("examples/recipes/extracted_handlers/", () => {
  it("an extracted handler reads the parameters, the valid input and the locals", async () => {
    const loan = { book: "Emma", reader: "Ada", days: 14 };
    assertEquals(await lend("/books/emma/loans", { days: 14 }), [201, { ...loan, notified: false }]);
    assertEquals(await lend("/books/emma/loans?notify=email", { days: 14 }), [201, { ...loan, notified: true }]);
    assertEquals(await lend("/books/none/loans", { days: 14 }), [404, { error: "Not found" }]);
  });

  it("an extracted handler has the type of its replies", () => {
    type Lent = Awaited<ReturnType<ReturnType<typeof createLendBook>>>;
    assertType<IsExact<Lent["status"], 201 | 404>>(true);
    const declared:
      | Reply<
        | Answer<201, { book: string; reader: string; days: number; notified: boolean }>
        | Answer<404, { error: string }>
      >
      | undefined = undefined as Lent | undefined;
    assertEquals(declared, undefined);
  });

  it("an extracted handler does not compile in a route that lacks what it reads, or that declares less", () => {
    const valid = denyInvalid(() => reply(400));
    const resolve = createLendBook(books);
    const responses = { ...lendingResponses, 400: {} };
    const user = () => ({ allow: true, locals: { user: { name: "Ada" } } } as const);
    const declared = [
      route.post("/books/:id/loans", { request: lendingRequest, responses, guards: [user, valid], resolve }),
      // @ts-expect-error at `resolve`: Property 'id' is missing in type '{}' but required in type '{ readonly id:
      //   string; }'.
      route.post("/loans", { request: lendingRequest, responses, guards: [user, valid], resolve }),
      // @ts-expect-error at `resolve`: Type 'InvalidInputUntil<"c.input.ok is checked, or denyInvalid is among the
      //   guards; put guards that a call returns into constants">' is missing the following properties from type
      //   'ValidInput<…': params, query, headers, cookies, body
      route.post("/books/:id/loans", { request: lendingRequest, responses, guards: [user], resolve }),
      route.post("/books/:id/loans", {
        request: lendingRequest,
        responses: { 201: lendingResponses[201], 400: {} },
        guards: [user, valid],
        // @ts-expect-error at `resolve`: return reply(status, body)
        resolve,
      }),
    ];
    assertEquals(declared.length, 4);
  });
});
