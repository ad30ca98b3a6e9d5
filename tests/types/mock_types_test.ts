/** What the option `choose` of `mock` knows of each endpoint. The compiler checks it, and no function is called. */
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";
import { type App, endpoint } from "../../mod.ts";
import { createClient } from "../../src/client/mod.ts";
import { type Choose, mock } from "../../src/testing/mod.ts";

const showBook = endpoint.get("/books/:id", {
  request: { query: z.object({ part: z.coerce.number() }) },
  responses: { 200: { schema: z.object({ id: z.string() }) }, 404: {} },
});
const api = { showBook, health: endpoint.get("/health"), title: "Books" };

export function choices() {
  const app = mock(api, {
    choose: {
      showBook: (c) => {
        assertType<IsExact<typeof c.raw.params, { readonly id: string }>>(true);
        assertType<IsExact<typeof c.request, Request>>(true);
        if (c.input.ok) assertType<IsExact<typeof c.input.query, { part: number }>>(true);
        return c.raw.params.id === "none" ? 404 : undefined;
      },
    },
  });
  assertType<IsExact<typeof app, App>>(true);
  createClient(api, { fetch: app.fetch });
  mock(api, { choose: { showBook: () => 404 } });
  mock(api, { choose: { showBook: () => "emma" } });
  // @ts-expect-error: it is not awaited
  mock(api, { choose: { showBook: () => Promise.resolve("emma") } });
  mock(api, { choose: { showBook: ({ raw }) => raw.params.id === "1" ? 200 : "emma" } });
  const never404: Choose<typeof showBook> = () => 200;
  mock({ showBook }, { choose: { showBook: never404 } });

  // @ts-expect-error: a status that is not declared
  mock(api, { choose: { showBook: () => 410 } });
  // @ts-expect-error: no such endpoint
  mock(api, { choose: { showBok: () => 404 } });
  // @ts-expect-error: no such parameter
  mock(api, { choose: { showBook: (c) => c.raw.params.slug === "" ? 404 : 200 } });
  // @ts-expect-error: a status, not a function
  mock(api, { choose: { showBook: 404 } });
  // @ts-expect-error: no such option
  mock(api, { sed: 1 });
}
