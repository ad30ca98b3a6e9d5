// npx -y deno@2.9.6 bundle --import-map=tests/import_map.json --output=.bundle/mounting_express.mjs examples/recipes/mounting_express.ts && node .bundle/mounting_express.mjs
//
// An app inside Express, on Node.js: the adapter makes a request listener of `app.fetch`, and Express takes the prefix off.
//
// It listens on port PORT of 127.0.0.1.
//
// curl http://localhost:8000/shop/orders/7

import { getRequestListener, RequestError } from "@hono/node-server";
// @ts-types="@types/express"
import express from "express";
import process from "node:process";
import { shop } from "./mounting/shop.ts";

const app = express();
app.get("/", (_request, response) => void response.send("Express"));

// Before `express.json()` and the like: a body can be read once only.
app.use("/shop", getRequestListener(shop.fetch, { errorHandler }));

app.use(express.json());
app.post("/legacy", (request, response) => void response.json(request.body));

const server = app.listen(Number(process.env.PORT ?? 8000), "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") console.log(`Listening on http://127.0.0.1:${address?.port}`);
});

/** Without it, the adapter does not log errors. Without a response, it would not respond. */
function errorHandler(error: unknown): Response {
  if (error instanceof RequestError) return new Response(null, { status: 400 }); // a `Host` that is no host, for one
  console.error(error);
  return new Response(null, { status: 500 });
}
