import type { Contender } from "./contender.ts";

/** oRPC, contract first. */
export const orpc: Contender = {
  name: "oRPC",
  packages: ["@orpc/contract@1.16.1", "@orpc/client@1.16.1", "@orpc/openapi-client@1.16.1"],
  api: {
    start: 'import { oc } from "@orpc/contract";',
    resource: (k) => `
const show${k} = oc.route({ method: "GET", path: "/things${k}/{id}" })
  .errors({ NOT_FOUND: { data: missing } }).input(byId).output(thing${k});
const list${k} = oc.route({ method: "GET", path: "/things${k}" }).input(search${k}).output(page${k});
const add${k} = oc.route({ method: "POST", path: "/things${k}", successStatus: 201 })
  .errors({ BAD_REQUEST: { data: invalid } }).input(fields${k}).output(thing${k});
const replace${k} = oc.route({ method: "PUT", path: "/things${k}/{id}" })
  .errors({ NOT_FOUND: { data: missing } }).input(byId.extend(fields${k}.shape)).output(thing${k});
const remove${k} = oc.route({ method: "DELETE", path: "/things${k}/{id}", successStatus: 204 })
  .errors({ NOT_FOUND: { data: missing } }).input(byId);`,
    end: (resources) => `
export const contract = {
${resources.map((k) => `  show${k}, list${k}, add${k}, replace${k}, remove${k},`).join("\n")}
};`,
  },
  client: `
import { createORPCClient, safe } from "@orpc/client";
import type { ContractRouterClient } from "@orpc/contract";
import type { JsonifiedClient } from "@orpc/openapi-client";
import { OpenAPILink } from "@orpc/openapi-client/fetch";
import { contract } from "./api.ts";
const client: JsonifiedClient<ContractRouterClient<typeof contract>> = createORPCClient(new OpenAPILink(contract, { url: "http://localhost" }));`,
  calls: (k) => `
  const shown${k} = await safe(client.show${k}({ id: "7" }));
  if (shown${k}.isSuccess) use(shown${k}.data.name${k});
  else if (shown${k}.isDefined) use(shown${k}.error.data.code);
  const listed${k} = await client.list${k}({ q${k}: "x", sort: "name" });
  for (const { name${k} } of listed${k}.data) use(name${k});
  const added${k} = await safe(client.add${k}({ name${k}: "x", tags: [] }));
  if (added${k}.isSuccess) use(added${k}.data.name${k});
  else if (added${k}.isDefined) use(added${k}.error.data.code);
  const replaced${k} = await safe(client.replace${k}({ id: "7", name${k}: "x" }));
  if (replaced${k}.isSuccess) use(replaced${k}.data.kind);
  else if (replaced${k}.isDefined) use(replaced${k}.error.data.code);
  const removed${k} = await safe(client.remove${k}({ id: "7" }));
  if (removed${k}.isDefined) use(removed${k}.error.data.code);`,
  completed: "show0",
  mistakes: {
    endpoint: 'client.shwo0({ id: "7" });',
    parameter: 'client.show0({ di: "7" });',
    query: 'client.list0({ Q0: "x" });',
    body: 'client.add0({ nmae0: "x" });',
    answer: 'client.show0({ id: "7" }).then((shown) => use(shown.nmae0));',
    failure: 'safe(client.show0({ id: "7" })).then((shown) => shown.isDefined && use(shown.error.data.cdoe));',
  },
};
