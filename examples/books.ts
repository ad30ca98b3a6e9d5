// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/books.ts
//
// With Deno 2.5 or later installed: deno serve --host 127.0.0.1 examples/books.ts
//
// The list API: cursor pagination, two versions, deprecation, validation, on a real database.
//
// It prints an address to open, and the store. By default, the books are stored in memory. To store them in a file:
// BOOKS_DB=books.db \
//   deno serve --host 127.0.0.1 --allow-env=DATABASE_URL,BOOKS_DB --allow-read=books.db --allow-write=books.db examples/books.ts
//
// To store them in PostgreSQL, shared by any number of instances:
// DATABASE_URL=postgres://user:password@localhost:5432/books \
//   deno serve --host 127.0.0.1 --allow-env=DATABASE_URL,BOOKS_DB --allow-net=localhost:5432 examples/books.ts

import { denyInvalid, type InvalidInput, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { answerError, replyUnavailable } from "./books/answer_error.ts";
import * as api from "./books/api.ts";
import { checkReady } from "./books/check_ready.ts";
import { startDeadline } from "./books/deadline.ts";
import { readIdempotencyKey } from "./books/idempotency_key.ts";
import { openStore } from "./books/open_store.ts";
import { type PageQuery, readPage } from "./books/page.ts";
import { toV2 } from "./books/shapes.ts";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";

let storeLine = "";
const store = await openStore((line) => storeLine = line);

const stopping = stopOnSigterm();

// The framework only reports invalid input, and sends no response. This guard sends one.
const validQuery = denyInvalid(replyInvalid);

/** A deprecation: when it began, when the resource stops working, and the url of the migration guide. */
const V1 = {
  since: new Date("2026-07-01"),
  sunset: new Date("2028-01-01"),
  docs: "https://example.com/docs/from-v1-to-v2",
};

const POPULAR: typeof V1 = {
  since: new Date("2026-10-01"),
  sunset: new Date("2027-10-01"),
  docs: "https://example.com/docs/from-popular-to-top",
};

const app = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,

  handlers: [
    // The endpoint has the path, the schemas and the responses. The types come from the schemas: `input.query` has the output
    // type of `pageQuery`. The compiler rejects a status that the endpoint lacks, and a body that does not fit its schema.
    route.on(api.listBooks, { guards: [validQuery], resolve: ({ input }) => list(input.query) }),

    // Without a schema, read the raw input. Its keys are the names in the pattern: `raw.params.ID` does not compile.
    route.on(api.getBook, {
      resolve: async ({ raw }) => {
        const found = await store.get(raw.params.id);
        return found === undefined ? replyNotFound() : reply(200, found);
      },
    }),

    // The framework reads the body, as JSON, because there is a schema for it.
    route.on(api.createBook, {
      guards: [
        readIdempotencyKey,
        denyInvalid((input) => {
          // After SIGTERM, Deno stops reading bodies that are still arriving.
          if (stopping.aborted && input.issues.some(({ code }) => code === "incomplete_body")) {
            return replyUnavailable();
          }
          return input.issues.some(({ code }) => code === "body_too_large")
            ? reply(413, { error: "Body too large", issues: input.issues })
            : replyInvalid(input);
        }),
      ],
      resolve: async ({ input: { body }, locals }) => {
        const created = await store.create(body, locals.idempotencyKey);
        if (created.title !== body.title || created.authorId !== body.authorId) {
          return reply(422, { error: "The Idempotency-Key was used for another book" });
        }
        return reply(201, created, { headers: { location: `/books/${created.id}` } });
      },
    }),

    route.on(api.deleteBook, {
      resolve: async ({ raw }) => await store.delete(raw.params.id) ? reply(204) : replyNotFound(),
    }),

    // The whole version is deprecated: see onResponse.
    route.on(api.listBooksV1, { guards: [validQuery], resolve: ({ input }) => list(input.query) }),

    route.on(api.listBooksV2, { guards: [validQuery], resolve: ({ input }) => listV2(input.query) }),

    route.on(api.listTopBooks, { guards: [validQuery], resolve: ({ input }) => listV2(input.query, { top: true }) }),

    // Only this route is deprecated, so the handler adds the headers, also to the response to invalid input.
    route.on(api.listPopularBooks, {
      resolve: async ({ input }) =>
        deprecate(input.ok ? await listV2(input.query, { top: true }) : replyInvalid(input), POPULAR),
    }),

    // A deprecated field: see `api.getBookV2`.
    route.on(api.getBookV2, {
      resolve: async ({ raw }) => {
        const deadline = startDeadline();
        const found = await store.get(raw.params.id, deadline);
        const [shown] = found === undefined ? [] : await toV2([found], store, deadline);
        return shown === undefined
          ? replyNotFound()
          : reply(200, { ...shown, author_name: shown.author?.name ?? null });
      },
    }),

    // For a load balancer, which sends requests only to instances that respond with 200.
    route.on(api.checkReady, {
      resolve: async () => {
        await checkReady(store);
        return reply(200, { ready: true }, { headers: { "cache-control": "no-store" } });
      },
    }),
  ],

  // Runs first. Its return value becomes the locals of the request.
  onRequest: () => ({ requestId: crypto.randomUUID() }),

  // Runs last, for every response. The locals are optional here, because onRequest may have failed.
  onResponse: ({ context, response, locals }) => {
    // The 404 of the framework has no body. Replace it.
    const replaced = response.status === 404 && context.route === undefined ? replyNotFound() : response;
    const sent = new Response(replaced.body, replaced); // the headers of some responses are immutable
    if (locals.requestId !== undefined) sent.headers.set("x-request-id", locals.requestId);
    const version = versionOf(context.request);
    if (version !== undefined) sent.headers.set("x-api-version", version);
    return version === "v1" ? deprecate(sent, V1) : sent;
  },

  // Logs the error with the request id. The client receives only the id, in a header, and can report it.
  onError: ({ error, context }) => {
    console.error(`Request ${context.locals.requestId} failed:`, error);
    return answerError(error);
  },
});

