import { type App, type Context, reply, route, setup, type Validator } from "@fw/core";
import type { AfterResponse } from "./background.ts";

/**
 * What these routes need from a runtime. Each runtime passes different arguments with a request. The other files in
 * this folder convert them to this interface.
 */
export interface Environment {
  readonly runtime: string;
  /** Returns the address of the client, if the runtime knows it. */
  clientAddress(request: Request): string | undefined;
  /** Runs work after the response, and logs its errors. */
  readonly afterResponse: AfterResponse;
  /** Aborted on SIGTERM. End endless streams then. */
  readonly stopping?: AbortSignal;
}

const isEntry = (value: unknown): value is { readonly name: string } =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";

/** A validator whose schemas are type predicates. It keeps this example free of a schema library. */
const predicates: Validator = {
  validate: (schema, input, part) =>
    typeof schema === "function" && schema(input) === true
      ? { ok: true, value: input }
      : { ok: false, issues: [{ part, path: [], message: "Not accepted" }] },
};

/** Responses without a schema: `reply` takes a ready `Response`. */
const text = { contentType: "text/plain" } as const;
const json = { contentType: "application/json" } as const;

/** A route that responds at once, and goes on with its work after the response. */
const startWork = (work: (signal: AbortSignal) => Promise<void>) => ({
  responses: { 202: { description: "Accepted" }, 503: { description: "Too much work is waiting" } },
  resolve: (_: Context, { afterResponse }: Environment) => afterResponse(work) ? reply(202) : busy(),
});

let visits = 0;

/**
 * The same app on every runtime. It has no `onError`, so the runtime logs errors and responds with 500.
 * `.github/manual/deployment.md` tells which servers build `request.url` only from what may be trusted.
 */
export const createApp = (options: { readonly trustUrl?: boolean } = {}): App<[environment: Environment]> =>
  setup({
    ...options,
    validator: predicates,
    maxBodyBytes: 64 * 1024,

    handlers: [
      route.get("/hello/:name", {
        responses: { 200: text },
        resolve: ({ raw }, { runtime }: Environment) =>
          reply(200, new Response(`Hello ${raw.params.name}, from ${runtime}`)),
      }),

      route.get("/address", {
        responses: { 200: text },
        resolve: ({ request }, { clientAddress }: Environment) => reply(200, new Response(clientAddress(request))),
      }),

      route.post("/guests", {
        request: { body: isEntry },
        responses: { 201: { schema: isEntry }, 400: json, 413: json, 503: {} },
        resolve: ({ input }, { stopping }: Environment) => {
          // Send only the known properties: a deeply nested body would overflow the stack of Node.js in JSON.stringify.
          if (input.ok) return reply(201, { name: input.body.name });
          const code = input.issues[0]?.code;
          // After SIGTERM, Deno stops reading bodies that are still arriving. The client can retry, and reaches another
          // instance.
          if (stopping?.aborted && code === "incomplete_body") return busy();
          const status = code === "body_too_large" ? 413 : 400;
          return reply(status, Response.json(input.issues, { status }));
        },
      }),

      route.post("/visits", startWork(count)),
      route.get("/visits", { responses: { 200: json }, resolve: () => reply(200, Response.json(visits)) }),

      // Takes a second. On SIGTERM, the mail is still sent.
      route.post("/mails", startWork(sendMail)),

      route.on(["GET", "HEAD"], "/page", {
        responses: { 200: text },
        resolve: () => reply(200, new Response("A page", { headers: { "x-page": "1", "content-type": "text/plain" } })),
      }),

      // Sends lines until the client disconnects or the server is stopped.
      route.get("/lines", {
        responses: { 200: text },
        resolve: (_, { stopping }: Environment) =>
          reply(200, new Response(lines(stopping), { headers: { "content-type": "text/plain" } })),
      }),

      route.get("/files/*", {
        responses: { 200: json },
        resolve: ({ raw }) => reply(200, Response.json(raw.params["*"])),
      }),

      route.get("/broken", {
        resolve: () => {
          throw new Error("The disk is full");
        },
      }),
      route.post("/broken", startWork(fail)),
    ],
  });

function busy() {
  return reply(503, undefined, { headers: { "retry-after": "1" } });
}

async function count(): Promise<void> {
  await pause(20);
  visits++;
}

async function sendMail(signal: AbortSignal): Promise<void> {
  await pause(1000); // a real one passes the signal on: `fetch(mailServer, { method: "POST", body, signal })`
  signal.throwIfAborted();
  console.log("The mail is sent");
}

async function fail(): Promise<void> {
  await pause(20);
  throw new Error("The mail server is gone");
}

function lines(stopping: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let line = 0;
  return new ReadableStream({
    async pull(controller) {
      await pause(20);
      if (stopping?.aborted) controller.close();
      else controller.enqueue(encoder.encode(`line ${++line}\n`));
    },
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
