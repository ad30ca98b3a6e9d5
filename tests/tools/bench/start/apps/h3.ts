import { H3, readValidatedBody } from "npm:h3@2.0.8";
import { bodyOf } from "../schema.ts";
import type { Fetch } from "../measure.ts";

export default function create(routes: number): Fetch {
  const app = new H3();
  for (let n = 0; n < routes; n++) {
    const body = bodyOf(n);
    app.post(`/things${n}/:id`, (event) => readValidatedBody(event, body));
  }
  return app.fetch;
}
