import { z } from "zod";

/** A book, and who has it on loan. */
export const book = z.object({ id: z.string(), title: z.string(), lentTo: z.string().optional() });

/** The books of the example, by id. */
export type Store = Map<string, z.output<typeof book>>;

export function createStore(): Store {
  return new Map([["1", { id: "1", title: "Middlemarch" }]]);
}
