import type { OpenApiDocument, Operation } from "../../../src/openapi/mod.ts";

/** Returns the operations of a document, each with its method and path. */
export function operationsIn({ paths }: OpenApiDocument): readonly (readonly [string, string, Operation])[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [method, path, operation] as const)
  );
}
