// npx -y deno@2.9.6 run --allow-write=examples/books examples/books/write_openapi.ts
//
// Writes the OpenAPI document of the API. It is kept in the repository, and a test compares it with that of today: a change
// that breaks clients fails. Run this when you accept a change, and read what it changes in the document.

import { openapi, type OpenApiDocument } from "@fw/core/openapi";
import * as api from "./api.ts";

export const document: OpenApiDocument = openapi({ info: { title: "Books", version: "2.0.0" }, endpoints: api });

if (import.meta.main) {
  await Deno.writeTextFile(new URL("openapi.json", import.meta.url), JSON.stringify(document, null, 2) + "\n");
}
