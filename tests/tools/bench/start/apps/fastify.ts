import Fastify from "npm:fastify@5.12.8";
import { z } from "zod";
import { bodyOf } from "../schema.ts";
import type { Fetch } from "../measure.ts";

/** Fastify takes no `Request`: it is called by `inject`. Its schemas are JSON Schemas, so they are converted. */
export default function create(routes: number): Fetch {
  const app = Fastify();
  for (let n = 0; n < routes; n++) {
    const { $schema: _, ...body } = z.toJSONSchema(bodyOf(n));
    app.post(`/things${n}/:id`, { schema: { body } }, ({ body }, reply) => void reply.send(body));
  }
  return async (request) => {
    const { statusCode, body } = await app.inject({
      method: "POST",
      url: new URL(request.url).pathname,
      payload: await request.text(),
      headers: { "content-type": "application/json" },
    });
    return new Response(body, { status: statusCode });
  };
}
