/** What the option `choose` of `mock` knows of each endpoint. The compiler checks it, and no function is called. */
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";
import { type App, endpoint, setup } from "../../mod.ts";
import { createClient } from "../../src/client/mod.ts";
import { accept, socket, type Sockets } from "../../src/sockets/mod.ts";
import { type Choose, mock, type MockOptions } from "../../src/testing/mod.ts";

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
  // @ts-expect-error at `showBook`: Type 'Promise<string>' is not assignable to type '200 | 404 | string | undefined'.
  mock(api, { choose: { showBook: () => Promise.resolve("emma") } });
  mock(api, { choose: { showBook: ({ raw }) => raw.params.id === "1" ? 200 : "emma" } });
  const never404: Choose<typeof showBook> = () => 200;
  mock({ showBook }, { choose: { showBook: never404 } });

  // @ts-expect-error at `showBook`: Type '410' is not assignable to type '200 | 404 | string | undefined'.
  mock(api, { choose: { showBook: () => 410 } });
  // @ts-expect-error at `showBok`: Object literal may only specify known properties, but 'showBok' does not exist in
  //   type '{…'. Did you mean to write 'showBook'?
  mock(api, { choose: { showBok: () => 404 } });
  // @ts-expect-error at `slug`: Property 'slug' does not exist on type '{ readonly id: string; }'.
  mock(api, { choose: { showBook: (c) => c.raw.params.slug === "" ? 404 : 200 } });
  // @ts-expect-error at `showBook`: Type 'number' is not assignable to type 'Choose<…'.
  mock(api, { choose: { showBook: 404 } });
  // @ts-expect-error at `sed`: Object literal may only specify known properties, but 'sed' does not exist in type
  //   'MockOptions<…'. Did you mean to write 'seed'?
  mock(api, { sed: 1 });
}

export function sockets(runtime: Sockets) {
  const chat = endpoint.get("/chat", {
    responses: { 101: socket({ client: {}, server: { said: z.string() } }), 400: {}, 403: {}, 426: {} },
  });
  const app = mock({ ...api, chat }, { accept, choose: { chat: () => 101 } });
  assertType<IsExact<typeof app, App<[Sockets]>>>(true);
  app.fetch(new Request("http://localhost/chat"), runtime);
  createClient(api, { fetch: (request) => app.fetch(request, runtime) });
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  app.fetch(new Request("http://localhost/chat"));
  const options: MockOptions<{ chat: typeof chat }, Sockets> = { accept };
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  mock({ chat }, options).fetch(new Request("http://localhost/chat"));
  // Without it, no socket is opened.
  mock({ chat }).fetch(new Request("http://localhost/chat"));
  // @ts-expect-error at `accept`: Type 'boolean' is not assignable to type 'AcceptSocket<never>'.
  mock({ chat }, { accept: true });
  const served = setup({ handlers: [...mock({ chat }, { accept }).routes] });
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  served.fetch(new Request("http://localhost/chat"));
}
