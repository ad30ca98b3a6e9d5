/**
 * Serves one case by Fastify on Node.js, until it is stopped. Fastify takes no `Request`, so it is measured over HTTP only.
 *
 * Its arguments are a name, which is ignored, and that of the case.
 */

import Fastify from "npm:fastify@5.12.8";
import process from "node:process";
import { CASES } from "./cases.ts";
import { assertAgreement } from "./contenders.ts";

const book = {
  type: "object",
  required: ["title", "authorId", "year", "tags"],
  properties: {
    title: { type: "string", minLength: 1, maxLength: 500 },
    authorId: { type: "string", minLength: 1 },
    year: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
  },
} as const;

const app = Fastify();
app.get<{ Params: { id: string } }>("/users/:id", ({ params }, reply) => void reply.send(params.id));
app.post("/books", { schema: { body: book } }, ({ body }, reply) => void reply.send(body));

const of = CASES.find(({ name }) => name === process.argv[3]);
if (of === undefined) throw new Error(`No case ${process.argv[3]}`);
/** Not the way of `listen`, but the same handlers. */
const inject = async (request: Request): Promise<Response> => {
  const { statusCode, headers, body } = await app.inject({
    method: request.method === "POST" ? "POST" : "GET",
    url: new URL(request.url).pathname,
    ...request.method === "POST" && { payload: await request.text(), headers: { "content-type": "application/json" } },
  });
  return new Response(body, { status: statusCode, headers: { "content-type": String(headers["content-type"] ?? "") } });
};
await assertAgreement({ name: "Fastify", fetchFor: () => inject }, of);
console.log(`Listening on ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
