import type { DeclaredStream } from "../responses/responses.ts";

/** How the items of a stream are checked. */
export interface ItemChecks {
  /** The request. */
  readonly request: Request;
  /** Checks the JSON of an item. */
  check(schema: unknown, text: string, mustBe: MustBe): Promise<void>;
  /** Creates the error for an item, which says what it must be. */
  mustBe(item: number, rule: string, cause?: unknown): Error;
}

/** Creates the error for an item. */
type MustBe = (rule: string, cause?: unknown) => Error;

/**
 * Checks the items of a stream while a client reads it. A chunk is passed on once its items have been checked; one that
 * does not fit ends the stream with an error.
 *
 * @param response The response.
 * @param stream What is declared.
 * @param checks How its items are checked.
 * @returns A response with the same status, headers and bytes.
 */
export function checkItems(response: Response, stream: DeclaredStream, checks: ItemChecks): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) return response;
  /** Called when the items of all chunks so far have been checked. */
  let settle: (() => void) | undefined;
  const settled = () => new Promise<void>((resolve) => settle = resolve);
  let copy: ReadableStreamDefaultController<Uint8Array> | undefined;
  let checking: Promise<void> | undefined;

  const start = async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (copy = controller),
      pull: () => settle?.(),
    }, { highWaterMark: 0 });
    const { headers } = response;
    let item = 1;
    const mustBe: MustBe = (rule, cause) => checks.mustBe(item, rule, cause);
    const items = stream.read({
      request: checks.request,
      response: new Response(body, { headers }),
      unexpected: () => mustBe("be one that clients read"),
      skip: (event) => {
        throw mustBe(`be an event that is declared: received ${event}`);
      },
      async parse(schema, text) {
        await checks.check(schema, text, mustBe);
        item++;
      },
    });
    for await (const _ of items);
  };

  const sent = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (checking === undefined) {
          const ready = settled();
          checking = start();
          await Promise.race([ready, checking]);
        }
        const { done, value } = await reader.read();
        if (done) {
          copy?.close();
          await checking;
          return controller.close();
        }
        const checked = settled();
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
