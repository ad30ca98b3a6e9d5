/** What each contender of the benchmark of types declares and calls: resources with five endpoints each. */

/** The endpoints of a resource: show, list, add, replace, remove. */
export const ENDPOINTS_PER_RESOURCE = 5;

/** A way to declare an API, and to call it with types. */
export interface Contender {
  readonly name: string;
  /** The packages that it needs, with their versions. */
  readonly packages: readonly string[];
  /** The module that declares the API, `api.ts`: its start, a resource, and its end. */
  readonly api: {
    readonly start: string;
    resource(k: number): string;
    end(resources: readonly number[]): string;
  };
  /** The statements that create `client`, after the imports of `calls.ts`. */
  readonly client: string;
  /** Calls of the five endpoints of a resource. Each reads the body of each status. */
  calls(k: number): string;
  /** A name that an editor must complete after `client.`. */
  readonly completed: string;
  /** Statements with one misspelt name each. They call the first resource. */
  readonly mistakes: Readonly<Record<Mistake, string>>;
}

/** What must not compile. */
export const MISTAKES = ["endpoint", "parameter", "query", "body", "answer", "failure"] as const;
/** What is misspelt. */
export type Mistake = typeof MISTAKES[number];

/** The schemas of all contenders, `things.ts`. No schema converts: how dates become JSON differs between contenders. */
export function schemas(resources: readonly number[]): string {
  return `
import { z } from "zod";
export const byId = z.object({ id: z.string() });
export const nothing = z.undefined();
export const missing = z.object({ code: z.literal("missing") });
export const invalid = z.object({ code: z.literal("invalid"), issues: z.array(z.string()) });
export declare function use(text: string): void;
${
    resources.map((k) => `
export const thing${k} = z.object({ id: z.string(), name${k}: z.string(), tags: z.array(z.string()), kind: z.enum(["a${k}", "b${k}"]) });
export const page${k} = z.object({ data: z.array(thing${k}), next: z.string().nullable() });
export const search${k} = z.object({ q${k}: z.string(), sort: z.enum(["name", "kind"]).optional(), after: z.string().optional() });
export const fields${k} = z.object({ name${k}: z.string(), tags: z.array(z.string()).optional() });
export const stored${k}: z.infer<typeof thing${k}> = { id: "", name${k}: "", tags: [], kind: "a${k}" };`).join("")
  }
`;
}

/** An import of the schemas of all resources. */
export function importSchemas(resources: readonly number[]): string {
  const names = resources.flatMap((k) => [`thing${k}`, `page${k}`, `search${k}`, `fields${k}`, `stored${k}`]);
  return `import { byId, invalid, missing, nothing, ${names.join(", ")} } from "../things.ts";`;
}

/** The resources of an application, ten to a module: both Hono's and Elysia's guide split large applications. */
export function modulesOf(resources: readonly number[]): readonly (readonly number[])[] {
  const modules = Map.groupBy(resources, (k) => Math.floor(k / 10));
  return [...modules.values()];
}
