import { type Contender, modulesOf } from "./contender.ts";

/** Elysia, with its client Eden. */
export const eden: Contender = {
  name: "Eden",
  packages: ["elysia@1.4.30", "@elysiajs/eden@1.4.9"],
  api: {
    start: 'import { Elysia } from "elysia";',
    // As Elysia's guide says: one instance for each resource.
    resource: (k) => `
const routes${k} = new Elysia()
  .get("/things${k}/:id", ({ params, status }) => params.id === "" ? status(404, { code: "missing" }) : stored${k}, {
    params: byId,
    response: { 200: thing${k}, 404: missing },
  })
  .get("/things${k}", () => ({ data: [stored${k}], next: null }), { query: search${k}, response: { 200: page${k} } })
  .post("/things${k}", ({ body, status }) => body.name${k} === ""
    ? status(400, { code: "invalid", issues: [""] })
    : status(201, { ...stored${k}, name${k}: body.name${k} }), {
    body: fields${k},
    response: { 201: thing${k}, 400: invalid },
  })
  .put("/things${k}/:id", ({ body, params, status }) => params.id === ""
    ? status(404, { code: "missing" })
    : { ...stored${k}, name${k}: body.name${k} }, {
    params: byId,
    body: fields${k},
    response: { 200: thing${k}, 404: missing },
  })
  .delete("/things${k}/:id", ({ params, status }) => params.id === ""
    ? status(404, { code: "missing" })
    : status(204, undefined), {
    params: byId,
    response: { 204: nothing, 404: missing },
  });`,
    end: (resources) =>
      `${
        modulesOf(resources).map((module, m) => `
const module${m} = new Elysia()${module.map((k) => `.use(routes${k})`).join("")};`).join("")
      }
export const app = new Elysia()${modulesOf(resources).map((_, m) => `.use(module${m})`).join("")};
export type App = typeof app;`,
  },
  client: `
import { treaty } from "@elysiajs/eden";
import type { App } from "./api.ts";
const client = treaty<App>("localhost");`,
  calls: (k) => `
  const shown${k} = await client.things${k}({ id: "7" }).get();
  if (shown${k}.data) use(shown${k}.data.name${k});
  else if (shown${k}.error.status === 404) use(shown${k}.error.value.code);
  const listed${k} = await client.things${k}.get({ query: { q${k}: "x", sort: "name" } });
  if (listed${k}.data) for (const { name${k} } of listed${k}.data.data) use(name${k});
  const added${k} = await client.things${k}.post({ name${k}: "x", tags: [] });
  if (added${k}.data) use(added${k}.data.name${k});
  else if (added${k}.error.status === 400) use(added${k}.error.value.code);
  const replaced${k} = await client.things${k}({ id: "7" }).put({ name${k}: "x" });
  if (replaced${k}.data) use(replaced${k}.data.kind);
  else if (replaced${k}.error.status === 404) use(replaced${k}.error.value.code);
  const removed${k} = await client.things${k}({ id: "7" }).delete();
  if (removed${k}.error?.status === 404) use(removed${k}.error.value.code);`,
  completed: "things0",
  mistakes: {
    endpoint: 'client.thigns0({ id: "7" }).get();',
    parameter: 'client.things0({ di: "7" }).get();',
    query: 'client.things0.get({ query: { Q0: "x" } });',
    body: 'client.things0.post({ nmae0: "x" });',
    answer: 'client.things0({ id: "7" }).get().then((shown) => shown.data && use(shown.data.nmae0));',
    failure:
      'client.things0({ id: "7" }).get().then((shown) => shown.error?.status === 404 && use(shown.error.value.cdoe));',
  },
};
