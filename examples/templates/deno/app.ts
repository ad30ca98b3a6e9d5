import { denyInvalid, reply, route, setup } from "@fw/core";
import { docsPage, openapi } from "@fw/core/openapi";
import { standardSchema } from "@fw/core/standard-schema";
import * as api from "./api.ts";

const document = openapi({ info: { title: "my-app", version: "1.0.0" }, endpoints: api });

/** Sends the place and the message of the first issue. */
const validInput = denyInvalid(({ issues: [first] }) =>
  reply(400, { error: first ? [...first.path, first.message].join(": ") : "Invalid input" })
);

/** A new app. Each test makes its own, so that tests do not share data. */
export function createApp() {
  return setup({
    endpoints: api,
    validator: standardSchema,
    maxBodyBytes: 64 * 1024,
    handlers: [
      route.on(api.greet, {
        guards: [validInput],
        resolve: (c) => reply(200, { message: `Hello ${c.input.params.name}` }),
      }),
      // A page to read and try the API.
      route.get("/docs", { resolve: docsPage(document) }),
    ],
    onError: ({ error }) => {
      console.error(error);
      return reply(500, { error: "Internal error" });
    },
  });
}
