// npx -y deno@2.9.6 run --allow-write=dist examples/recipes/client/publish.ts
//
// Publishes the endpoints of api.ts to clients in other repositories, without their schemas: a client reads of a schema only
// whether there is one. The package depends on @fw/core alone, and weighs less than a kilobyte in a browser.
//
// This writes dist/api.js. TypeScript writes its types, dist/api.d.ts, which name none of the schema library:
// npx tsc api.ts --declaration --emitDeclarationOnly --module nodenext --strict --outDir dist
//
// `validator` of `createClient` needs the schemas: tests of the server import api.ts itself.

import type { Endpoint } from "@fw/core";
import { mkdirSync, writeFileSync } from "node:fs";
import * as api from "./api.ts";

/**
 * Writes a module that exports endpoints as plain data, and constants as they are. It leaves out the schemas and
 * functions that the module of the endpoints exports as well.
 *
 * @param exported What the module of the endpoints exports, by name.
 * @returns The module, in JavaScript.
 */
export function writeModule(exported: Readonly<Record<string, unknown>>): string {
  return Object.entries(exported).map(([name, value], index) => {
    const text = write(value);
    // A name may be a word that no variable can have, such as `default` or `delete`.
    const exportedName = /^[a-z_$]\w*$/i.test(name) ? name : JSON.stringify(name);
    return text === undefined ? "" : `const e${index} = ${text};\nexport { e${index} as ${exportedName} };\n`;
  }).join("");
}

/** Writes a value, or returns `undefined` if clients do not need it. */
function write(value: unknown): string | undefined {
  if (["string", "number", "boolean"].includes(typeof value)) return JSON.stringify(value);
  if (!isEndpoint(value)) return undefined;
  const { method, path, request, responses } = value;
  return JSON.stringify(
    { method, path, request, responses },
    (key, value) => READ.test(key) ? {} : UNREAD.test(key) ? undefined : value,
  );
}

/** Whether a value is an endpoint, or a route. Nothing else has a method and a path. */
function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "method" in value && "path" in value &&
    typeof value.path === "string";
}

/** What clients ask for its presence. */
const READ = /^(body|bodyReader|schema)$/;

/** What clients do not ask for. */
const UNREAD = /^(params|query|headers|cookies|maxBodyBytes|description)$/;

if (import.meta.main) {
  mkdirSync("dist", { recursive: true });
  writeFileSync("dist/api.js", writeModule(api));
}
