import { type App, denyInvalid, endpoint, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";

/** What the app depends on. A test gives others. */
export interface Dependencies {
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly store: { find(id: string): Promise<Loan | undefined>; add(loan: Loan): Promise<void> };
}

export interface Loan {
  readonly id: string;
  readonly book: string;
  readonly reader: string;
  readonly dueAt: number;
}

/** A loan as clients see it: who has the book is nobody's business. */
const shown = z.object({ id: z.string(), book: z.string(), dueAt: z.iso.datetime(), overdue: z.boolean() });

const failure = z.object({ error: z.string() });

export const api = {
  lend: endpoint.post("/loans", {
    request: { body: z.object({ book: z.string(), reader: z.string(), days: z.int().min(1).max(60) }) },
    responses: { 201: { schema: shown }, 400: { schema: failure } },
  }),
  showLoan: endpoint.get("/loans/:id", { responses: { 200: { schema: shown }, 404: { schema: failure } } }),
};

const DAY = 24 * 60 * 60 * 1000;

export function createApp({ now, store }: Dependencies): App {
  const show = ({ id, book, dueAt }: Loan) => (
    { id, book, dueAt: new Date(dueAt).toISOString(), overdue: dueAt < now() }
  );

  const validInput = denyInvalid(() => reply(400, { error: "Invalid input" }));
  return setup({
    validator: standardSchema,
    maxBodyBytes: 64 * 1024,
    handlers: [
      route.on(api.lend, {
        guards: [validInput],
        resolve: async ({ input: { body: { days, ...loan } } }) => {
          const added = { ...loan, id: crypto.randomUUID(), dueAt: now() + days * DAY };
          await store.add(added);
          return reply(201, show(added));
        },
      }),

      route.on(api.showLoan, {
        resolve: async ({ raw }) => {
          const loan = await store.find(raw.params.id);
          return loan === undefined ? reply(404, { error: "Not found" }) : reply(200, show(loan));
        },
      }),
    ],
  });
}
