import { z } from "zod";

export const book = z.object({ id: z.string(), title: z.string(), lentTo: z.string().optional() });

export type Store = Map<string, z.output<typeof book>>;

export function createStore(): Store {
  return new Map([["1", { id: "1", title: "Middlemarch" }]]);
}
