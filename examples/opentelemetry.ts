// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/opentelemetry.ts
//
// Traces and metrics with OpenTelemetry.
//
// With OTEL_DENO=true, Deno creates a span and a duration metric for each request. It sends them, and the output of
// `console`, to the collector at OTEL_EXPORTER_OTLP_ENDPOINT (default: http://localhost:4318):
//
// OTEL_DENO=true OTEL_SERVICE_NAME=books npx -y deno@2.9.6 serve --host 127.0.0.1 examples/opentelemetry.ts
// curl -i http://localhost:8000/books/1
//
// Deno does not know the routes and the errors, so `telemetry` adds them. Spans of Deno contain the full url. Do not put
// secrets into a query. Elsewhere, register an SDK of OpenTelemetry, and leave `runtimeSpans` out: `telemetry` then makes
// the spans and the metrics itself.

import { reply, route, setup } from "@fw/core";
import { telemetry, traceCalls } from "@fw/core/telemetry";
import * as api from "@opentelemetry/api";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";

const db = new DatabaseSync(":memory:");
db.exec("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT");
db.exec("INSERT INTO books (title) VALUES ('Emma'), ('Dune')");

const book = z.object({ id: z.int(), title: z.string() });

/** Each call is a span, a child of the request. It has the name of the function, and not the values. */
const books = traceCalls(api, "books", {
  find: (id: string) => db.prepare("SELECT id, title FROM books WHERE id = ?").get(id),
  list: () => db.prepare("SELECT * FROM nowhere").all(),
});

const app = setup({
  handlers: [
    route.get("/books/:id", {
      responses: { 200: { schema: book }, 404: { schema: z.object({ error: z.string() }) } },
      resolve: ({ raw }) => {
        const found = books.find(raw.params.id);
        return found === undefined ? reply(404, { error: "Not found" }) : reply(200, book.parse(found));
      },
    }),

    route.get("/broken", {
      responses: { 200: { schema: z.array(book) } },
      resolve: () => reply(200, z.array(book).parse(books.list())),
    }),
  ],

  onError: () => new Response("Internal server error", { status: 500 }),
});

export default telemetry(api, app, { runtimeSpans: true }) satisfies Deno.ServeDefaultExport;
