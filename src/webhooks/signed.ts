import type { BodyReader } from "../core/input/body_reader.ts";
import { json, type JsonReader } from "../core/input/json.ts";
import { readBytes } from "../core/input/read_bytes.ts";
import { absoluteUrl } from "../core/routing/url.ts";
import { requireThat } from "../core/values/assert.ts";
import type { SignatureScheme, Verdict } from "./schemes.ts";

/**
 * Makes a reader of bodies that are signed. The bytes are counted and verified before anything is parsed. Give it to
 * the implementation of an endpoint, since it has a secret: `route.on(endpoint, { bodyReader: signed(…) })`.
 *
 * The issues have the codes of the reader of the content, and these:
 *
 * - `unsigned`: the request has no signature. Usually 401.
 * - `invalid_signature`: the signature is not valid. Usually 401.
 * - `stale_signature`: the signature is valid, but too old, or from the future. Usually 401.
 * - `body_too_large`, `incomplete_body`: as for JSON. Set `maxBodyBytes`: the whole body is kept in memory.
 *
 * @typeParam Reader The reader of the content. The document describes its media types.
 * @param scheme How the sender signs.
 * @param reader Reads the verified bytes: as JSON by default, or `form` of `@fw/core/body`.
 * @returns The reader.
 * @throws A `TypeError` if an argument is not a scheme, or not a reader.
 *
 * @example A webhook
 * ```ts
 * import { denyInvalid, endpoint, reply, route, setup } from "@fw/core";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { oneOf, signed, standardWebhooks } from "@fw/core/webhooks";
 * import { z } from "zod";
 *
 * const receive = endpoint.post("/webhooks", {
 *   request: { body: oneOf({ "order.paid": z.object({ id: z.string() }) }) },
 *   responses: { 204: {}, 401: {} },
 * });
 *
 * export default setup({
 *   validator: standardSchema,
 *   maxBodyBytes: 65_536,
 *   handlers: [
 *     route.on(receive, {
 *       bodyReader: signed(standardWebhooks({ secrets: ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="] })),
 *       guards: [denyInvalid(() => reply(401))],
 *       resolve: ({ input }) => {
 *         if (input.body.type === "order.paid") console.log(`Paid: ${input.body.data.id}`);
 *         return reply(204);
 *       },
 *     }),
 *   ],
 * });
 * ```
 */
export function signed<Reader extends BodyReader = JsonReader>(
  scheme: SignatureScheme,
  reader?: Reader,
): SignedReader<Reader> {
  requireThat(typeof scheme?.verify === "function", "Scheme of signed", "one such as standardWebhooks(…)", scheme);
  const inner: BodyReader = reader ?? json;
  const isReader = typeof inner?.read === "function" && Array.isArray(inner.contentTypes);
  requireThat(isReader, "Reader of signed", "a reader of bodies, such as form", reader);
  return {
    contentTypes: inner.contentTypes,
    format: inner.format,
    optional: inner.optional,
    "~content": inner,
    async read(request, maxBytes) {
      const body = await readBytes(request, maxBytes);
      if (!(body instanceof Uint8Array)) return { issue: body };
      const verdict = await scheme.verify(request.headers, body);
      if (verdict !== "valid") return { issue: { message: MESSAGES[verdict], code: verdict } };
      return await inner.read(
        new Request(absoluteUrl(request.url), { method: "POST", headers: request.headers, body }),
        maxBytes,
      );
    },
  };
}

/** What {@linkcode signed} returns: a reader with the media types of the one that reads the content. */
export interface SignedReader<out Reader extends BodyReader> extends BodyReader {
  /** The media types. */
  readonly contentTypes: Reader["contentTypes"];
  /** How senders must send the content. */
  readonly format: Reader["format"];
  /** Whether a request may have no body. It needs a signature all the same. */
  readonly optional: Reader["optional"];
  /** The reader of the content, for those who make bodies and have no secret, such as `fuzz`. */
  readonly "~content": BodyReader;
}

const MESSAGES: { readonly [V in Exclude<Verdict, "valid">]: string } = {
  unsigned: "No signature",
  invalid_signature: "Invalid signature",
  stale_signature: "Stale signature",
};
