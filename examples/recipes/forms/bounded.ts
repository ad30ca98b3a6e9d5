import { type Answer, type Reply, reply } from "@fw/core";
import type { z } from "zod";

/** How many bytes a client must send within `MAX_STALL`. */
const STALL_BYTES = 64 * 1024;

/** How long a client may take for them, in milliseconds. This requires about 1 KiB per second. */
const MAX_STALL = 60_000;

/** The response to a form that is not accepted, or to one too many. */
export type Refusal = Reply<
  | Answer<400, { readonly error: string; readonly issues?: readonly object[] }>
  | Answer<408 | 413 | 415 | 503, { readonly error: string }>
>;

/** The output of the schema of a form, or the response to a form that is not accepted. */
export type Form<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly response: Refusal };

/** Yields the body. Throws `TooLarge` where it exceeds the bound, and `TooSlow` if less than 64 KiB come in a minute. */
export async function* bounded({ body }: Request, maxBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (body === null) return;
  const reader = body.getReader();
  const slow = new TooSlow("A body must come with 64 KiB per minute");
  let stalled = false;
  const stop = () => {
    stalled = true;
    reader.cancel(slow).catch(() => {}); // ends the read below
  };
  let timer = setTimeout(stop, MAX_STALL);
  let size = 0;
  let due = STALL_BYTES;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (stalled) throw slow;
      if (done) return;
      size += value.length;
      if (size > maxBytes) throw new TooLarge(`A body must have at most ${maxBytes} bytes`);
      if (size >= due) {
        clearTimeout(timer);
        timer = setTimeout(stop, MAX_STALL);
        due = size + STALL_BYTES;
      }
      yield value;
    }
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
}

/** Thrown for a body, or a part of it, that exceeds a bound. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/** Thrown for a body that comes too slowly. */
export class TooSlow extends Error {
  override readonly name = "TooSlow";
}

/** Validates the fields of a form. The value of a name that repeats is an array, which a schema for a string rejects. */
export function validateFields<Schema extends z.ZodType>(
  fields: Iterable<readonly [string, string]>,
  schema: Schema,
): Form<z.output<Schema>> {
  const lists = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const list = lists.get(name);
    if (list === undefined) lists.set(name, [value]);
    else list.push(value);
  }
  const values = Object.fromEntries(Array.from(lists, ([name, list]) => [name, list.length === 1 ? list[0] : list]));
  const result = schema.safeParse(values);
  if (result.success) return { ok: true, value: result.data };
  const issues = result.error.issues.map(({ path, message }) => ({ path, message }));
  return { ok: false, response: reply(400, { error: "Invalid input", issues }) };
}

/** The response to a body that is too large or too slow, or that the client did not send whole or in the right form. */
export function refuseBody(error: unknown): Refusal {
  if (error instanceof TooLarge) return reply(413, { error: "Content too large" });
  if (error instanceof TooSlow) return reply(408, { error: "The body comes too slowly" });
  return reply(400, { error: "Incomplete or malformed body" });
}
