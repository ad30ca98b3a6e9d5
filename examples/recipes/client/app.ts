// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/client/app.ts

import { type App, denyInvalid, reply, route, setup } from "@fw/core";
import { openapi } from "@fw/core/openapi";
import { standardSchema } from "@fw/core/standard-schema";
import * as api from "./api.ts";

const books = new Map([["emma", "Emma"]]);

const validInput = denyInvalid(({ issues }) =>
  reply(400, { code: "invalid", issues: issues.map(({ path, message }) => ({ path, message })) })
);

const showBook = route.on(api.showBook, {
  resolve: ({ raw: { params: { id } } }) => {
    const title = books.get(id);
    return title === undefined ? reply(404, { code: "missing" }) : reply(200, { id, title });
  },
});

const addBook = route.on(api.addBook, {
  guards: [validInput],
  resolve: ({ input: { body: { title } } }) => {
    const id = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    if (books.has(id)) return reply(409, { code: "taken", id });
    books.set(id, title);
    return reply(201, { id, title });
  },
});

/** Describes what is public: others read books. openapi_client.ts generates its types from it. */
export const document = openapi({ info: { title: "Books", version: "1.0.0" }, routes: [showBook] });

const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    showBook,
    addBook,
    route.get("/openapi.json", {
      responses: { 200: { contentType: "application/json" } },
      resolve: () => reply(200, Response.json(document)),
    }),
  ],
});

export default app;
