import { assertEquals, assertMatch } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { createApp } from "../../../examples/recipes/modules/app.ts";
import { createStore, type Store } from "../../../examples/recipes/modules/store.ts";
import { describeServed } from "../describe_served.ts";

const ADA = { authorization: "Bearer ada" };
const BOB = { authorization: "Bearer bob" };

describeServed("examples/recipes/modules/app.ts", (served) => {
  async function send(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
    const response = await served.request(path, { method, headers, ...body !== undefined && { body } });
    const text = await response.text();
    return [response.status, text === "" ? undefined : JSON.parse(text)];
  }

  it("the recipe modules serves the routes of every feature", async () => {
    const [status, book] = await send("POST", "/books", ADA, '{"title":"Emma"}');
    assertEquals([status, book.title], [201, "Emma"]);
    assertMatch(book.id, /^[\da-f-]{36}$/); // the id of the request, from onRequest
    assertEquals(await send("PUT", `/books/${book.id}/loan`, BOB), [200, { ...book, lentTo: "Bob" }]);
    assertEquals(await send("PUT", `/books/${book.id}/loan`, ADA), [409, { error: "Lent to somebody else" }]);
    const [, { data }] = await send("GET", "/books");
    assertEquals(data.length, 2);
  });

  it("the recipe modules runs the guards that they share, and those of one feature", async () => {
    assertEquals(await send("POST", "/books", {}, '{"title":"Emma"}'), [401, undefined]);
    assertEquals(await send("POST", "/books", BOB, '{"title":"Emma"}'), [403, { error: "Forbidden" }]);
    assertEquals((await send("POST", "/books", ADA, '{"title":""}'))[0], 400);
    assertEquals(await send("PUT", "/books/1/loan"), [401, undefined]);
    assertEquals(await send("PUT", "/books/none/loan", ADA), [404, { error: "Not found" }]);
  });
});

describe("the features of the app", () => {
  const logged: unknown[][] = [];
  const { error } = console;
  beforeEach(() => {
    console.error = (...args: unknown[]) => logged.push(args);
  });
  afterEach(() => {
    console.error = error;
  });

  it("the features of the recipe modules respond to an error with the id under which it is logged", async () => {
    const broken = new Error("The disk is full");
    const store: Store = Object.assign(createStore(), {
      values() {
        throw broken;
      },
    });
    const response = await createApp(store).fetch(new Request("http://localhost/books"));
    const { requestId, ...rest } = await response.json();
    assertEquals([response.status, rest], [500, { error: "Internal server error" }]);
    assertEquals(logged, [[requestId, broken]]);
  });
});
