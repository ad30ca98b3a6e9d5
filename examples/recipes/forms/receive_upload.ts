import { type Answer, type Reply, reply } from "@fw/core";
import { Busboy } from "@fastify/busboy";
import { createWriteStream, existsSync, readdirSync, rmSync } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { z } from "zod";
import { createBudget, type Limits } from "./budget.ts";
import type { Client } from "./client_of.ts";
import { mediaType } from "./short_form.ts";

/** How many uploads may arrive at once. Each has a file open. */
const ARRIVING: Limits = { total: 200, perAddress: 60, perConnection: 8 };

/** How many bytes a client must send within `MAX_STALL`. */
const STALL_BYTES = 64 * 1024;

/** How long a client may take for them, in milliseconds. This requires about 1 KiB per second. */
const MAX_STALL = 60_000;

export interface UploadOptions<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** How long the body may be, in bytes. They are counted as they arrive, whatever `content-length` says. */
  readonly maxBytes: number;
  readonly client: Client;
}

export interface Upload<Value> {
  /** A new name for the file. A name that the client chooses could lead out of the directory. */
  readonly id: string;
  readonly path: string;
  /** The fields, as their schema gives them out. */
  readonly fields: Value;
  /** In bytes. */
  readonly size: number;
}

/** The response to an upload that is not accepted, or to one too many, from all clients or from this one. */
export type Refusal = Reply<
  | Answer<400, { readonly error: string; readonly issues?: readonly object[] }>
  | Answer<408 | 413 | 415 | 503, { readonly error: string }>
>;

/**
 * Creates a function that receives a multipart form with one file, which is written to disk as it arrives. The name and the
 * type that the client gives to the file are ignored. The function throws if the file cannot be written.
 *
 * Its last argument, `use`, moves the file to its place. A file that is still at `path` afterwards is removed, as it is when
 * anything fails. What uploads have left in the directory that a crash cut off is removed now, so no other process may
 * receive uploads there.
 *
 * @param directory Where the files are while they arrive, with the extension `.part`. It is created if need be.
 */
export function createUploads(directory: string) {
  removeParts(directory);
  const places = createBudget(ARRIVING);
  return async <Schema extends z.ZodType, Sent extends Response>(
    request: Request,
    { schema, maxBytes, client }: UploadOptions<Schema>,
    use: (upload: Upload<z.output<Schema>>) => Promise<Sent>,
  ): Promise<Sent | Refusal> => {
    if (mediaType(request) !== "multipart/form-data") return reply(415, { error: "Unsupported media type" });
    const place = places(1, client);
    if (place === undefined) return reply(503, { error: "Too many uploads" }, { headers: { "retry-after": "5" } });
    const id = crypto.randomUUID();
    const path = `${directory}/${id}.part`;
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const fields = await writeFile(request, maxBytes, path);
      const size = await stat(path).then(({ size }) => size, () => 0);
      if (size === 0) return reply(400, { error: "The file is missing" });
      const { data, error } = schema.safeParse(fields);
      if (error === undefined) return await use({ id, path, fields: data, size });
      const issues = error.issues.map(({ path, message }) => ({ path, message }));
      return reply(400, { error: "Invalid input", issues });
    } catch (error) {
      if (error instanceof Refused) return reply(error.status, { error: error.message });
      throw error;
    } finally {
      await rm(path, { force: true }).finally(() => place[Symbol.dispose]());
    }
  };
}

/** Does nothing without the permission to read the directory, so that Deno does not prompt. */
function removeParts(directory: string): void {
  const { state } = globalThis.Deno?.permissions.querySync({ name: "read", path: directory }) ?? { state: "granted" };
  if (state !== "granted" || !existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    if (PART.test(name)) rmSync(`${directory}/${name}`, { force: true });
  }
}

const PART = /^[\da-f-]{36}\.part$/;

class Refused extends Error {
  override readonly name = "Refused";
  readonly status: 400 | 408 | 413;

  constructor(status: 400 | 408 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Writes the file, and returns the fields. The body is read no faster than the file is written. The value of a field that
 * repeats is an array, which a schema for a string rejects.
 */
async function writeFile(request: Request, maxBytes: number, path: string): Promise<Record<string, unknown>> {
  const stopped = new AbortController();
  const stop = (error: unknown) => stopped.abort(error);
  const tooLarge = () => stop(new Refused(413, "Content too large"));
  const tooSlow = () => stop(new Refused(408, "The body comes too slowly"));
  let timer = setTimeout(tooSlow, MAX_STALL);
  let size = 0;
  let due = STALL_BYTES;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxBytes) return tooLarge();
      if (size >= due) {
        clearTimeout(timer);
        timer = setTimeout(tooSlow, MAX_STALL);
        due = size + STALL_BYTES;
      }
      controller.enqueue(chunk);
    },
  });
  const fields = new Map<string, string[]>();
  let written = Promise.resolve();
  let failure: unknown;
  try {
    const parser = new Busboy({
      headers: { "content-type": request.headers.get("content-type") ?? "" },
      limits: { files: 1, parts: 21, fieldSize: 8 * 1024, headerPairs: 20, headerSize: 8 * 1024 },
    });
    // Without these listeners, the parser would silently leave out what exceeds a limit.
    parser.on("filesLimit", tooLarge);
    parser.on("partsLimit", tooLarge);
    parser.on("field", (name, value, _nameTruncated, truncated) => {
      if (truncated) tooLarge();
      fields.set(name, [...fields.get(name) ?? [], value]);
    });
    parser.on("file", (_field, file) => {
      written = pipeline(file, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal: stopped.signal });
      written.catch((error) => {
        if (isSystemError(error)) failure = error;
        stop(error);
      });
    });
    const body = request.body?.pipeThrough(counter, { signal: stopped.signal });
    await pipeline(Readable.from(body ?? []), parser, { signal: stopped.signal });
    await written;
    return Object.fromEntries(Array.from(fields, ([name, list]) => [name, list.length === 1 ? list[0] : list]));
  } catch (error) {
    stop(error);
    await written.catch(() => {}); // the file must be closed before it is removed
    if (failure !== undefined) throw failure;
    const { reason } = stopped.signal; // any other error is in what the client sent
    throw reason instanceof Refused ? reason : new Refused(400, "Incomplete or malformed body");
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the file system has failed: with a code such as `ENOSPC`. Streams have codes such as `ERR_STREAM_DESTROYED`. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^E[A-Z\d]+$/.test(String(error.code));
}
