import { type Context, reply, type ValidInput } from "@fw/core";
import { z } from "zod";

/** The schemas of the route, which `ValidInput` derives the types of the input from. */
export const lendingRequest = {
  query: z.object({ notify: z.enum(["email", "none"]).default("none") }),
  body: z.object({ days: z.int().min(1).max(60) }),
};

/** The responses. The compiler checks them where the handler is used, at the route. */
export const lendingResponses = {
  201: { schema: z.object({ book: z.string(), reader: z.string(), days: z.int(), notified: z.boolean() }) },
  404: { schema: z.object({ error: z.string() }) },
};

/**
 * The context of the handler: the locals that it reads, the parameters of the path, the input behind `denyInvalid`. Name only
 * what you read. Without `denyInvalid`, the input is `Input<typeof lendingRequest>`, and `c.input.ok` tells.
 */
export type LendingContext = Context<
  { readonly user: { readonly name: string } },
  { readonly id: string },
  ValidInput<typeof lendingRequest>
>;

export interface Books {
  findTitle(id: string): Promise<string | undefined>;
}

/** Creates the handler, with what it works with. Its type is inferred: it has the statuses and bodies of all replies. */
export function createLendBook(books: Books) {
  return async ({ raw, input, locals }: LendingContext) => {
    const book = await books.findTitle(raw.params.id);
    if (book === undefined) return reply(404, { error: "Not found" });
    return reply(201, describeLoan(book, locals.user.name, input));
  };
}

/** A part of it, which takes no context. Its argument is the input, or a part such as `…["body"]`. */
function describeLoan(book: string, reader: string, { query, body }: ValidInput<typeof lendingRequest>) {
  return { book, reader, days: body.days, notified: query.notify === "email" };
}
