import { assertEquals, assertMatch, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint } from "../../../mod.ts";
import { createClient, UnexpectedResponse } from "../../../src/client/mod.ts";
import { events, resume, type ResumedCall, type ResumeOptions } from "../../../src/events/mod.ts";

const responses = { 200: events(z.number()), 204: {}, 401: { schema: z.string() }, 429: {}, 503: {} };
const api = { count: endpoint.get("/count", { responses }), work: endpoint.post("/work", { responses }) };

/** What a server answers, call by call. An error is that of the network. */
type Turn = string | number | Response | Error;

/** A server and a client of it, and the `last-event-id` of each request. */
function serve(...turns: readonly Turn[]) {
  const ids: (string | null)[] = [];
  const fetch = (request: Request): Response => {
    const turn = turns[ids.push(request.headers.get("last-event-id")) - 1] ?? 204;
    if (turn instanceof Error) throw turn;
    if (turn instanceof Response) return turn;
    if (typeof turn === "number") return turn === 401 ? Response.json("Sign in", { status: 401 }) : status(turn);
    return new Response(turn, { headers: { "content-type": "text/event-stream" } });
  };
  return { ids, client: createClient(api, { fetch }) };
}

function status(status: number): Response {
  return new Response(null, { status });
}

/** Reads the data of all events of a client, and the error that ends them. */
async function readAll(
  { client }: ReturnType<typeof serve>,
  options: ResumeOptions = { retries: 3 },
): Promise<readonly unknown[]> {
  const read: unknown[] = [];
  try {
    for await (const { data } of resume((init) => client.count(init), options)) read.push(data);
  } catch (error) {
    read.push(error);
  }
  return read;
}

const QUICK = "retry: 1\n\n";

/** The pauses of a test, in milliseconds. */
const pauses: number[] = [];

function assertPauses(least: readonly number[]): void {
  assertEquals(pauses.length, least.length);
  for (const [index, pause] of pauses.entries()) {
    const expected = least[index] ?? 0;
    const isAsExpected = pause >= expected && pause <= Math.min(1.5 * expected, 2 ** 31 - 1);
    assertEquals([index, isAsExpected ? expected : pause], [index, expected]);
  }
}

