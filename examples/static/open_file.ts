import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** What `openFile` returns. */
export type OpenFile = Awaited<ReturnType<typeof openFile>>;

/**
 * Opens a file for reading. Does not wait for the writer of a pipe, which may have replaced the file: waiting takes one
 * of a few threads.
 */
export async function openFile(path: string) {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let reading: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;
  return {
    stat: () => handle.stat(),
    /** Reads bytes from a position. Returns how many it has read: 0 at the end of the file. */
    async read(buffer: Uint8Array, position: number): Promise<number> {
      if (closing) throw new Error("The file has been closed");
      const read = handle.read(buffer, 0, buffer.length, position);
      reading = read.catch(() => {});
      return (await read).bytesRead;
    },
    /** Closes the file, when the read in progress has ended. Never rejects. */
    close(): Promise<void> {
      // Not during a read: the system could give the number of this file to another one, which would be read instead.
      closing ??= reading.then(() => handle.close()).catch((error) => console.error("A file was not closed:", error));
      return closing;
    },
  };
}
