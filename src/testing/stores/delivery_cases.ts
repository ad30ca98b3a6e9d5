import type { DeliveryStore } from "../../stores/delivery.ts";
import { fail, type StoreCases } from "./store_case.ts";

/** The tests that a store of deliveries must pass. */
export const deliveryCases: StoreCases<DeliveryStore> = {
  async "gives a receiver to one of those who ask at once"(store) {
    const owners = Array.from({ length: 20 }, (_, index) => `owner ${index}`);
    const taken = await Promise.all(owners.map((owner) => store.take("ada", owner, 60)));
    const count = taken.filter((each) => each !== undefined).length;
    if (count !== 1) fail(`gave one receiver to ${count} owners`);
    if (await store.take("bob", "owner 0", 60) === undefined) fail("did not give another receiver");
  },
  async "gives a receiver to its owner again, and to others when its time is over"(store, pass) {
    await store.take("ada", "a", 60);
    await pass(50);
    if (await store.take("ada", "a", 60) === undefined) fail("did not renew the time of the owner");
    await pass(50);
    if (await store.take("ada", "b", 60) !== undefined) fail("gave a receiver away before its time was over");
    await pass(20);
    if (await store.take("ada", "b", 60) === undefined) fail("did not give a receiver whose time is over");
    if (await store.take("ada", "a", 60) !== undefined) fail("gave a receiver back to its earlier owner");
  },
  async "keeps the last message of the owner for the next one"(store) {
    const first = await store.take("ada", "a", 60);
    if (first?.position !== null) fail(`has the message ${JSON.stringify(first?.position)} of a new receiver`);
    if (await store.advance("ada", "a", "7-x") !== true) fail("did not note a message of the owner");
    await store.release("ada", "a");
    const next = await store.take("ada", "b", 60);
    if (next?.position !== "7-x") fail(`gave the message ${JSON.stringify(next?.position)} to the next owner`);
  },
  async "notes nothing for an owner that has lost the receiver"(store, pass) {
    await store.take("ada", "a", 60);
    await store.advance("ada", "a", "1-x");
    await pass(61);
    await store.take("ada", "b", 60);
    if (await store.advance("ada", "a", "9-x") !== false) fail("noted a message of an earlier owner");
    await store.release("ada", "a");
    if (await store.take("ada", "c", 60) !== undefined) fail("let an earlier owner release the receiver");
    const again = await store.take("ada", "b", 60);
    if (again?.position !== "1-x") fail(`has the message ${JSON.stringify(again?.position)} of an earlier owner`);
  },
  async "forgets a receiver that is removed, and no other"(store) {
    for (const receiver of ["ada", "bob"]) {
      await store.take(receiver, "a", 60);
      await store.advance(receiver, "a", "5-x");
    }
    await store.remove("ada");
    if (await store.advance("ada", "a", "6-x") !== false) fail("noted a message of a receiver that was removed");
    if ((await store.take("ada", "b", 60))?.position !== null) fail("kept a receiver that was removed");
    if ((await store.take("bob", "a", 60))?.position !== "5-x") fail("removed another receiver");
  },
  async "takes any printable characters for a receiver"(store) {
    const receivers = `__proto__ constructor Ada ada ' \\' \\ OR 1=1 -- % _ "a"`.split(" ");
    for (const last of "ab") receivers.push("x".repeat(249) + last);
    for (const receiver of receivers) await store.take(receiver, "a", 60);
    for (const receiver of receivers) await store.advance(receiver, "a", receiver);
    for (const receiver of receivers) {
      const found = await store.take(receiver, "a", 60);
      if (found?.position !== receiver) fail(`has the message ${found?.position} of the receiver ${receiver}`);
    }
  },
};