describe("resume()", () => {
  const { setTimeout: wait } = globalThis;
  beforeEach(() => {
    pauses.length = 0;
    // The pauses themselves would take minutes.
    globalThis.setTimeout = ((run: () => void, milliseconds: number) => {
      pauses.push(milliseconds);
      return wait(run, 0);
    }) as typeof setTimeout;
  });
  afterEach(() => {
    globalThis.setTimeout = wait;
  });

  it("throws at once for an unknown option, and for retries that are not a number", () => {
    const resuming = (options: object) => () => resume(() => Promise.reject(), options as ResumeOptions);
    assertThrows(resuming({ retires: 3 }), TypeError, 'Option "retires" of resume is unknown: did you mean retries?');
    for (const retries of [undefined, "3", NaN, -1]) {
      const { message } = assertThrows(resuming({ retries }), TypeError);
      assertMatch(message, /^Option "?retries"? of resume (?:is undefined|must be a number from 0)/);
    }
  });

  it("calls again with the id of the last event, and ends with 204", async () => {
    const served = serve(
      `${QUICK}id: 1\ndata: 1\n\n`,
      "data: 2\n\nid: a b\ndata: 3\n\nid: lost\ndata: 4",
      "id: \u20AC\n\n",
      204,
    );
    assertEquals(await readAll(served), [1, 2, 3]);
    assertEquals(served.ids, [null, "1", "a b", "\xE2\x82\xAC"]);
  });

  it("sends no id once the server has emptied it", async () => {
    const served = serve(`${QUICK}id: 1\ndata: 1\n\n`, "id\ndata: 2\n\n");
    assertEquals(await readAll(served), [1, 2]);
    assertEquals(served.ids, [null, "1", null]);
  });

  it("calls again after a network error, 429 and any status from 500, declared or not", async () => {
    const served = serve(`${QUICK}id: 1\ndata: 1\n\n`, new TypeError("Network"), 429, 503, "data: 2\n\n", 500, 502);
    assertEquals(await readAll(served, { retries: 4 }), [1, 2]);
    assertEquals(served.ids.slice(1), Array.from({ length: 7 }, () => "1"));
  });

  it("calls again after a connection that has broken", async () => {
    let turn = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (turn++ === 0) controller.enqueue(new TextEncoder().encode(`${QUICK}id: 1\ndata: 1\n\n`));
        else controller.error(new Error("The connection is gone"));
      },
    }, { highWaterMark: 0 });
    const served = serve(new Response(body, { headers: { "content-type": "text/event-stream" } }), "data: 2\n\n");
    assertEquals(await readAll(served), [1, 2]);
    assertEquals(served.ids, [null, "1", "1"]);
  });

  it("throws the last error when it has called as often as it may without an event in between", async () => {
    const failure = new TypeError("Network");
    const served = serve(QUICK, failure, QUICK, "data: 1\n\n", 503, QUICK, failure, failure, "data: 2\n\n");
    const [one, error, ...others] = await readAll(served);
    assertEquals([one, others, served.ids.length], [1, [], 7]);
    assertStrictEquals(error, failure);
    const [ended] = await readAll(serve(QUICK), { retries: 0 });
    assertEquals(`${ended}`, "Error: The stream has ended");
  });

  it("goes on as long as the server lives: a heartbeat is a sign of life, also without events", async () => {
    const quiet = Array.from({ length: 20 }, () => `${QUICK}: still here\n\n`);
    const served = serve(...quiet, "data: 1\n\n");
    assertEquals(await readAll(served), [1]);
    assertEquals(served.ids.length, 22);
    // The pauses do not grow either.
    assertPauses(Array(21).fill(100));
  });

  it("throws for an id that no header can have, in place of calling for ever", async () => {
    for (const id of ["a\x01", "\x7f", "  a", "a ", "\ta", "x".repeat(2001)]) {
      const served = serve(`id: ${id}\ndata: 1\n\n`, "data: 2\n\n");
      const [one, error, ...others] = await readAll(served, { retries: Infinity });
      assertEquals([one, others, served.ids.length], [1, [], 1], id);
      assertMatch(
        `${error}`,
        /^TypeError: The id of an event must fit into a header, .* received one of \d+ characters$/,
      );
    }
    const served = serve("id: é 日\ndata: 1\n\n", "data: 2\n\n");
    assertEquals(await readAll(served), [1, 2]);
    assertEquals(served.ids[1], String.fromCharCode(...new TextEncoder().encode("é 日")));
    assertEquals(await readAll(serve(`id: ${"x".repeat(2000)}\ndata: 1\n\n`, "data: 2\n\n")), [1, 2]);
  });

  it("throws at once what another call would not change: another response, and an event that is not JSON", async () => {
    const answers = [
      [401, "TypeError: resume() needs a response of events: received status 401"],
      [404, "UnexpectedResponse: GET http://localhost/count has answered 404"],
      [
        `${QUICK}data: {\n\n`,
        "UnexpectedResponse: GET http://localhost/count has answered 200, with another body than declared",
      ],
      [
        Response.json(1),
        "UnexpectedResponse: GET http://localhost/count has answered 200, with another body than declared",
      ],
    ] as const;
    for (const [answer, message] of answers) {
      const served = serve(answer, "data: 1\n\n");
      const [error] = await readAll(served);
      assertEquals([`${error}`, served.ids.length], [message, 1]);
    }
    const aborted = new DOMException("Somebody else's signal", "AbortError");
    const served = serve(aborted, "data: 1\n\n");
    assertEquals(await readAll(served), [aborted]);
  });

  it("throws the error of the server at the end of its retries, and cancels what is not read", async () => {
    let cancelled = 0;
    const unread = () => new Response(new ReadableStream({ cancel: () => void cancelled++ }), { status: 503 });
    const [error] = await readAll(serve(`${QUICK}data: 1\n\n`, unread(), unread()), { retries: 2 }).then((read) =>
      read.slice(1)
    );
    assertEquals(`${error}`, "TypeError: resume() needs a response of events: received status 503");
    assertEquals(cancelled, 2);
  });

  it("calls no other method than GET again, and ends the call", async () => {
    const served = serve("data: 1\n\n", "data: 2\n\n");
    const work = resume((init) => served.client.work(init), { retries: 3 });
    await assertRejects(() => work.next(), TypeError, "resume() may repeat GET only: received POST");
    assertEquals(served.ids.length, 1);
  });

  it("ends the call when the loop is left", async () => {
    let cancelled = 0;
    let turn = 0;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(`data: ${++turn}\n\n`)),
      cancel: () => void cancelled++,
    }, { highWaterMark: 0 });
    const served = serve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
    for await (const { data } of resume((init) => served.client.count(init), { retries: 3 })) if (data === 2) break;
    assertEquals([cancelled, turn, served.ids.length], [1, 2, 1]);
  });

  it("ends with the reason of its signal: before a call, in a call, and in the pause between two", async () => {
    globalThis.setTimeout = wait;
    const reason = new Error("Enough");
    const aborter = new AbortController();
    const inits: ResumedCall[] = [];
    const { client } = serve("retry: 2147483647\ndata: 1\n\n");
    const counts = resume((init) => {
      inits.push(init);
      return client.count(init);
    }, { retries: 3, signal: aborter.signal });
    assertEquals((await counts.next()).value?.data, 1);
    const paused = counts.next();
    setTimeout(() => aborter.abort(reason), 5);
    assertStrictEquals(await assertRejects(() => paused), reason);
    assertEquals(inits, [{ headers: {}, signal: aborter.signal }]);

    const served = serve("data: 1\n\n");
    assertEquals(await readAll(served, { retries: 3, signal: AbortSignal.abort(reason) }), [reason]);
    assertEquals(served.ids, []);

    const other = new AbortController();
    const { client: waiting } = serve(
      new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } }),
    );
    const next = resume((init) => waiting.count(init), { retries: 3, signal: other.signal }).next();
    setTimeout(() => other.abort(reason), 5);
    assertStrictEquals(await assertRejects(() => next), reason);
  });

  it("pauses for retry, then for up to twice as long each time, to half a minute", async () => {
    const failures = Array.from({ length: 7 }, () => 503);
    await readAll(serve(...failures, "retry: 40000\ndata: 1\n\n", 503, "retry: 9999999999999\ndata: 1\n\n"), {
      retries: 9,
    });
    assertPauses([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 40_000, 40_000, 2 ** 31 - 1]);
  });

  it("pauses after retry: 0, too, and longer each time, however often it calls", async () => {
    await readAll(serve("retry: 0\ndata: 1\n\n", "data: 2\n\n", 503, 503, "data: 3\n\n"));
    assertPauses([100, 100, 200, 400, 100]);
    pauses.length = 0;
    const failures = Array.from({ length: 1100 }, () => 503);
    await readAll(serve("retry: 0\n\n", ...failures), { retries: Infinity });
    assertPauses([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, ...Array.from({ length: 1092 }, () => 30_000)]);
  });

  it("throws an UnexpectedResponse for a page of a proxy in place of events", async () => {
    const [error] = await readAll(serve(new Response("<h1>", { headers: { "content-type": "text/html" } })));
    assertEquals(error instanceof UnexpectedResponse, true);
  });
});
