import { route, setup } from "@fw/core";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { inTransaction, timed } from "../../../examples/recipes/around.ts";
import { request } from "../../support/request.ts";
import { until } from "../../support/until.ts";
import { describeServed } from "../describe_served.ts";

describeServed("examples/recipes/around.ts", (served) => {
  const transfer = async (from: string, to: string, amount: number) => {
    const body = JSON.stringify({ from, to, amount });
    const response = await served.request("/transfers", { method: "POST", body });
    return [response.status, await response.text()];
  };
  const accounts = async () => {
    const list: { owner: string; balance: number }[] = await (await served.request("/accounts")).json();
    return list.map(({ owner, balance }) => `${owner} ${balance}`);
  };
  /** The lines of the log, without the id and the time that each has. */
  const linesOf = (id: string) =>
    served.printed().split("\n").filter((line) => line.startsWith(id)).map((line) =>
      line.slice(id.length + 1).replace(/ after \d+\.\d ms$/, "")
    );

  it("the recipe around keeps both changes of a transfer, or none", async () => {
    assertEquals(await transfer("ada", "bob", 30), [204, ""]);
    assertEquals(await accounts(), ["ada 70", "bob 30"]);
    assertEquals(await transfer("ada", "nobody", 30), [404, '{"error":"No such account"}']);
    assertEquals(await transfer("ada", "bob", 1000), [409, '{"error":"Not enough money"}']);
    assertEquals((await transfer("ada", "bob", -1))[0], 400);
    assertEquals(await accounts(), ["ada 70", "bob 30"]);
  });

  it("the recipe around has the id of its request on every line, also of requests at the same time", async () => {
    await Promise.all([11, 12, 13].map((amount) => transfer("nobody", "bob", amount)));
    for (const amount of [11, 12, 13]) {
      const line = `add ["nobody",${-amount}]`;
      await until(() => served.printed().includes(line));
      const id = new RegExp(`^(\\S{36}) ${RegExp.escape(line)}$`, "m").exec(served.printed())?.[1] ?? "";
      assertMatch(id, /^[0-9a-f-]{36}$/);
      await until(() => linesOf(id).length > 1);
      assertEquals(linesOf(id), [line, "ended"]);
    }
  });
});

describe("inTransaction() of examples/recipes/around.ts", () => {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE notes (text TEXT)");
  const write = () => db.exec("INSERT INTO notes VALUES ('new')");
  const count = () => db.prepare("SELECT count(*) AS count FROM notes").get()?.count;

  it("inTransaction() undoes the changes of a handler that throws, and passes its error on", async () => {
    const app = setup({
      handlers: [
        route.post("/", {
          resolve: inTransaction(db, () => {
            write();
            throw new Error("The disk is full");
          }),
        }),
      ],
    });
    await assertRejects(async () => await app.fetch(request("/", { method: "POST" })), Error, "The disk is full");
    assertEquals(count(), 0);
  });

  it("inTransaction() keeps the changes of a response below 400, and undoes those of any other", () => {
    for (const [status, kept] of [[200, 1], [399, 2], [400, 2], [500, 2]] as const) {
      inTransaction(db, () => {
        write();
        return new Response(null, { status });
      })(undefined);
      assertEquals([status, count()], [status, kept]);
    }
  });

  it("inTransaction() does not compile with an asynchronous handler", () => {
    // The transaction would end before the handler.
    // @ts-expect-error at `Promise.resolve(new Response())`: Type 'Promise<Response>' is missing the following
    //   properties from type 'Response': headers, ok, redirected, status, and 13 more.
    const declared = () => route.get("/", { resolve: inTransaction(db, () => Promise.resolve(new Response())) });
    assertEquals(typeof declared, "function");
  });
});

describe("timed() of examples/recipes/around.ts", () => {
  it("timed() takes a made-up connection, and reports when the response has been sent or cannot be sent", async () => {
    const { log } = console;
    const lines: string[] = [];
    console.log = (line) => lines.push(line);
    try {
      for (const completed of [Promise.resolve(), Promise.reject(new Error("Gone"))]) {
        const response = await timed(() => new Response("Hello"))(request("/"), { completed });
        assertEquals(await response.text(), "Hello");
        await completed.catch(() => {});
      }
    } finally {
      console.log = log;
    }
    assertEquals(lines.map((line) => line.replace(/[\d.]+ ms$/, "")), Array(2).fill("undefined ended after "));
  });
});
