import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { deliveryStore } from "../../../src/memory/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";

const clock = { time: 0 };
const { now } = performance;

describe("a store of deliveries in memory", () => {
  beforeEach(() => {
    performance.now = () => clock.time;
  });
  afterEach(() => {
    performance.now = now;
  });
  const pass = (seconds: number) => void (clock.time += seconds * 1000);
  for (const [name, run] of Object.entries(storeCases.deliveries)) it(name, () => run(deliveryStore(), pass));
});
