/** The schemas of the routes that the benchmark of starts declares: the same for all frameworks that take Zod. */
import { z } from "zod";

/** The schema of a body, one for each route. */
export function bodyOf(n: number) {
  return z.object({
    title: z.string().min(1).max(100 + n),
    year: z.int(),
    tags: z.array(z.string()),
    [`note${n}`]: z.string().optional(),
  });
}

/** A body that fits. */
export const BODY = { title: "Emma", year: 1815, tags: ["novel"] };
