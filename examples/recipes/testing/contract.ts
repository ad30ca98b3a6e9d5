import { type App, route, setup } from "@fw/core";
import { openapi, type OpenApiDocument } from "@fw/core/openapi";
import { Ajv2020 } from "ajv/dist/2020.js";

/** Holds an app to its own description. */
export interface Contract {
  /** As `app.fetch`. Rejects where the response is not as described. */
  fetch(request: Request): Promise<Response>;
  /** The responses that are described, such as `GET /books 404`, and that no test has seen. */
  unseen(): readonly string[];
}

/**
 * Describes an app as `responses` of its routes do, and checks each response against that.
 *
 * @param app The app.
 * @returns What the tests call instead of the app.
 */
export function holdToDocs(app: App): Contract {
  const document = openapi({ info: { title: "Test", version: "1" }, routes: app.routes });
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "document");
  const operations = findOperations(document);
  const unseen = new Set(
    operations.flatMap(({ path, method, responses }) =>
      Object.keys(responses).map((key) => `${method} ${path} ${key}`)
    ),
  );

  // The framework's own router finds the operation of a request.
  const router = setup({
    handlers: operations.map(({ path, method }, index) =>
      route.on(method, path.replaceAll(/\{(\w+)\}/g, ":$1"), { resolve: () => Response.json(index) })
    ),
  });

  return {
    async fetch(request) {
      const found = await router.fetch(new Request(request.url, { method: request.method }));
      const operation = found.ok ? operations[await found.json()] : undefined;
      if (operation === undefined) throw new Error(`${request.method} ${request.url} is not described`);
      const { path, method, responses } = operation;

      const response = await app.fetch(request);
      const status = String(response.status);
      const key = [status, `${status[0]}XX`, "default"].find((key) => Object.hasOwn(responses, key));
      const name = `${method} ${path} ${status}`;
      if (key === undefined) throw new Error(`${name} is not described`);
      unseen.delete(`${method} ${path} ${key}`);

      const body = await response.clone().text();
      const content = responses[key]?.content;
      if (content === undefined) {
        if (body !== "") throw new Error(`${name} is described without a body, and has one: ${body}`);
        return response;
      }
      const type = response.headers.get("content-type")?.split(";", 1)[0] ?? "";
      if (!Object.hasOwn(content, type)) throw new Error(`${name} is not described as ${type}`);
      const keys = ["paths", path, method.toLowerCase(), "responses", key, "content", type, "schema"];
      const isValid = ajv.compile({ $ref: `document#${keys.map((key) => `/${toPointer(key)}`).join("")}` });
      if (!isValid(JSON.parse(body))) throw new Error(`${name} ${ajv.errorsText(isValid.errors)}: ${body}`);
      return response;
    },
    unseen: () => [...unseen],
  };
}

function findOperations({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => ({ path, method: method.toUpperCase(), responses }))
  );
}

/** A key as a part of a JSON Pointer in a url. */
function toPointer(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}
