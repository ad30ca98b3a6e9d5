/** A body that is read piece by piece. */
export interface Reading {
  /** What has been read. */
  readonly text: () => string;
  /**
   * Reads until the body ends, until nothing comes, or until enough has been read.
   *
   * @param idle How long nothing may come, in milliseconds.
   * @returns Whether more may come.
   * @throws What the body breaks off with.
   */
  readonly read: (idle: number) => Promise<boolean>;
  /** Reads no more. */
  readonly cancel: () => void;
}

/**
 * Starts to read a body, up to a bound: a stream may never end.
 *
 * @param response The response.
 * @returns The reading.
 */
export function startReading({ body }: Response): Reading {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let chunks = 0;
  /** What has not come yet. */
  let next: Promise<ReadableStreamReadResult<Uint8Array>> | undefined;
  return {
    text: () => text,
    async read(idle) {
      if (reader === undefined) return false;
      while (chunks < MOST_CHUNKS && text.length < MOST_TEXT) {
        next ??= reader.read();
        const read = await within(next, idle);
        if (read === undefined) return true;
        next = undefined;
        if (read.done) return false;
        chunks++;
        text += decoder.decode(read.value, { stream: true });
      }
      return false;
    },
    cancel: () => void reader?.cancel().catch(() => {}),
  };
}

/** The most characters and chunks of a body that are read. */
const MOST_TEXT = 65_536;
const MOST_CHUNKS = 50;

/** What a promise resolves to; `undefined` if it takes longer. */
async function within<Value>(promise: Promise<Value>, time: number): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), time);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
