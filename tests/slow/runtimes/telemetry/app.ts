/** An app whose requests are recorded. `/recorded` responds with the spans since it was last asked, and the metrics. */
import { z } from "zod";
import { allow, reply, route, setup } from "../../../../mod.ts";
import { events, lines, replyEvents, replyLines } from "../../../../src/events/mod.ts";
import { telemetry, traceCalls } from "../../../../src/telemetry/mod.ts";
import { api, readMetrics, type RecordedSpan, takeSpans } from "../../../telemetry/record.ts";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const store = traceCalls(api, "books", {
  async find(id: string) {
    await pause(1);
    return { id };
  },
});

/** Lets the stream of events go on. */
let next = () => {};

const recorded = telemetry(
  api,
  setup({
    handlers: [
      route.get("/books/:id", {
        guards: [async () => {
          await pause(1);
          return allow();
        }],
        resolve: async (c) => reply(200, await store.find(c.raw.params.id)),
      }),
      route.get("/broken", {
        resolve: () => {
          throw new RangeError("broken");
        },
      }),
      route.get("/events", {
        responses: { 200: events(z.int()) },
        resolve: () =>
          replyEvents(200, async function* (_signal, event) {
            yield event("message", 1);
            await new Promise<void>((resolve) => next = resolve);
            await store.find("1");
            yield event("message", 2);
          }),
      }),
      route.get("/lines", {
        responses: { 200: lines(z.int()) },
        resolve: () =>
          replyLines(200, async function* (signal) {
            for (let count = 1; !signal.aborted; count++) {
              yield count;
              await pause(10);
            }
          }),
      }),
      route.get("/waits", {
        resolve: ({ request: { signal } }) =>
          new Promise<Response>((_, reject) => {
            signal.addEventListener("abort", () => reject(new DOMException("The client has left", "AbortError")));
          }),
      }),
    ],
    onError: () => reply(500),
  }),
);

/** What `/recorded` responds with. */
export interface Recorded {
  readonly spans: readonly RecordedSpan[];
  readonly measured: Awaited<ReturnType<typeof readMetrics>>;
}

export const app = {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/next") {
      next();
      return new Response();
    }
    if (pathname !== "/recorded") return await recorded.fetch(request);
    const recordedSoFar: Recorded = { spans: takeSpans(), measured: await readMetrics() };
    return Response.json(recordedSoFar);
  },
};
