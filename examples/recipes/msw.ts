// npx -y deno@2.9.6 run examples/recipes/msw.ts
//
// Mocks a server with MSW, in a test or in a browser. A mock of an endpoint is a route of it: the compiler checks what it
// answers, and guards and validation work as in the server.

import { type App, denyInvalid, reply, route, setup } from "@fw/core";
import { createClient } from "@fw/core/client";
import { standardSchema } from "@fw/core/standard-schema";
import { http, type RequestHandler } from "msw";
import { setupServer } from "msw/node";
import * as api from "./client/api.ts";

/**
 * Makes handlers, for `setupServer` or `setupWorker`, that respond with an app. A request for which the app has no route is
 * unhandled.
 *
 * @param origin The origin of the mocked server, such as `https://api.example.com`.
 * @throws A `TypeError` if a route has a method that MSW cannot mock.
 */
function mock(origin: string, app: App): RequestHandler[] {
  const handlers = new Map(Object.entries(http).map(([name, handle]) => [name.toUpperCase(), handle]));
  return app.routes.flatMap(({ method, path }) =>
    [method].flat().map((method) => {
      const handle = handlers.get(method);
      if (handle === undefined) throw new TypeError(`MSW cannot mock the method ${method} of route "${path}"`);
      return handle(origin + path, ({ request }) => app.fetch(request));
    })
  );
}

const app = setup({
  validator: standardSchema,
  handlers: [
    route.on(api.showBook, { resolve: (c) => reply(200, { id: c.raw.params.id, title: "A mocked book" }) }),
    route.on(api.addBook, {
      guards: [denyInvalid(() => reply(400, { code: "invalid", issues: [] }))],
      resolve: (c) => reply(201, { id: "new", title: c.input.body.title }),
    }),
  ],
});

export const server = setupServer(...mock("https://api.example.invalid", app));

if (import.meta.main) {
  server.listen({ onUnhandledRequest: "error" });
  const client = createClient(api, { baseUrl: "https://api.example.invalid" });
  console.log((await client.showBook({ params: { id: "emma" } })).body);
  server.close();
}
