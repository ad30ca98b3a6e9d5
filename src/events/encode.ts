/** An event before it is encoded. */
export interface UnencodedEvent {
  /** Its name; `message` or empty for an event without a name. */
  readonly event?: string | undefined;
  /** Its data. */
  readonly data: unknown;
  /** Its id. */
  readonly id?: string | undefined;
}

/**
 * Encodes an event. Its data is JSON, which has no line breaks, or text, each line of which is a field of its own.
 *
 * @param event The event.
 * @param texts The names of events whose data is text.
 * @returns The text that is sent.
 * @throws A `TypeError` if the name or the id is not one line, or the data is neither JSON nor text.
 */
export function encodeEvent({ event = "message", data, id }: UnencodedEvent, texts: ReadonlySet<string>): string {
  requireFields(event, id);
  const name = event === "message" || event === "" ? "" : `event: ${event}\n`;
  const lines = texts.has(event || "message") ? linesOf(data) : [encodeJson(data)];
  return `${name}${id === undefined ? "" : `id: ${id}\n`}${lines.map((line) => `data: ${line}\n`).join("")}\n`;
}

function linesOf(data: unknown): readonly string[] {
  if (typeof data !== "string") {
    throw new TypeError(`Data of an event of text() must be a string: received ${typeof data}`);
  }
  return data.split(/\r\n|\n|\r/);
}

/**
 * Rejects a name or an id with a line break, since what follows it would be another field or another event. The
 * standard ignores an id with NUL.
 *
 * @param event The name.
 * @param id The id.
 * @throws A `TypeError` if one of them has CR, LF or NUL. It does not contain the value, which may come from a client.
 */
export function requireFields(event: unknown, id: unknown = ""): void {
  for (const value of [event, id]) {
    if (typeof value !== "string" || /[\r\n\0]/.test(value)) {
      throw new TypeError(`Event name and id must be strings without CR, LF and NUL: received ${typeof value}`);
    }
  }
}

/** Encodes a line of JSON. */
export function encodeLine(item: unknown): string {
  return encodeJson(item) + "\n";
}

function encodeJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`Item must be JSON: received ${typeof value}`);
  return text;
}
