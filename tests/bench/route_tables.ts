import { github } from "./github_routes.ts";

/** A route of a table, and a request for it. */
export interface TableRoute {
  readonly method: string;
  readonly pattern: string;
  readonly path: string;
  /** The parameters that the request gives. */
  readonly params: Readonly<Record<string, string>>;
}

/** GitHub's routes, each with a request. */
export const githubTable: readonly TableRoute[] = github.map(({ method, pattern, path }) => ({
  method,
  pattern,
  path,
  params: paramsIn(pattern, path),
}));

/** What a resource of a larger API answers: ten routes. */
const ROUTES_OF_A_RESOURCE = [
  ["GET", ""],
  ["POST", ""],
  ["GET", "/:id"],
  ["PUT", "/:id"],
  ["DELETE", "/:id"],
  ["GET", "/:id/comments"],
  ["POST", "/:id/comments"],
  ["GET", "/:id/comments/:comment"],
  ["DELETE", "/:id/comments/:comment"],
  ["GET", "/:id/history"],
] as const;

const RESOURCES = [
  "authors",
  "books",
  "editions",
  "genres",
  "loans",
  "members",
  "orders",
  "reviews",
  "shelves",
  "works",
];

/**
 * Makes the table of an API of any size.
 *
 * @param size How many routes it has: a multiple of ten.
 * @returns The routes, each with a request.
 */
export function createTable(size: number): readonly TableRoute[] {
  return Array.from({ length: size / ROUTES_OF_A_RESOURCE.length }, (_, index) => {
    const resource = `/${RESOURCES[index % RESOURCES.length]}${index < RESOURCES.length ? "" : `-${index}`}`;
    return ROUTES_OF_A_RESOURCE.map(([method, rest]) => {
      const pattern = resource + rest;
      const path = pattern.replace(":id", "pride-and-prejudice").replace(":comment", "1813");
      return { method, pattern, path, params: paramsIn(pattern, path) };
    });
  }).flat();
}

function paramsIn(pattern: string, path: string): Record<string, string> {
  const values = path.split("/");
  const names = pattern.split("/").map((segment, index) => [segment, values[index] ?? ""] as const);
  return Object.fromEntries(names.flatMap(([name, value]) => name.startsWith(":") ? [[name.slice(1), value]] : []));
}
