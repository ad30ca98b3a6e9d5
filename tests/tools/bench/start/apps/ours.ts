import { reply, type Route, route, setup } from "../../../../../mod.ts";
import { standardSchema } from "../../../../../src/standard_schema/mod.ts";
import { bodyOf } from "../schema.ts";
import type { Fetch } from "../measure.ts";

export default function create(routes: number): Fetch {
  const handlers: Route[] = Array.from({ length: routes }, (_, n) =>
    route.post(`/things${n}/:id`, {
      request: { body: bodyOf(n) },
      resolve: (c) => c.input.ok ? reply(200, c.input.body) : reply(400, null),
    }));
  return setup({ handlers, validator: standardSchema }).fetch;
}
