// npx -y deno@2.9.6 run examples/recipes/msw.ts
//
// Mocks a server with MSW, in a test or in a browser. A mock of an endpoint is a route of it: the compiler checks what it
// answers, and guards and validation work as in the server.

import { denyInvalid, reply, route, setup } from "@fw/core";
import { createClient } from "@fw/core/client";
import { standardSchema } from "@fw/core/standard-schema";
import { http } from "msw";
import { setupServer } from "msw/node";
import * as api from "./client/api.ts";
import { mock } from "./msw/mock.ts";

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

export const server = setupServer(...mock(http, "https://api.example.invalid", app));

if (import.meta.main) {
  server.listen({ onUnhandledRequest: "error" });
  const client = createClient(api, { baseUrl: "https://api.example.invalid" });
  console.log((await client.showBook({ params: { id: "emma" } })).body);
  server.close();
}
