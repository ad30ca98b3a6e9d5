import { type Contender, modulesOf } from "./contender.ts";

/** Hono, with its client `hc`. */
export const hono: Contender = {
  name: "Hono `hc`",
  packages: ["hono@4.13.19"],
  api: {
    // `validator` costs less than `zValidator`, which adds a response for invalid input.
    start: `
import { Hono } from "hono";
import { validator } from "hono/validator";`,
    // As Hono's guide says for larger applications: one chain for each resource.
    resource: (k) => `
const routes${k} = new Hono()
  .get("/things${k}/:id", (c) => c.req.param("id") === "" ? c.json({ code: "missing" as const }, 404) : c.json(stored${k}, 200))
  .get("/things${k}", validator("query", (query) => search${k}.parse(query)), (c) =>
    c.json({ data: [stored${k}], next: null as string | null }, 200))
  .post("/things${k}", validator("json", (body) => fields${k}.parse(body)), (c) => c.req.valid("json").name${k} === ""
    ? c.json({ code: "invalid" as const, issues: [""] }, 400)
    : c.json({ ...stored${k}, name${k}: c.req.valid("json").name${k} }, 201))
  .put("/things${k}/:id", validator("json", (body) => fields${k}.parse(body)), (c) => c.req.param("id") === ""
    ? c.json({ code: "missing" as const }, 404)
    : c.json({ ...stored${k}, name${k}: c.req.valid("json").name${k} }, 200))
  .delete("/things${k}/:id", (c) => c.req.param("id") === "" ? c.json({ code: "missing" as const }, 404) : c.body(null, 204));`,
    end: (resources) =>
      `${
        modulesOf(resources).map((module, m) => `
const module${m} = new Hono()${module.map((k) => `.route("/", routes${k})`).join("")};`).join("")
      }
export const app = new Hono()${modulesOf(resources).map((_, m) => `.route("/", module${m})`).join("")};
export type App = typeof app;`,
  },
  client: `
import { hc } from "hono/client";
import type { App } from "./api.ts";
const client = hc<App>("http://localhost");`,
  calls: (k) => `
  const shown${k} = await client.things${k}[":id"].$get({ param: { id: "7" } });
  use(shown${k}.status === 200 ? (await shown${k}.json()).name${k} : (await shown${k}.json()).code);
  const listed${k} = await client.things${k}.$get({ query: { q${k}: "x", sort: "name" } });
  for (const { name${k} } of (await listed${k}.json()).data) use(name${k});
  const added${k} = await client.things${k}.$post({ json: { name${k}: "x", tags: [] } });
  use(added${k}.status === 201 ? (await added${k}.json()).name${k} : (await added${k}.json()).code);
  const replaced${k} = await client.things${k}[":id"].$put({ param: { id: "7" }, json: { name${k}: "x" } });
  use(replaced${k}.status === 200 ? (await replaced${k}.json()).kind : (await replaced${k}.json()).code);
  const removed${k} = await client.things${k}[":id"].$delete({ param: { id: "7" } });
  if (removed${k}.status === 404) use((await removed${k}.json()).code);`,
  completed: "things0",
  mistakes: {
    endpoint: 'client.thigns0[":id"].$get({ param: { id: "7" } });',
    parameter: 'client.things0[":id"].$get({ param: { di: "7" } });',
    query: 'client.things0.$get({ query: { Q0: "x" } });',
    body: 'client.things0.$post({ json: { nmae0: "x" } });',
    answer:
      'client.things0[":id"].$get({ param: { id: "7" } }).then(async (shown) => shown.status === 200 && use((await shown.json()).nmae0));',
    failure:
      'client.things0[":id"].$get({ param: { id: "7" } }).then(async (shown) => shown.status === 404 && use((await shown.json()).cdoe));',
  },
};
