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
// Deno does not know the routes, so the hooks add them. Spans contain the full url. Do not put secrets into a query.

import { reply, route, setup } from "@fw/core";
import { SpanStatusCode, trace } from "@opentelemetry/api";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";

const db = new DatabaseSync(":memory:");
db.exec("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT");
db.exec("INSERT INTO books (title) VALUES ('Emma'), ('Dune')");

const book = z.object({ id: z.int(), title: z.string() });

const app = setup({
  handlers: [
    route.get("/books/:id", {
      responses: { 200: { schema: book }, 404: { schema: z.object({ error: z.string() }) } },
      resolve: async ({ raw }) => {
        const [found] = await query("SELECT books", "SELECT id, title FROM books WHERE id = ?", raw.params.id);
        return found === undefined ? reply(404, { error: "Not found" }) : reply(200, book.parse(found));
      },
    }),

    route.get("/broken", {
      responses: { 200: { schema: z.array(book) } },
      resolve: async () => reply(200, z.array(book).parse(await query("SELECT nowhere", "SELECT * FROM nowhere"))),
    }),
  ],

  // Record metrics per route, not per path: otherwise each value of a parameter creates a new time series.
  onResponse: ({ context }) => {
    if (context.route === undefined) return;
    trace.getActiveSpan()?.setAttribute("http.route", context.route.path);
    trace.getActiveSpan()?.updateName(`${context.request.method} ${context.route.path}`);
  },

  onError: ({ error }) => {
    trace.getActiveSpan()?.recordException(error instanceof Error ? error : String(error));
    return new Response("Internal server error", { status: 500 });
  },
});

export default app satisfies Deno.ServeDefaultExport;

/**
 * Runs a query in its own span, a child of the active span. The span contains the text of the query, but not the values.
 * Leave values out of the name, too, so that there are few different names.
 */
async function query(name: string, sql: string, ...values: readonly string[]): Promise<readonly unknown[]> {
  const attributes = { "db.system.name": "sqlite", "db.query.text": sql };
  return await trace.getTracer("books").startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await db.prepare(sql).all(...values);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
