import type { ReceivedStream } from "../core/responses/responses.ts";

/**
 * Reads the lines of a response as they arrive. When the loop is left, the request ends.
 *
 * @param received The response.
 * @param maxLength The most characters of a line.
 * @param ends What ends a line.
 * @yields Each line, without its end. Text after the last end is a line, too.
 * @throws If a line is too long, if the connection breaks, or if the signal of the request is aborted.
 */
export async function* readLines(
  { request: { signal }, response, unexpected }: ReceivedStream,
  maxLength: number,
  ends: RegExp,
): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  // In process, the signal of the request does not end the body.
  const cancel = () => reader?.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel);
  const decoder = new TextDecoder();
  let rest = "";
  let isAfterReturn = false;
  try {
    signal.throwIfAborted();
    for (let isOpen = true; isOpen;) {
      const chunk = await reader?.read();
      signal.throwIfAborted();
      isOpen = chunk?.done === false;
      let text = decoder.decode(chunk?.value, { stream: isOpen });
      if (text === "") continue;
      // CR and LF are one end, also in two chunks. The line before them has been read: the next may not come for long.
      if (isAfterReturn && text[0] === "\n" && ends.test("\r")) text = text.slice(1);
      isAfterReturn = text.endsWith("\r");
      // Only the new text is searched: a long line in many chunks takes no more time than in one.
      const found = text.split(ends);
      found[0] = rest + found[0];
      rest = found.pop() as string;
      for (const line of found) {
        if (line.length > maxLength) throw unexpected();
        yield line;
        signal.throwIfAborted();
      }
      if (rest.length > maxLength) throw unexpected();
    }
    if (rest !== "") yield rest;
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}
