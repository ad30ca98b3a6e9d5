import { type App, route, setup, type Validator } from "@fw/core";

/**
 * What these routes need from a runtime. Each runtime passes different arguments with a request. The other files in
 * this folder convert them to this interface.
 */
export interface Environment {
  /** The name of the runtime. */
  readonly runtime: string;
  /** Returns the address of the client, if the runtime knows it. */
  clientAddress(request: Request): string | undefined;
  /** Has the runtime wait for work that goes on after the response, and log its errors. */
  waitUntil(work: Promise<unknown>): void;
  /** Aborted on SIGTERM. End endless streams then. */
  readonly stopping?: AbortSignal;
}

/** An entry in a guest book. */
interface Entry {
  readonly name: string;
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";

/** A validator whose schemas are type predicates. It keeps this example free of a schema library. */
const predicates: Validator = {
  validate: (schema, input, part) =>
    typeof schema === "function" && schema(input) === true
      ? { ok: true, value: input }
      : { ok: false, issues: [{ part, path: [], message: "Not accepted" }] },
};

let visits = 0;

/**
 * The same app on every runtime. It has no `onError`, so the runtime logs errors and answers 500.
 *
 * @param options Whether the server builds `request.url` only from what may be trusted: `.github/DEPLOYMENT.md` has the table.
 */
export const createApp = (options: { readonly trustUrl?: boolean } = {}): App<[environment: Environment]> =>
  setup({
    ...options,
    validator: predicates,
    maxBodyBytes: 64 * 1024,

    handlers: [
      route.get("/hello/:name", {
        resolve: ({ raw }, { runtime }: Environment) => new Response(`Hello ${raw.params.name}, from ${runtime}`),
      }),

      route.get("/address", {
        resolve: ({ request }, { clientAddress }: Environment) => new Response(clientAddress(request)),
      }),

      route.post("/guests", {
        request: { body: isEntry },
        resolve: ({ input }) =>
          input.ok
            // Send only the known properties: a deeply nested body would overflow the stack of Node.js in JSON.stringify.
            ? Response.json({ name: input.body.name }, { status: 201 })
            : Response.json(input.issues, { status: input.issues[0]?.code === "body_too_large" ? 413 : 400 }),
      }),

      // Answers immediately, and counts after the response.
      route.post("/visits", {
        resolve: (_, { waitUntil }: Environment) => {
          waitUntil(count());
          return new Response(null, { status: 202 });
        },
      }),
      route.get("/visits", { resolve: () => Response.json(visits) }),

      route.on(["GET", "HEAD"], "/page", {
        resolve: () => new Response("A page", { headers: { "x-page": "1", "content-type": "text/plain" } }),
      }),

      // Sends lines until the client disconnects or the server is stopped.
      route.get("/lines", {
        resolve: (_, { stopping }: Environment) =>
          new Response(lines(stopping), { headers: { "content-type": "text/plain" } }),
      }),

      route.get("/files/*", { resolve: ({ raw }) => Response.json(raw.params["*"]) }),

      route.get("/broken", {
        resolve: () => {
          throw new Error("The disk is full");
        },
      }),
      route.post("/broken", {
        resolve: (_, { waitUntil }: Environment) => {
          waitUntil(fail());
          return new Response(null, { status: 202 });
        },
      }),
    ],
  });

async function count(): Promise<void> {
  await pause(20);
  visits++;
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
