import { assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { api } from "../../../examples/recipes/rooms.ts";
import { connect, type SocketClosed } from "../../../src/sockets/mod.ts";
import { describeServed } from "../describe_served.ts";

describeServed("examples/recipes/rooms.ts", (served) => {
  /** A client in a room, which has seen itself come in. */
  async function join(id: string, name: string, lastId?: string) {
    const messages = connect(api.room, {
      baseUrl: served.origin,
      params: { id },
      query: (after = lastId) => ({ name, after }),
    });
    const seen = messages[Symbol.asyncIterator]();
    /** The next message that is not the one of a client that joins or leaves. */
    const next = async () => {
      const { value } = await seen.next();
      if (value === undefined) throw new Error("The socket has ended");
      return value;
    };
    return { messages, next, first: await next() };
  }

  it("the recipe rooms sends what is said in a room to all who are there, and to nobody else", async () => {
    const ada = await join("1", "Ada");
    const eve = await join("2", "Eve");
    const bob = await join("1", "Bob");
    assertEquals([ada.first.name, ada.first.data], ["joined", { by: "Ada" }]);
    assertEquals((await ada.next()).data, { by: "Bob" });
    eve.messages.send("say", "In another room");
    ada.messages.send("say", "Hello");
    for (const { next } of [ada, bob]) {
      const { name, data } = await next();
      assertEquals([name, data], ["said", { by: "Ada", text: "Hello" }]);
    }
    bob.messages.close();
    const { name, data } = await ada.next();
    assertEquals([name, data], ["left", { by: "Bob" }]);
    ada.messages.close();
    eve.messages.close();
  });

  it("the recipe rooms sends a client that comes back what it has missed, and says so where that is not known", async () => {
    const ada = await join("3", "Ada");
    const bob = await join("3", "Bob");
    await ada.next();
    ada.messages.close();
    await bob.next();
    bob.messages.send("say", "Where is she?");
    await bob.next();
    const again = await join("3", "Ada", ada.first.id);
    const missed = [again.first, await again.next(), await again.next(), await again.next()];
    assertEquals(missed.map(({ name, data }) => [name, data]), [
      ["joined", { by: "Bob" }],
      ["left", { by: "Ada" }],
      ["said", { by: "Bob", text: "Where is she?" }],
      ["joined", { by: "Ada" }],
    ]);
    const stranger = await join("3", "Cleo", "no id of this log");
    assertEquals(stranger.first.name, "missed");
    for (const { messages } of [bob, again, stranger]) messages.close();
  });

  it("the recipe rooms denies a client without a name, or with one of over 40 characters, and closes for what it does not understand", async () => {
    for (const name of ["", "x".repeat(41)]) {
      const unnamed = connect(api.room, { baseUrl: served.origin, params: { id: "4" }, query: () => ({ name }) });
      const denied = await assertRejects(() => Array.fromAsync(unnamed));
      assertEquals((denied as SocketClosed).response?.status, 400);
    }
    const ada = await join("4", "Ada");
    ada.messages.send("say", "");
    const closed = await assertRejects(() => ada.next());
    assertEquals((closed as SocketClosed).code, 4000);
  });
});
