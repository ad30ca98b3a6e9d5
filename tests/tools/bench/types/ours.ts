import type { Contender } from "./contender.ts";

/** The client, and what it reads and what it rejects. */
const calling: Pick<Contender, "packages" | "client" | "calls" | "completed" | "mistakes"> = {
  packages: [],
  client: `
import { createClient } from "@fw/core/client";
import * as api from "./api.ts";
const client = createClient(api, { baseUrl: "http://localhost" });`,
  calls: (k) => `
  const shown${k} = await client.show${k}({ params: { id: "7" } });
  use(shown${k}.status === 200 ? shown${k}.body.name${k} : shown${k}.body.code);
  const listed${k} = await client.list${k}({ query: { q${k}: "x", sort: "name" } });
  for (const { name${k} } of listed${k}.body.data) use(name${k});
  const added${k} = await client.add${k}({ body: { name${k}: "x", tags: [] } });
  use(added${k}.status === 201 ? added${k}.body.name${k} : added${k}.body.code);
  const replaced${k} = await client.replace${k}({ params: { id: "7" }, body: { name${k}: "x" } });
  use(replaced${k}.status === 200 ? replaced${k}.body.kind : replaced${k}.body.code);
  const removed${k} = await client.remove${k}({ params: { id: "7" } });
  if (removed${k}.status === 404) use(removed${k}.body.code);`,
  completed: "show0",
  mistakes: {
    endpoint: 'client.shwo0({ params: { id: "7" } });',
    parameter: 'client.show0({ params: { di: "7" } });',
    query: 'client.list0({ query: { Q0: "x" } });',
    body: 'client.add0({ body: { nmae0: "x" } });',
    answer: 'client.show0({ params: { id: "7" } }).then((shown) => shown.status === 200 && use(shown.body.nmae0));',
    failure: 'client.show0({ params: { id: "7" } }).then((shown) => shown.status === 404 && use(shown.body.cdoe));',
  },
};

/** Endpoints without handlers, in a file of their own. */
export const endpoints: Contender = {
  ...calling,
  name: "endpoints",
  api: {
    start: 'import { endpoint } from "@fw/core";',
    resource: (k) => `
export const show${k} = endpoint.get("/things${k}/:id", { responses: { 200: { schema: thing${k} }, 404: { schema: missing } } });
export const list${k} = endpoint.get("/things${k}", { request: { query: search${k} }, responses: { 200: { schema: page${k} } } });
export const add${k} = endpoint.post("/things${k}", {
  request: { body: fields${k} },
  responses: { 201: { schema: thing${k} }, 400: { schema: invalid } },
});
export const replace${k} = endpoint.put("/things${k}/:id", {
  request: { body: fields${k} },
  responses: { 200: { schema: thing${k} }, 404: { schema: missing } },
});
export const remove${k} = endpoint.delete("/things${k}/:id", { responses: { 204: {}, 404: { schema: missing } } });`,
    end: () => "",
  },
};

/** Routes: endpoints with their handlers. */
export const routes: Contender = {
  ...calling,
  name: "routes",
  api: {
    start: 'import { reply, route } from "@fw/core";',
    resource: (k) => `
export const show${k} = route.get("/things${k}/:id", {
  responses: { 200: { schema: thing${k} }, 404: { schema: missing } },
  resolve: (c) => c.raw.params.id === "" ? reply(404, { code: "missing" }) : reply(200, stored${k}),
});
export const list${k} = route.get("/things${k}", {
  request: { query: search${k} },
  responses: { 200: { schema: page${k} } },
  resolve: () => reply(200, { data: [stored${k}], next: null }),
});
export const add${k} = route.post("/things${k}", {
  request: { body: fields${k} },
  responses: { 201: { schema: thing${k} }, 400: { schema: invalid } },
  resolve: (c) => c.input.ok
    ? reply(201, { ...stored${k}, name${k}: c.input.body.name${k} })
    : reply(400, { code: "invalid", issues: [] }),
});
export const replace${k} = route.put("/things${k}/:id", {
  request: { body: fields${k} },
  responses: { 200: { schema: thing${k} }, 404: { schema: missing } },
  resolve: (c) => c.raw.params.id === "" || !c.input.ok
    ? reply(404, { code: "missing" })
    : reply(200, { ...stored${k}, name${k}: c.input.body.name${k} }),
});
export const remove${k} = route.delete("/things${k}/:id", {
  responses: { 204: {}, 404: { schema: missing } },
  resolve: (c) => c.raw.params.id === "" ? reply(404, { code: "missing" }) : reply(204),
});`,
    end: () => "",
  },
};
