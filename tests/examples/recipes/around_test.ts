import { route, setup } from "@fw/core";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { add, default as example, inTransaction } from "../../../examples/recipes/around.ts";
import { request } from "../../request.ts";
import { until } from "../../until.ts";
import { granted, serve, type Served } from "../serve.ts";

(granted("net", "read", "run") ? describe : describe.skip)("examples/recipes/around.ts", () => {
  let served: Served;
  before(async () => {
    served = await serve("examples/recipes/around.ts");
  });
  after(() => served.stop());

  const transfer = async (from: string, to: string, amount: number) => {
    const body = JSON.stringify({ from, to, amount });
    const response = await fetch(`${served.origin}/transfers`, { method: "POST", body });
    return [response.status, await response.text()];
  };
  const accounts = async () => {
    const list: { owner: string; balance: number }[] = await (await fetch(`${served.origin}/accounts`)).json();
    return list.map(({ owner, balance }) => `${owner} ${balance}`);
  };
  /** The lines of the log, without the id and the time that each has. */
  const linesOf = (id: string) =>
    served.printed().split("\n").filter((line) => line.startsWith(id)).map((line) =>
      line.slice(id.length + 1).replace(/ after \d+\.\d ms$/, "")
    );

  it("keeps both changes of a transfer, or none", async () => {
    assertEquals(await transfer("ada", "bob", 30), [204, ""]);
    assertEquals(await accounts(), ["ada 70", "bob 30"]);
    assertEquals(await transfer("ada", "nobody", 30), [404, "No such account"]);
    assertEquals(await transfer("ada", "bob", 1000), [409, "Not enough money"]);
    assertEquals((await transfer("ada", "bob", -1))[0], 400);
    assertEquals(await accounts(), ["ada 70", "bob 30"]);
  });

  it("has the id of its request on every line, also of requests at the same time", async () => {
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

(granted("net") ? describe : describe.skip)("the handlers of examples/recipes/around.ts", () => {
  const owned = async () => {
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, example.fetch);
    return await (await fetch(`http://127.0.0.1:${server.addr.port}/accounts`)).json();
  };

  it("undo their changes if they throw", async () => {
    const app = setup({
      handlers: [
        route.post("/", {
          resolve: inTransaction(() => {
            add("ada", 1);
            throw new Error("The disk is full");
          }),
        }),
      ],
    });
    const before = await owned();
    await assertRejects(async () => await app.fetch(request("/", { method: "POST" })), Error, "The disk is full");
    assertEquals(await owned(), before);
  });

  it("do not compile if they are asynchronous", () => {
    // @ts-expect-error: the transaction would end before the handler
    route.get("/", { resolve: inTransaction(() => Promise.resolve(new Response())) });
  });
});
