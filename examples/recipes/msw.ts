// npx -y deno@2.9.6 run examples/recipes/msw.ts
//
// Mocks a server with MSW, in a test or in a browser: each endpoint responds as it declares.

import type { App } from "@fw/core";
import { createClient } from "@fw/core/client";
import { mock } from "@fw/core/testing";
import fc from "fast-check";
import { http, type RequestHandler } from "msw";
import { setupServer } from "msw/node";
import * as api from "./client/api.ts";

export const server = setupServer(...handlersOf("https://api.example.invalid", mock(api, { fc })));

/**
 * Makes handlers, for `setupServer` or `setupWorker`, that respond with an app. Requests without a route are unhandled.
 *
 * @param origin The origin of the mocked server, such as `https://api.example.com`.
 * @throws A `TypeError` if a route has a method that MSW cannot mock.
 */
function handlersOf(origin: string, app: App): RequestHandler[] {
  const handlers = new Map(Object.entries(http).map(([name, handle]) => [name.toUpperCase(), handle]));
  return app.routes.flatMap(({ method, path }) =>
    [method].flat().map((method) => {
      const handle = handlers.get(method);
      if (handle === undefined) throw new TypeError(`MSW cannot mock the method ${method} of route "${path}"`);
      return handle(origin + path, ({ request }) => app.fetch(request));
    })
  );
}

if (import.meta.main) {
  server.listen({ onUnhandledRequest: "error" });
  const client = createClient(api, { baseUrl: "https://api.example.invalid" });
  console.log((await client.showBook({ params: { id: "emma" } })).body);
  server.close();
}
