/** The application for the tests of streams, the same on every runtime. */
import { z } from "zod";
import { type App, endpoint, reply, route, setup } from "../../../../mod.ts";
import { events, lines, replyEvents, replyLines } from "../../../../src/events/mod.ts";

const tick = events({ tick: z.object({ n: z.int(), text: z.string().optional() }) });
const state = z.object({ taken: z.int(), ended: z.int(), errors: z.array(z.string()) });

export const api = {
  /** Sends one event, and waits until the stream ends. */
  wait: endpoint.get("/wait/:id", { responses: { 200: tick } }),
  /** Sends an event every few milliseconds. */
  yields: endpoint.get("/yields/:id", { responses: { 200: tick } }),
  /** Sends one event, and then waits for something else than the end of the stream. */
  deaf: endpoint.get("/deaf/:id", { responses: { 200: tick } }),
  /** Waits before the first event. */
  silent: endpoint.get("/silent/:id", { responses: { 200: tick } }),
  /** Sends large events as fast as the client reads. */
  flood: endpoint.get("/flood/:id", { responses: { 200: tick } }),
  /** Sends one event, and fails. */
  fails: endpoint.get("/fails/:id", { responses: { 200: tick } }),
  /** Sends events up to a number of them, from the one after `last-event-id`. */
  counts: endpoint.on(["GET", "HEAD"], "/counts/:id", { responses: { 200: tick } }),
  /** Sends a thousand lines in batches. */
  rows: endpoint.get("/rows/:id", { responses: { 200: lines(z.object({ id: z.int() })) } }),
  /** What has become of a stream. */
  state: endpoint.get("/state/:id", { responses: { 200: { schema: state } } }),
};

/** What has become of a stream: how many items it has made, how often its `finally` has run, its errors. */
interface State {
  taken: number;
  ended: number;
  readonly errors: string[];
}

/**
 * Creates the application.
 *
 * @param stopping Aborted when the server stops. Without it, streams end with their requests.
 */
export function createApp(stopping?: AbortSignal): App {
  const states = new Map<string, State>();
  const stateOf = (id: string): State => {
    const known = states.get(id) ?? { taken: 0, ended: 0, errors: [] };
    states.set(id, known);
    return known;
  };
  const optionsOf = (state: State, { signal }: Request) => ({
    signal: stopping ?? signal,
    onError: (error: unknown) => state.errors.push(`${error}`),
  });

  return setup({
    handlers: [
      route.on(api.wait, {
        resolve: ({ raw, request }) => {
          const state = stateOf(raw.params.id);
          return replyEvents(200, async function* (signal, event) {
            try {
              yield event("tick", { n: ++state.taken });
              await aborted(signal);
            } finally {
              state.ended++;
            }
          }, { ...optionsOf(state, request), heartbeat: 0.02 });
        },
      }),
      route.on(api.yields, {
        resolve: ({ raw, request }) => {
          const state = stateOf(raw.params.id);
          return replyEvents(200, async function* (_signal, event) {
            try {
              for (;;) {
                yield event("tick", { n: ++state.taken });
                await pause(5);
              }
            } finally {
              state.ended++;
            }
          }, optionsOf(state, request));
        },
      }),
      route.on(api.deaf, {
        resolve: ({ raw, request }) => {
          const state = stateOf(raw.params.id);
          return replyEvents(200, async function* (_signal, event) {
            try {
              yield event("tick", { n: ++state.taken });
              await pause(500);
              yield event("tick", { n: ++state.taken });
            } finally {
              state.ended++;
            }
          }, optionsOf(state, request));
        },
      }),
      route.on(api.silent, {
        resolve: ({ raw, request }) => {
          const state = stateOf(raw.params.id);
          return replyEvents(200, async function* (signal, event) {
            try {
              await aborted(signal);
              yield event("tick", { n: 1 });
            } finally {
              state.ended++;
            }
          }, { ...optionsOf(state, request), heartbeat: 1 });
        },
      }),
      route.on(api.flood, {
        resolve: ({ raw, request }) => {
          const state = stateOf(raw.params.id);
          const text = "x".repeat(10_000);
          return replyEvents(200, async function* (_signal, event) {
            try {
              for (;;) {
                yield event("tick", { n: ++state.taken, text });
                if (state.taken % 50 === 0) await pause(0);
              }
            } finally {
              state.ended++;
            }
          }, optionsOf(state, request));
        },
      }),
      route.on(api.fails, {
        resolve: ({ raw, request }) => {
          const state = stateOf(raw.params.id);
          return replyEvents(200, async function* (_signal, event) {
            try {
              yield event("tick", { n: ++state.taken });
              await pause(20);
              throw new Error("the database secret");
            } finally {
              state.ended++;
            }
          }, optionsOf(state, request));
        },
      }),
      route.on(api.counts, {
        resolve: ({ raw, request }) => {
          const state = stateOf(raw.params.id);
          const last = Number(request.headers.get("last-event-id") ?? 0);
          return replyEvents(200, async function* (_signal, event) {
            try {
              for (let n = last + 1; n <= last + 3; n++) {
                state.taken++;
                yield event("tick", { n }, { id: `${n}` });
              }
            } finally {
              state.ended++;
            }
          }, { ...optionsOf(state, request), retry: 0.01 });
        },
      }),
      route.on(api.rows, {
        resolve: ({ raw, request }) => {
          const state = stateOf(raw.params.id);
          return replyLines(200, async function* (_signal, batch) {
            for (let first = 1; first < 1000; first += 100) {
              await pause(0);
              yield batch(Array.from({ length: 100 }, (_, index) => ({ id: first + index })));
            }
          }, optionsOf(state, request));
        },
      }),
      route.on(api.state, { resolve: ({ raw }) => reply(200, stateOf(raw.params.id)) }),
    ],
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
