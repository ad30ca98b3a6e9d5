/** A message of an event stream. */
export interface StreamedMessage {
  /** Its id, with which a client resumes. */
  readonly id: string;
  /** Its data. */
  readonly data: string;
  /** Whether it says that messages before it are missing. */
  readonly isMissed: boolean;
}

/**
 * Reads the messages of an event stream that have an id. Written by hand, so that the client of the module is not a part
 * of what is tested.
 *
 * @param response The response.
 * @returns The messages, until the stream ends or the reader leaves the loop.
 */
export async function* readMessages({ body }: Response): AsyncGenerator<StreamedMessage> {
  let text = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, id] = /^id: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (id === undefined || data === undefined) continue;
      yield { id, data: JSON.parse(data), isMissed: block.includes("event: missed") };
    }
  }
}
