import type { DeclaredStream } from "../core/responses/responses.ts";

/** Checks the JSON of an item. */
type CheckItem = (schema: unknown, text: string, isJson: boolean, item: number) => Promise<void>;

/** Creates the error for an item, which says what it must be. */
type MustBe = (rule: string, item: number) => Error;

/**
 * Checks the items of a stream while a client reads it. A chunk is passed on once its items have been checked; one that
 * does not fit ends the stream with an error.
 *
 * @param response The response.
 * @param request The request.
 * @param stream What is declared.
 * @param check Checks an item.
 * @param mustBe Creates the error for an item.
 * @returns A response with the same status, headers and bytes.
 */
export function checkItems(
  response: Response,
  request: Request,
  stream: DeclaredStream,
  check: CheckItem,
  mustBe: MustBe,
): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) return response;
  let copy: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Called when the items of all chunks so far have been checked. */
  let settle: (() => void) | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (copy = controller),
    pull: () => settle?.(),
  }, { highWaterMark: 0 });
  let item = 1;
  const read = async () => {
    const items = stream.read({
      request: request,
      response: new Response(body, response),
      unexpected: () => mustBe("be one that clients read", item),
      skip: (event) => {
        throw mustBe(`be an event that is declared: received ${event}`, item);
      },
      async parse(schema, text) {
        await check(schema, text, true, item++);
      },
    });
    for await (const _ of items);
  };
  const checking = read();
  checking.catch(() => {}); // whoever reads the stream receives it

  const sent = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await Promise.race([checking as Promise<never>, reader.read()]);
        if (done) {
          copy?.close();
          await checking;
          return controller.close();
        }
        const checked = new Promise<void>((resolve) => settle = resolve);
        copy?.enqueue(value);
        await Promise.race([checked, checking]);
        controller.enqueue(value);
      } catch (error) {
        reader.cancel(error).catch(() => {});
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return new Response(sent, response);
}
