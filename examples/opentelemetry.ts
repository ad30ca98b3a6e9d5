// npx -y deno@2.9.6 serve examples/opentelemetry.ts
//
// Traces and metrics. With OTEL_DENO=true, Deno makes a span and a duration metric for each request, and sends them, with what
// `console` prints, to the collector at OTEL_EXPORTER_OTLP_ENDPOINT, by default http://localhost:4318:
//
// OTEL_DENO=true OTEL_SERVICE_NAME=books npx -y deno@2.9.6 serve examples/opentelemetry.ts
// curl -i http://localhost:8000/books/1
//
// Deno does not know the routes: the hooks add them. Spans hold the full url: keep secrets out of the query.

import { route, setup } from "@fw/core";
import { type Attributes, SpanStatusCode, trace } from "@opentelemetry/api";
import { DatabaseSync } from "node:sqlite";

const db = new DatabaseSync(":memory:");
db.exec("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT");
db.exec("INSERT INTO books (title) VALUES ('Emma'), ('Dune')");

const app = setup({
  handlers: [
    route.get("/books/:id", {
      resolve: async ({ raw }) => {
        const [book] = await query("SELECT books", "SELECT id, title FROM books WHERE id = ?", raw.params.id);
        return book === undefined ? new Response("Not found", { status: 404 }) : Response.json(book);
      },
    }),

    route.get("/broken", {
      resolve: async () => Response.json(await query("SELECT nowhere", "SELECT * FROM nowhere")),
    }),
  ],

  // Metrics are kept per route, never per path: each value of a parameter would make time series of its own.
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

/** Runs a query in a span of its own, which shows the text of the query and never the values. */
function query(name: string, sql: string, ...values: readonly string[]): Promise<readonly unknown[]> {
  const attributes = { "db.system.name": "sqlite", "db.query.text": sql };
  return inSpan(name, attributes, () => db.prepare(sql).all(...values));
}

/**
 * Runs work in a span of its own, a child of the active one.
 *
 * @param name What the work does, without any values: there should be few names.
 * @param attributes What else to tell of it.
 * @param work The work.
 * @returns What the work returns.
 */
async function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  return await trace.getTracer("books").startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