/** Prints an address to open and which store is used, once the server listens. */
function onListen(address: Deno.Addr, path = "/books?limit=3"): void {
  const { hostname, port } = address as Deno.NetAddr;
  const origin = `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  console.info(`Open ${origin}${path}\n${storeLine}\nListening on ${origin}/`);
}

export default { ...app, onListen } satisfies Deno.ServeDefaultExport;

async function list(query: PageQuery) {
  const { books, pagination } = await readPage(store, query);
  return reply(200, { data: books, pagination });
}

async function listV2(query: PageQuery, filter?: { readonly top: boolean }) {
  // All waits of a request share one deadline.
  const deadline = startDeadline();
  const { books, pagination } = await readPage(store, query, filter, deadline);
  return reply(200, { data: await toV2(books, store, deadline), pagination });
}

/** Returns the version in the path. An invalid `Host` header can make the url invalid: then there is none. */
function versionOf({ url }: Request): string | undefined {
  return /^\/(v[12])(?:\/|$)/.exec(URL.parse(url)?.pathname ?? "")?.[1];
}

/** Adds the headers that announce a deprecation. A copy is what the original is: `as` tells the compiler so. */
function deprecate<Sent extends Response>(response: Sent, { since, sunset, docs }: typeof V1): Sent {
  const sent = new Response(response.body, response) as Sent; // the headers of some responses are immutable
  // An HTTP date, as in the drafts of RFC 9745, because clients of this API read it. The RFC itself has another date.
  // If no client reads the header yet, send that: `@${since.getTime() / 1000}`.
  sent.headers.set("deprecation", since.toUTCString());
  sent.headers.set("sunset", sunset.toUTCString()); // RFC 8594
  sent.headers.append("link", `<${docs}>; rel="deprecation"`);
  return sent;
}

function replyInvalid({ issues }: InvalidInput) {
  return reply(400, { error: "Invalid input", issues });
}

function replyNotFound() {
  return reply(404, { error: "Not found" });
}
