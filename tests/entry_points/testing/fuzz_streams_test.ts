/** Whether `fuzz` judges what a stream sends later: what comes over it after a change of what it shows. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { type App, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { events, lines, replyEvents, replyLines } from "../../../src/events/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz } from "../../../src/testing/mod.ts";

const SEEDS = [1, 2, 3];
const invalid = denyInvalid(() => reply(400));
const title = z.object({ title: z.string().max(20) });
const item = z.object({ id: z.string(), title: z.string() });
type Item = z.infer<typeof item>;

/** Sends an event to one client. */
type Tell = (name: "title" | "gone", data: unknown) => void;

/** What an item sends to its watchers after a change. */
interface Changes {
  readonly onPatch?: (tell: Tell, item: Item) => void;
  readonly onDelete?: (tell: Tell, item: Item) => void;
  /** What the generator of the stream does with each event, before it sends it. */
  readonly look?: (name: string) => void;
}

/** Items, each with a stream: its title at once, then each change, until it is gone. */
const createItems = ({ onPatch, onDelete, look }: Changes, streams: { open: number; most: number }) => (): App => {
  const items = new Map<string, Item>();
  const watchers = new Map<string, Set<Tell>>();
  let last = 0;
  const tellAll = (id: string, change: ((tell: Tell, item: Item) => void) | undefined, item: Item) => {
    for (const tell of watchers.get(id) ?? []) change?.(tell, item);
  };
  return setup({
    validator: standardSchema,
    handlers: [
      route.post("/items", {
        request: { body: title },
        responses: { 201: { schema: item }, 400: {} },
        guards: [invalid],
        resolve: ({ input: { body } }) => {
          const made = { id: `item-${++last}`, title: body.title };
          items.set(made.id, made);
          return reply(201, made);
        },
      }),
      route.patch("/items/:id", {
        request: { body: title },
        responses: { 200: { schema: item }, 400: {}, 404: {} },
        guards: [invalid],
        resolve: ({ raw: { params: { id } }, input: { body } }) => {
          if (!items.has(id)) return reply(404);
          const next = { id, title: body.title };
          items.set(id, next);
          tellAll(id, onPatch, next);
          return reply(200, next);
        },
      }),
      route.delete("/items/:id", {
        responses: { 204: {}, 404: {} },
        resolve: ({ raw: { params: { id } } }) => {
          const found = items.get(id);
          if (found === undefined) return reply(404);
          items.delete(id);
          tellAll(id, onDelete, found);
          return reply(204);
        },
      }),
      route.get("/items/:id/changes", {
        responses: { 200: events({ title, gone: z.null() }), 404: {} },
        resolve: ({ raw: { params: { id } } }) => {
          const found = items.get(id);
          if (found === undefined) return reply(404);
          return replyEvents(200, async function* (signal, event) {
            const waiting: (readonly [name: "title" | "gone", data: unknown])[] = [];
            let wake = () => {};
            const tell: Tell = (name, data) => {
              waiting.push([name, data]);
              wake();
            };
            const here = watchers.get(id) ?? new Set();
            watchers.set(id, here.add(tell));
            signal.addEventListener("abort", () => wake());
            streams.most = Math.max(streams.most, ++streams.open);
            try {
              yield event("title", { title: found.title });
              while (!signal.aborted) {
                for (const [name, data] of waiting.splice(0)) {
                  look?.(name);
                  yield event(name as "title", data as { title: string });
                  if (name === "gone") return;
                }
                await new Promise<void>((resolve) => wake = resolve);
              }
            } finally {
              here.delete(tell);
              streams.open--;
            }
          });
        },
      }),
    ],
  });
};

const tellTitle = (tell: Tell, { title }: Item) => tell("title", { title });
const tellGone = (tell: Tell) => tell("gone", null);

/** The faults that each seed finds. */
async function faultsOf(changes: Changes) {
  const streams = { open: 0, most: 0 };
  const found: string[][] = [];
  const requests: (readonly string[])[] = [];
  for (const seed of SEEDS) {
    const faults = await fuzz(createItems(changes, streams), { fc, seed, runs: 8 });
    found.push(faults.map(({ fault }) => fault.replace(/ at .*/, "")));
    requests.push(...faults.map(({ requests }) => requests));
  }
  return { found, requests, streams };
}

describe("what a stream sends after a change", () => {
  it("is held to the declared events: wrong data after a PATCH", async () => {
    const { found, requests } = await faultsOf({ onPatch: (tell, { title }) => tell("title", title) });
    const fault =
      "GET /items/:id/changes: item 2 of response 200 must fit its schema: Invalid input: expected object, " +
      "received string";
    assertEquals(found, SEEDS.map(() => [fault]));
    // The shortest requests: the stream stays open while the item changes.
    assertEquals(requests[0]?.slice(1, 2), [
      'await fetch("http://localhost:8000/items/item-1/changes") // stays open: read on after the other requests',
    ]);
    assertEquals(requests.map(({ length }) => length), SEEDS.map(() => 3));
    assertEquals(requests.map((shown) => shown.at(-1)?.includes('method: "PATCH"')), SEEDS.map(() => true));
  });

  it("is held to the declared events: one of another name after a DELETE", async () => {
    const { found } = await faultsOf({ onPatch: tellTitle, onDelete: (tell) => tell("deleted" as "gone", null) });
    const fault = "GET /items/:id/changes: item 2 of response 200 must be an event that is declared: received deleted";
    assertEquals(
      found.map((faults) => faults.map((each) => each.replace(/item \d/, "item 2"))),
      SEEDS.map(() => [fault]),
    );
  });

  it("may be an error, which breaks the stream off", async () => {
    const look = (name: string) => {
      if (name === "gone") throw new RangeError("There is no item");
    };
    const { found } = await faultsOf({ onPatch: tellTitle, onDelete: tellGone, look });
    assertEquals(found, SEEDS.map(() => ["GET /items/:id/changes: throws RangeError: There is no item"]));
  });

  it("raises no alarm where it is declared, or where nothing comes", async () => {
    assertEquals((await faultsOf({})).found, SEEDS.map(() => []));
    const { found, streams } = await faultsOf({ onPatch: tellTitle, onDelete: tellGone });
    assertEquals(found, SEEDS.map(() => []));
    // One at a time, and none is left open.
    await new Promise((resolve) => setTimeout(resolve, 0));
    assertEquals(streams, { open: 0, most: 1 });
  });

  it("is that of any change, where the path of the stream names nothing", async () => {
    const create = () => {
      const waiting: number[] = [];
      let wake = () => {};
      return setup({
        validator: standardSchema,
        handlers: [
          route.post("/orders", {
            responses: { 204: {} },
            resolve: () => {
              waiting.push(1.5);
              wake();
              return reply(204);
            },
          }),
          route.get("/live", {
            responses: { 200: lines(z.int()) },
            resolve: () =>
              replyLines(200, async function* (signal) {
                signal.addEventListener("abort", () => wake());
                waiting.length = 0;
                while (!signal.aborted) {
                  yield* waiting.splice(0);
                  await new Promise<void>((resolve) => wake = resolve);
                }
              }),
          }),
        ],
      });
    };
    for (const seed of SEEDS) {
      const faults = await fuzz(create, { fc, seed, runs: 4 });
      assertEquals(faults.map(({ endpoint, kind }) => [endpoint, kind]), [["GET /live", "undeclared"]]);
    }
  });
});
