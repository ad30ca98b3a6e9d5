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
 * Writes a module that exports endpoints as plain data.
 *
 * @param endpoints The endpoints by name.
 * @returns The module, in JavaScript.
 */
export function writeModule(endpoints: Readonly<Record<string, Endpoint>>): string {
  return Object.entries(endpoints).map(([name, { method, path, request, responses }]) => {
    const kept = { method, path, request, responses };
    const text = JSON.stringify(kept, (key, value) => READ.test(key) ? {} : UNREAD.test(key) ? undefined : value);
    return `export const ${name} = ${text};\n`;
  }).join("");
}

/** What clients ask for its presence. */
const READ = /^(body|bodyReader|schema)$/;

/** What clients do not ask for. */
const UNREAD = /^(params|query|headers|cookies|maxBodyBytes|description)$/;

if (import.meta.main) {
  mkdirSync("dist", { recursive: true });
  writeFileSync("dist/api.js", writeModule(api));
}
