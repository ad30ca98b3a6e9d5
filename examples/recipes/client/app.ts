// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/client/app.ts

import { type App, denyInvalid, reply, route, setup } from "@fw/core";
import { openapi } from "@fw/core/openapi";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";

const book = z.object({ id: z.string(), title: z.string() });

// Each failure has a `code` that is a literal: the types of the client tell them apart by it.
const invalid = z.object({
  code: z.literal("invalid"),
  issues: z.array(z.object({ path: z.array(z.string()), message: z.string() })),
});
const taken = z.object({ code: z.literal("taken"), id: z.string() });
const missing = z.object({ code: z.literal("missing") });

const books = new Map([["emma", "Emma"]]);

const validInput = denyInvalid(({ issues }) =>
  reply(400, { code: "invalid", issues: issues.map(({ path, message }) => ({ path, message })) })
);

const routes = [
  route.get("/books/:id", {
    responses: { 200: { schema: book }, 404: { schema: missing } },
    docs: { operationId: "showBook" },
    resolve: ({ raw: { params: { id } } }) => {
      const title = books.get(id);
      return title === undefined ? reply(404, { code: "missing" }) : reply(200, { id, title });
    },
  }),

  route.post("/books", {
    request: { body: z.object({ title: z.string().trim().min(1).max(200) }) },
    responses: { 201: { schema: book }, 400: { schema: invalid }, 409: { schema: taken } },
    docs: { operationId: "addBook" },
    guards: [validInput],
    resolve: ({ input: { body: { title } } }) => {
      const id = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
      if (books.has(id)) return reply(409, { code: "taken", id });
      books.set(id, title);
      return reply(201, { id, title });
    },
  }),
];

/** The description that the types of the client are generated from. */
export const document = openapi({ info: { title: "Books", version: "1.0.0" }, routes });

const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [...routes, route.get("/openapi.json", { resolve: () => Response.json(document) })],
});

export default app;
