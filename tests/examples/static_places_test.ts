import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createPlaces as createServicePlaces } from "../../examples/service/places.ts";
import { streamFile } from "../../examples/service/stream_file.ts";
import { createPlaces } from "../../examples/static/places.ts";

/** Runs a test while timers only run by hand: returns those that are set. */
async function whileTimersStand(use: (timers: Map<number, () => void>) => Promise<void>): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Map<number, () => void>();
  let count = 0;
  Object.assign(globalThis, {
    setTimeout: (run: () => void) => (timers.set(++count, run), count),
    clearTimeout: (timer: number) => timers.delete(timer),
  });
  try {
    await use(timers);
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
}

/** A connection of Node.js 20, which does not tell of later responses that their client is gone. */
const SILENT = { incoming: { socket: { remoteAddress: "192.0.2.1" } }, outgoing: { once: () => {} } };

describe("the places of examples/static", () => {
  it("are free again after a minute in which nothing is read, and the responses are cut off", async () => {
    await whileTimersStand(async (timers) => {
      const inPlace = createPlaces();
      let cancelled = 0;
      const send = (length = "1000000") => {
        const body = new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1000)),
          cancel: () => void cancelled++,
        });
        const response = new Response(body, { headers: { "content-length": length } });
        return inPlace<Response>(response, new Request("http://localhost/"), SILENT as never);
      };
      const taken = Array.from({ length: 32 }, () => send()); // all of one connection
      assertEquals([taken.at(-1)?.status, send().status], [200, 503]);
      // Small ones are read completely: they take memory, and no file.
      assertEquals(send("1000").status, 200);
      timers.delete(33);
      // Whoever reads keeps the place.
      const reader = taken[0]?.body?.getReader();
      await reader?.read();
      assertEquals(timers.size, 32);
      for (const run of [...timers.values()].slice(0, -1)) run();
      timers.clear();
      assertEquals(cancelled, 1 + 31);
      await assertRejects(() => (taken[1] as Response).text(), Error, "The client has not read for a minute");
      await reader?.read();
      assertEquals(Array.from({ length: 32 }, () => send().status).filter((status) => status === 200).length, 31);
    });
  });

  it("are free again if the body has failed by then, as a file does, and no rejection is left unhandled", async () => {
    const unhandled: unknown[] = [];
    const note = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      unhandled.push(event.reason);
    };
    addEventListener("unhandledrejection", note);
    await whileTimersStand(async (timers) => {
      const inPlace = createPlaces();
      let file: ReadableStreamDefaultController | undefined;
      const body = new ReadableStream({ start: (controller) => void (file = controller) });
      const response = new Response(body, { headers: { "content-length": "1000000" } });
      const sent = inPlace<Response>(response, new Request("http://localhost/"), SILENT as never);
      file?.error(new Error("The file has not been read for a minute"));
      for (const run of timers.values()) run();
      await assertRejects(() => sent.text(), Error, "The client has not read for a minute");
    });
    await new Promise((resolve) => setTimeout(resolve));
    removeEventListener("unhandledrejection", note);
    assertEquals(unhandled, []);
  });
});

describe("the places of examples/service", () => {
  it("are free again after a minute in which nothing is read, and are given back once", async () => {
    await whileTimersStand(async (timers) => {
      const take = createServicePlaces({ total: 1, each: 1 });
      const place = take("192.0.2.1");
      const stream = streamFile("nowhere", 10, () => place?.[Symbol.dispose]());
      assertEquals(take("192.0.2.2"), undefined);
      for (const run of timers.values()) run();
      await assertRejects(() => new Response(stream).text(), Error, "The client has not read for a minute");
      place?.[Symbol.dispose]();
      assertEquals([take("192.0.2.2") === undefined, take("192.0.2.3") === undefined], [false, true]);
    });
  });
});
