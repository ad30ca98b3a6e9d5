import { reply } from "@fw/core";
import { Busboy } from "@fastify/busboy";
import { createWriteStream, existsSync, readdirSync, rmSync } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { z } from "zod";
import { createBudget, type Limits } from "./budget.ts";
import type { Client } from "./client_of.ts";
import { bounded, type Refusal, refuseBody, TooLarge, validateFields } from "./bounded.ts";
import { mediaType } from "./short_form.ts";

/** How many uploads may arrive at once. Each has a file open. */
const ARRIVING: Limits = { total: 200, perAddress: 60, perConnection: 8 };

/** The limits of an upload. */
export interface UploadOptions<Schema extends z.ZodType> {
  /** The schema of the fields beside the file. */
  readonly schema: Schema;
  /** How long the body may be, in bytes. They are counted as they arrive, whatever `content-length` says. */
  readonly maxBytes: number;
  /** Who sends it. */
  readonly client: Client;
}

/** An upload that has arrived. */
export interface Upload<Value> {
  /** A new name for the file. A name that the client chooses could lead out of the directory. */
  readonly id: string;
  /** Where the file is. */
  readonly path: string;
  /** The fields, as their schema gives them out. */
  readonly fields: Value;
  /** How long the file is, in bytes. */
  readonly size: number;
}

/**
 * Receives a multipart form with one file, which is written to disk as it arrives. The name and the type that the client gives
 * to the file are ignored.
 *
 * @param request The request, with its body unread.
 * @param options What the form may be.
 * @param use What to do with it: moves the file to its place. A file that is still at `path` afterwards is removed, as it is
 * when anything fails.
 * @returns What `use` returns; or a response of 415, 413, 408 or 400; or of 503 if too many uploads arrive, from all
 * clients or from this one.
 * @throws If the file cannot be written.
 */
export type ReceiveUpload = <Schema extends z.ZodType, Sent extends Response>(
  request: Request,
  options: UploadOptions<Schema>,
  use: (upload: Upload<z.output<Schema>>) => Promise<Sent>,
) => Promise<Sent | Refusal>;

/**
 * Creates a function that receives uploads. It first removes what uploads have left in the directory that a crash cut
 * off, so no other process may receive uploads there.
 *
 * @param directory Where the files are while they arrive, with the extension `.part`. It is created if need be.
 * @returns The function.
 */
export function createUploads(directory: string): ReceiveUpload {
  removeParts(directory);
  const places = createBudget(ARRIVING);
  return async (request, { schema, maxBytes, client }, use) => {
    if (mediaType(request) !== "multipart/form-data") return reply(415, { error: "Unsupported media type" });
    const place = places(1, client);
    if (place === undefined) return overloaded();
    const id = crypto.randomUUID();
    const path = `${directory}/${id}.part`;
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const fields = await writeFile(request, maxBytes, path).catch((error) => {
        if (error instanceof NotWritten) throw error.cause;
        return refuseBody(error); // all other errors are in what the client sent
      });
      if (fields instanceof Response) return fields;
      const size = await stat(path).then(({ size }) => size, () => 0);
      if (size === 0) return reply(400, { error: "The file is missing" });
      const form = validateFields(fields, schema);
      return form.ok ? await use({ id, path, fields: form.value, size }) : form.response;
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

function overloaded(): Refusal {
  return reply(503, { error: "Too many uploads" }, { headers: { "retry-after": "5" } });
}

/** Writes the file, and returns the fields. The body is read no faster than the file is written. */
async function writeFile(request: Request, maxBytes: number, path: string): Promise<[string, string][]> {
  const parser = new Busboy({
    headers: { "content-type": request.headers.get("content-type") ?? "" },
    limits: { files: 1, parts: 21, fieldSize: 8 * 1024, headerPairs: 20, headerSize: 8 * 1024 },
  });
  const stopped = new AbortController();
  const stop = (error: unknown) => stopped.abort(error);

  // Without these listeners, the parser would silently leave out what exceeds a limit.
  for (const event of ["filesLimit", "partsLimit"] as const) {
    parser.on(event, () => stop(new TooLarge("A form must have one file, and at most 21 parts")));
  }
  const fields: [string, string][] = [];
  parser.on("field", (name, value, _nameTruncated, truncated) => {
    if (truncated) stop(new TooLarge("A field must have at most 8 KiB"));
    fields.push([name, value]);
  });
  let written = Promise.resolve();
  parser.on("file", (_field, file) => {
    written = pipeline(file, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal: stopped.signal });
    written.catch((error) => stop(isSystemError(error) ? new NotWritten("No file", { cause: error }) : error));
  });

  try {
    await pipeline(Readable.from(bounded(request, maxBytes)), parser, { signal: stopped.signal });
    await written;
    return fields;
  } catch (error) {
    stop(error);
    await written.catch(() => {}); // the file must be closed before it is removed
    throw stopped.signal.reason;
  }
}

/** An error of the file system, which is ours. */
class NotWritten extends Error {
  override readonly name = "NotWritten";
}

/** Whether an error has a code such as `ENOSPC`. Those of streams have codes such as `ERR_STREAM_PREMATURE_CLOSE`. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^E[A-Z\d]+$/.test(String(error.code));
}
