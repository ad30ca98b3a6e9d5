// npx -y deno@2.9.6 run --allow-write=dist examples/recipes/client/publish.ts
//
// Publishes the endpoints of api.ts to clients in other repositories, without their schemas: a client reads of a schema
// only whether there is one. The package depends on @fw/core alone, and weighs less than a kilobyte in a browser.
//
// This writes dist/api.js. TypeScript writes its types, dist/api.d.ts, which name none of the schema library:
// npx tsc api.ts --declaration --emitDeclarationOnly --module nodenext --strict --outDir dist
//
// `validator` of `createClient` needs the schemas: tests of the server import api.ts itself.

import type { Endpoint, RouteResponse } from "@fw/core";
import { mkdirSync, writeFileSync } from "node:fs";
import * as api from "./api.ts";

/**
 * Writes a module that exports endpoints as plain data, and constants as they are. It leaves out the schemas and
 * functions that the module of the endpoints exports as well. Streams are declared by `@fw/core/events`, which reads
 * them.
 */
export function writeModule(exported: Readonly<Record<string, unknown>>): string {
  const text = Object.entries(exported).map(([name, value], index) => {
    const text = write(value);
    // A name may be a word that no variable can have, such as `default` or `delete`.
    const exportedName = /^[a-z_$]\w*$/i.test(name) ? name : JSON.stringify(name);
    return text === undefined ? "" : `const e${index} = ${text};\nexport { e${index} as ${exportedName} };\n`;
  }).join("");
  return text.includes(STREAM) ? `import * as streams from "@fw/core/events";\n${text}` : text;
}

const STREAM = "...streams.";

/** Writes a value, or returns `undefined` if clients do not need it. */
function write(value: unknown): string | undefined {
  if (["string", "number", "boolean"].includes(typeof value)) return JSON.stringify(value);
  if (!isEndpoint(value)) return undefined;
  const { method, path, request: { body, bodyReader } = {}, responses } = value;
  const request = body === undefined ? undefined : { body: {}, ...bodyReader && { bodyReader: {} } };
  const endpoint = JSON.stringify({ method, path, request }).slice(0, -1);
  if (responses === undefined) return `${endpoint}}`;
  const written = Object.entries(responses).map(([key, declared]) => {
    const all = [declared].flat().map(writeResponse);
    return `"${key}":${Array.isArray(declared) ? `[${all}]` : all}`; // a status may have several media types
  });
  return `${endpoint},"responses":{${written}}}`;
}

/** Whether a value is an endpoint, or a route. Nothing else has a method and a path. */
function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "method" in value && "path" in value &&
    typeof value.path === "string";
}

function writeResponse({ schema, contentType, headers, "~stream": stream }: RouteResponse): string {
  const named = headers && Object.entries(headers).map(([name, { required }]) => [name, { required }]);
  const read = { headers: named && Object.fromEntries(named) };
  if (stream === undefined) return JSON.stringify({ schema: schema && {}, contentType, ...read });
  const { items, maxLength } = stream;
  const isEvents = contentType === "text/event-stream";
  const schemas = isEvents ? Object.fromEntries(Object.keys(Object(items)).map((name) => [name, {}])) : {};
  const parts = [schemas, { maxLength, ...read }].map((part) => JSON.stringify(part));
  return `{${STREAM}${isEvents ? "events" : "lines"}(${parts})}`;
}

if (import.meta.main) {
  mkdirSync("dist", { recursive: true });
  writeFileSync("dist/api.js", writeModule(api));
}
