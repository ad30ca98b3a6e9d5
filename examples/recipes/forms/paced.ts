import type { BodyReader } from "@fw/core";

/** How many bytes a client must send within `MAX_STALL`. */
const STALL_BYTES = 64 * 1024;

/** How long a client may take for them, in milliseconds. This requires about 1 KiB per second. */
const MAX_STALL = 60_000;

/**
 * Makes a reader of bodies that must arrive at a pace of 64 KiB per minute. A slower body ends as one that is cut off: with
 * the issue `incomplete_body`. Without such a bound, clients that send a byte now and then keep your memory and your files.
 */
export function paced(reader: BodyReader): BodyReader {
  return {
    ...reader,
    read(request, maxBytes) {
      if (request.body === null) return reader.read(request, maxBytes);
      const { url, method, headers, signal } = request;
      const body = atPace(request.body, () => void late.add(request));
      const init = { method, headers, signal, body, duplex: "half" };
      return reader.read(new Request(url, init), maxBytes);
    },
  };
}

/** Whether the body of a request came too slowly: a 408. Else it was cut off: a 400. */
export function isLate(request: Request): boolean {
  return late.has(request);
}

const late = new WeakSet<Request>();

function atPace(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onLate: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = body.getReader();
  let due = 0;
  let size = 0;
  /** How long the client may still take, in milliseconds. What takes the bytes may be slow, too: its time does not count. */
  let left = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new ReadableStream({
    async pull(controller) {
      if (size >= due) {
        due = size + STALL_BYTES;
        left = MAX_STALL;
      }
      const began = performance.now();
      timer = setTimeout(() => {
        onLate();
        controller.error(new Error("The body comes too slowly"));
        source.cancel().catch(() => {});
      }, left);
      const { done, value } = await source.read().finally(() => clearTimeout(timer));
      left -= performance.now() - began;
      if (done) return controller.close();
      size += value.byteLength;
      controller.enqueue(value);
    },
    cancel(reason) {
      clearTimeout(timer);
      return source.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
