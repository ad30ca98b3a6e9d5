// npx -y deno@2.9.6 run --allow-env --allow-net=localhost:8000 --allow-read --allow-write examples/recipes/openapi_client/generate.ts http://localhost:8000/openapi.json examples/recipes/openapi_client/books.d.ts
//
// Writes the types of a client, from the document that an app serves. Run it when the routes or their docs have changed.

import { writeFile } from "node:fs/promises";
import process from "node:process";

/**
 * Makes types of a document.
 *
 * @param document The document in OpenAPI.
 * @returns A module with `paths`, for the client, and `components`, with each schema that has a name.
 */
export async function generateTypes(document: object): Promise<string> {
  // Only now: it reads the environment as soon as it is loaded.
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  const { factory } = (await import("typescript")).default;
  const types = await openapiTS(JSON.stringify(document), {
    // The content of a file is a `Blob`, not a string.
    transform: ({ format }) => format === "binary" ? factory.createTypeReferenceNode("Blob") : undefined,
  });
  return `// deno-fmt-ignore-file\n// deno-lint-ignore-file\n${astToString(types)}`;
}

if (import.meta.main) {
  const [url = "", file = ""] = process.argv.slice(2);
  await writeFile(file, await generateTypes(await (await fetch(url)).json()));
}
