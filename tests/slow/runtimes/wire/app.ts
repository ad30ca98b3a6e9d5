/** The application for the wire tests, the same on every runtime. */
import process from "node:process";
import { type Allow, allow, type App, beforeBody, type Context, deny, route, setup } from "../../../../mod.ts";
import { form } from "../../../../src/body/mod.ts";

const MEGABYTE = new Uint8Array(1_000_000);

/** The state of each streamed response, served at `/streams/:id`. */
const streams = new Map<string, { pulled: number; cancelled: boolean }>();

/** The errors that `onError` received. */
const errors: string[] = [];

/** How many requests have come to the guards before the body. */
let begun = 0;
const counting = beforeBody(() => (begun++, allow()));

/** The codes of the issues that handlers saw, in order. A client that has disconnected does not see the response. */
const issues: (string | undefined)[] = [];

/** Lets the requests continue that wait before their body is read. */
let release: (() => void)[] = [];
const waiting = beforeBody(() => new Promise<Allow>((resolve) => release.push(() => resolve(allow()))));

/** Responds with the body, or with the codes of its issues. */
function answer({ input }: Pick<Context, "input">): Response {
  if (input.ok) return Response.json(input.body);
  const codes = input.issues.map((issue) => issue.code);
  issues.push(...codes);
  return Response.json(codes);
}

const authorized = route.with({
  guards: [(c) => c.request.headers.has("authorization") ? allow() : deny(new Response("denied", { status: 401 }))],
});

export const app: App = setup({
  trustUrl: process.argv.includes("--trust-url"),
  validator: { validate: (_schema, value) => ({ ok: true, value }) },
  handlers: [
    route.get("/public", { resolve: () => new Response("public") }),
    route.get("/b", { resolve: () => new Response("b") }),
    authorized.all("/admin", { resolve: () => new Response("admin") }),
    route.get("/files/*", { resolve: (c) => Response.json(c.raw.params["*"]) }),
    route.get("/one/:value", { resolve: (c) => Response.json(c.raw.params.value) }),
    route.get("/query", { resolve: (c) => Response.json(c.raw.query) }),
    route.get("/headers", {
      request: { headers: {}, cookies: {} },
      resolve: (c) => Response.json({ headers: c.raw.headers, cookies: c.raw.cookies }),
    }),
    route.post("/early", {
      request: { body: {} },
      guards: [beforeBody(() => deny(new Response("denied early", { status: 401 })))],
      resolve: () => new Response("early"),
    }),
    route.post("/form", {
      request: { body: {}, bodyReader: form, maxBodyBytes: 1000 },
      guards: [counting],
      resolve: answer,
    }),
    route.post("/bounded", {
      request: { body: {}, maxBodyBytes: 8 },
      guards: [counting],
      resolve: answer,
    }),
    // A body that is announced is read at once, since it has at most a third of the bytes of the bound.
    route.post("/roomy", {
      request: { body: {}, maxBodyBytes: 10_000 },
      guards: [counting],
      resolve: answer,
    }),
    route.post("/unbounded", {
      request: { body: {} },
      guards: [counting],
      resolve: answer,
    }),
    route.post("/late/json", {
      request: { body: {}, maxBodyBytes: 1000 },
      guards: [waiting],
      resolve: answer,
    }),
    route.post("/late/form", {
      request: { body: {}, bodyReader: form, maxBodyBytes: 1000 },
      guards: [waiting],
      resolve: answer,
    }),
    route.get("/late", { resolve: () => Response.json(release.length) }),
    route.post("/release", {
      resolve: () => {
        for (const proceed of release) proceed();
        release = [];
        return new Response();
      },
    }),
    // A gigabyte, produced on demand in pieces of a megabyte. This shows the cost of a slow or disconnected reader.
    route.get("/stream/:id", {
      resolve: (c) => {
        const stream = { pulled: 0, cancelled: false };
        streams.set(c.raw.params.id, stream);
        return new Response(
          new ReadableStream({
            async pull(controller) {
              await pause(0);
              controller.enqueue(MEGABYTE);
              if (++stream.pulled === 1000) controller.close();
            },
            cancel() {
              stream.cancelled = true;
            },
          }, { highWaterMark: 0 }),
        );
      },
    }),
    route.get("/streams/:id", { resolve: (c) => Response.json(streams.get(c.raw.params.id) ?? null) }),
    route.get("/broken-stream", {
      resolve: () => {
        let turn = 0;
        return new Response(
          new ReadableStream({
            async pull(controller) {
              await pause(10);
              if (turn++ === 0) controller.enqueue(new TextEncoder().encode("first"));
              else controller.error(new Error("the stream breaks"));
            },
          }),
        );
      },
    }),
    route.get("/throws", {
      resolve: () => {
        throw new Error("secret");
      },
    }),
    route.get("/errors", { resolve: () => Response.json(errors) }),
    route.get("/issues", { resolve: () => Response.json(issues) }),
    route.get("/begun", { resolve: () => Response.json(begun) }),
  ],
  onError: ({ error }) => {
    errors.push(String(error));
    return new Response("error", { status: 500 });
  },
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
