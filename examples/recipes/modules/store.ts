/** A book, and who has it on loan. */
export interface Book {
  readonly id: string;
  readonly title: string;
  readonly lentTo?: string;
}

/** The books of the example, by id. */
export type Store = Map<string, Book>;

/** Creates a store with one book. */
export function createStore(): Store {
  return new Map([["1", { id: "1", title: "Middlemarch" }]]);
}
