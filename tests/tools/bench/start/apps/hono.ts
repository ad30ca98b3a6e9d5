import { zValidator } from "npm:@hono/zod-validator@0.9.1";
import { Hono } from "npm:hono@4.13.19";
import { bodyOf } from "../schema.ts";
import type { Fetch } from "../measure.ts";

export default function create(routes: number): Fetch {
  const app = new Hono();
  for (let n = 0; n < routes; n++) {
    app.post(`/things${n}/:id`, zValidator("json", bodyOf(n)), (c) => c.json(c.req.valid("json")));
  }
  return app.fetch;
}
