import type { z } from "zod";

/** The output of the schema of a form, or the response to a form that is not accepted. */
export type Form<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly response: Response };

/**
 * Reads an urlencoded form. Bytes are counted as they arrive, whatever `content-length` says.
 *
 * @param request The request, with its body unread.
 * @param schema The schema of the fields. The value of a field that repeats is an array.
 * @param maxBytes How long the body may be, in bytes.
 * @returns The form; or a response of 415, 413 or 400.
 */
export async function readForm<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  maxBytes: number,
): Promise<Form<z.output<Schema>>> {
  if (mediaType(request) !== "application/x-www-form-urlencoded") return refuse(415, "Unsupported media type");
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const bytes of bounded(request, maxBytes)) text += decoder.decode(bytes, { stream: true });
  } catch (error) {
    return refuseBody(error);
  }
  return validateFields(new URLSearchParams(text + decoder.decode()), schema);
}

/** Yields the body, and throws `TooLarge` where it exceeds the bound. */
export async function* bounded({ body }: Request, maxBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let size = 0;
  for await (const bytes of body ?? []) {
    size += bytes.length;
    if (size > maxBytes) throw new TooLarge(`A body must have at most ${maxBytes} bytes`);
    yield bytes;
  }
}

/** Thrown for a body, or a part of it, that exceeds a bound. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
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
  return refuse(400, "Invalid input", result.error.issues.map(({ path, message }) => ({ path, message })));
}

/** The media type of a request, in lower case and without its parameters. */
export function mediaType({ headers }: Request): string | undefined {
  return headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
}

/** The response to a body that is too large, or that the client did not send whole or in the right form. */
export function refuseBody(error: unknown): { readonly ok: false; readonly response: Response } {
  return error instanceof TooLarge ? refuse(413, "Content too large") : refuse(400, "Incomplete or malformed body");
}

/** A JSON response with an error. */
export function refuse(
  status: number,
  error: string,
  issues?: readonly object[],
): { readonly ok: false; readonly response: Response } {
  return { ok: false, response: Response.json({ error, ...issues && { issues } }, { status }) };
}
