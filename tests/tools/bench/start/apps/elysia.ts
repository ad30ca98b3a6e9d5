import { Elysia } from "npm:elysia@1.4.30";
import { bodyOf } from "../schema.ts";
import type { Fetch } from "../measure.ts";

export default function create(routes: number): Fetch {
  const app = new Elysia();
  for (let n = 0; n < routes; n++) app.post(`/things${n}/:id`, ({ body }) => body, { body: bodyOf(n) });
  return app.fetch;
}
