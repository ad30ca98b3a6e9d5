import { BODY_TOO_LARGE, isEncoded, UNSUPPORTED_ENCODING } from "../core/input/body.ts";
import type { BodyReader } from "../core/input/body_reader.ts";
import { absoluteUrl } from "../core/routing/url.ts";
import { requireOptions } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";

/** The options of {@linkcode decompressed}. */
export interface DecompressedOptions {
  /** The largest decompressed body, in bytes: 1 to 1 GiB. A body that is not compressed may have as many. */
  readonly maxBodyBytes: number;
}

/**
 * Makes a reader of bodies that may be compressed with the content encoding `gzip` or `deflate`.
 *
 * `maxBodyBytes` of the app or the route limits the bytes that arrive. This option limits the decompressed bytes. A
 * small body can become a thousand times as large: decompression stops at the bound. The issues are those of the
 * reader, and these:
 *
 * - `unsupported_content_encoding`: another encoding, or several.
 * - `body_too_large`: one of the bounds is exceeded.
 * - `invalid_content_encoding`: the body does not match its encoding, is cut off, or is empty. Whether something may
 *   follow the compressed data is up to the runtime: Node.js before 24 and Bun accept further members of gzip, and
 *   Node.js 20 also zeros after gzip and anything after deflate.
 *
 * `parts` reads on after this reader has returned. Then a body beyond the bound of the bytes that arrive, or one that is
 * not what its encoding says, has the issue `incomplete_body` or `invalid_form` of the body as a whole.
 *
 * @typeParam Reader The type of the reader.
 * @param reader The reader of the decompressed body: {@linkcode json}, `form`, or a reader of your own. `optional` of
 * one of them, too: then a request may have no body.
 * @param options The bound of the decompressed body.
 * @returns The reader, for `request.bodyReader`. A typed client sends such an endpoint what `fetch` takes.
 * @throws A `TypeError` if an option is wrong.
 *
 * @example Compressed JSON
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { decompressed, json } from "@fw/core/body";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const bodyReader = decompressed(json, { maxBodyBytes: 1024 * 1024 });
 * const app = setup({
 *   validator: standardSchema,
 *   maxBodyBytes: 64 * 1024,
 *   handlers: [
 *     route.post("/metrics", {
 *       request: { body: z.array(z.number()), bodyReader },
 *       resolve: ({ input }) => Response.json(input.ok ? input.body.length : input.issues[0]?.code),
 *     }),
 *   ],
 * });
 *
 * const text = new Blob([JSON.stringify([1, 2, 3])]).stream();
 * const body = await new Response(text.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
 * const init = { method: "POST", body, headers: { "content-encoding": "gzip" } };
 * assertEquals(await (await app.fetch(new Request("http://localhost/metrics", init))).json(), 3);
 * ```
 */
export function decompressed<const Reader extends BodyReader>(
  reader: Reader,
  options: DecompressedOptions,
): DecompressedReader<Reader> {
  requireOptions(options, "decompressed", ["maxBodyBytes"], []);
  const { maxBodyBytes } = options;
  requireWhole(maxBodyBytes, "Option maxBodyBytes of decompressed", 2 ** 30);
  const made: BodyReader = {
    contentTypes: reader.contentTypes,
    ...reader.optional && { optional: true },
    async read(request, maxBytes) {
      if (!isEncoded(request.headers)) return await reader.read(request, Math.min(maxBytes, maxBodyBytes));
      const format = FORMATS.get(`${request.headers.get("content-encoding")}`.toLowerCase());
      if (format === undefined) return { issue: UNSUPPORTED_ENCODING };
      let left = maxBytes;
      let wasCutOff = false;
      // Runtimes differ in whether a body of no bytes is a stream or `null`.
      const source = (request.body ?? new Blob().stream()).getReader();
      const slices = new ReadableStream<Uint8Array<ArrayBuffer>>({
        async pull(controller) {
          // Deno has an empty chunk for an empty body. A pull that adds nothing is not repeated.
          for (let bytes = 0; bytes === 0;) {
            const { done, value } = await source.read().catch((error: unknown) => {
              wasCutOff = true;
              throw error;
            });
            if (done) return controller.close();
            bytes = value.byteLength;
            left -= bytes;
            if (left < 0) throw new RangeError("Body too large");
            // Some runtimes decompress a chunk as a whole, which can make it a thousand times as large.
            for (let start = 0; start < bytes; start += SLICE) controller.enqueue(value.slice(start, start + SLICE));
          }
        },
        cancel: (reason) => source.cancel(reason),
      }, { highWaterMark: 0 });
      const { url, method, signal } = request;
      const headers = new Headers(request.headers);
      for (const name of ["content-encoding", "content-length"]) headers.delete(name);
      const body = slices.pipeThrough(new DecompressionStream(format));
      const init: RequestInit & { duplex: "half" } = { method, headers, signal, body, duplex: "half" };
      const result = await reader.read(new Request(absoluteUrl(url), init), maxBodyBytes);
      if (left < 0) {
        source.cancel().catch(() => {});
        return { issue: BODY_TOO_LARGE };
      }
      const isMalformed = "issue" in result && result.issue.code === "incomplete_body" && !wasCutOff;
      return isMalformed
        ? { issue: { message: "Invalid content encoding", code: "invalid_content_encoding" } }
        : result;
    },
  };
  return made as DecompressedReader<Reader>;
}

/**
 * The type of a reader that {@linkcode decompressed} makes. It has no `format`, since a client has to compress what it
 * sends.
 *
 * @typeParam Reader The type of the reader of the decompressed body.
 */
export type DecompressedReader<Reader extends BodyReader> = Pick<BodyReader, "contentTypes" | "read"> & {
  /** Absent: a client has to compress what it sends. */
  readonly format?: undefined;
  /** Same as `optional` of the reader. */
  readonly optional: Reader["optional"];
};

const FORMATS: ReadonlyMap<string, CompressionFormat> = new Map([["gzip", "gzip"], ["x-gzip", "gzip"], [
  "deflate",
  "deflate",
]]);

/** How many compressed bytes are decompressed at once. */
const SLICE = 512;
