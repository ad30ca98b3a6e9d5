// npx -y deno@2.9.6 run --allow-env --allow-read --allow-write examples/recipes/client/generate.ts
//
// Writes the types of the client, `books.d.ts`. Run it when the routes or their docs have changed.

import type { OpenApiDocument } from "@fw/core/openapi";

/** Makes types of a document: `paths`, for the client, and `components`, with each schema that has a name. */
export async function generateTypes(document: OpenApiDocument): Promise<string> {
  // Only now: it reads the environment as soon as it is loaded.
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  const types = await openapiTS(JSON.stringify(document));
  return `// deno-fmt-ignore-file\n// deno-lint-ignore-file\n${astToString(types)}`;
}

if (import.meta.main) {
  const { document } = await import("./app.ts");
  await Deno.writeTextFile(new URL("books.d.ts", import.meta.url), await generateTypes(document));
}
