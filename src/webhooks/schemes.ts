/** How senders of webhooks sign them: four schemes, and what makes one of your own. */

import { requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import { requireSeconds } from "../core/values/whole_number.ts";
import { fromBase64, importKey, sign, standardKey } from "./hmac.ts";

/**
 * The result of checking a signature.
 *
 * - `valid`: one of the secrets has signed the body, in time.
 * - `unsigned`: a header of the signature is missing.
 * - `invalid_signature`: none of the secrets has made one of the signatures, or a header is malformed.
 * - `stale_signature`: the signature is valid, but its time is too far from the clock of this server.
 */
export type Verdict = "valid" | "unsigned" | "invalid_signature" | "stale_signature";

/** How a sender signs its webhooks. {@linkcode hmacScheme} makes one for any sender that uses HMAC-SHA-256. */
export interface SignatureScheme {
  /**
   * Verifies the signature of a request.
   *
   * @param headers The headers of the request.
   * @param body The body, byte for byte: a `Uint8Array<ArrayBuffer>`.
   * @returns The result of checking the signature.
   */
  verify(headers: Headers, body: ReturnType<Uint8Array["slice"]>): Promise<Verdict>; // not generic in TypeScript 5.4
}

/** The options of schemes whose signatures have no time. */
export interface SecretOptions {
  /** The secrets that the sender may sign with: several while you rotate them. None may be empty, or end with a line break. */
  readonly secrets: readonly string[];
}

/** The options of schemes whose signatures have a time. */
export interface TimedSecretOptions extends SecretOptions {
  /** How many seconds the time of a signature may differ from the clock, in both directions; 300 by default. */
  readonly tolerance?: number | undefined;
  /** The clock, in milliseconds since 1970; `Date.now` by default. For tests. */
  readonly now?: (() => number) | undefined;
}

/** What {@linkcode hmacScheme} needs to know of a sender. */
export interface HmacOptions extends TimedSecretOptions {
  /**
   * Reads the headers of the signature.
   *
   * @param headers The headers of the request.
   * @returns The signature; `undefined` if a header is missing; `"malformed"` if one cannot be read.
   */
  readonly read: (headers: Headers) => HmacSignature | "malformed" | undefined;
  /** Makes the key of a secret. By default, the key is the text of the secret, as UTF-8. */
  readonly keyOf?: ((secret: string) => Uint8Array) | undefined;
}

/** The signature of a request. */
export interface HmacSignature {
  /** The text that is signed before the body, such as the time and a dot; `""` if only the body is signed. */
  readonly prefix: string;
  /** The signatures, as bytes. One of them must be valid. Leave out signatures that cannot be decoded. */
  readonly signatures: readonly Uint8Array[];
  /** When it was signed, in seconds since 1970. Absent if the sender signs no time: then no signature is stale. */
  readonly time?: number;
}

/**
 * Makes the scheme of a sender that signs with HMAC-SHA-256.
 *
 * Signatures are compared in constant time. The body is hashed once for each secret, however many signatures a request
 * has.
 *
 * @param options The secrets, and how to read the headers.
 * @returns The scheme, for {@linkcode signed}.
 * @throws A `TypeError` if an option is missing, unknown or wrong. The message contains no secret.
 *
 * @example A sender that puts hexadecimal digits in one header
 * ```ts
 * import { hmacScheme } from "@fw/core/webhooks";
 *
 * const scheme = hmacScheme({
 *   secrets: ["a secret of 32 characters or more"],
 *   read(headers) {
 *     const digits = headers.get("x-signature");
 *     if (digits === null) return undefined;
 *     if (!/^([0-9a-f]{2})+$/.test(digits)) return "malformed";
 *     const bytes = Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
 *     return { prefix: "", signatures: [Uint8Array.from(bytes)] };
 *   },
 * });
 * ```
 */
export function hmacScheme(options: HmacOptions): SignatureScheme {
  return createScheme(options, "hmacScheme");
}

/**
 * The scheme of [Standard Webhooks](https://www.standardwebhooks.com), version `v1`: the headers `webhook-id`,
 * `webhook-timestamp` and `webhook-signature`. A secret is base64, with or without the prefix `whsec_`.
 *
 * An id that has a dot and ten or more digits after it, such as `m1.1700000000`, is rejected. The signature covers the
 * id, the time and the body, with dots between. With such an id, an attacker could divide a recorded message
 * differently, and take a newer time from its body.
 *
 * @param options The secrets, and how old a signature may be.
 * @returns The scheme, for {@linkcode signed}.
 * @throws A `TypeError` if an option is missing, unknown or wrong.
 */
export function standardWebhooks(options: TimedSecretOptions): SignatureScheme {
  const owner = "standardWebhooks";
  requireTimed(options, owner);
  return createScheme({ ...options, keyOf: (secret) => standardKey(secret, owner), read: readStandard }, owner);
}

/**
 * The scheme of [Stripe](https://docs.stripe.com/webhooks#verify-manually), version `v1`: the header
 * `stripe-signature`. A secret begins with `whsec_`, and is used unchanged.
 *
 * @param options The secrets, and how old a signature may be.
 * @returns The scheme, for {@linkcode signed}.
 * @throws A `TypeError` if an option is missing, unknown or wrong.
 */
export function stripe(options: TimedSecretOptions): SignatureScheme {
  requireTimed(options, "stripe");
  return createScheme({ ...options, read: readStripe }, "stripe");
}

/**
 * The scheme of [GitHub](https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries): the header
 * `x-hub-signature-256`. GitHub signs no time, so a recorded request stays valid. It does not sign `x-github-delivery`
 * either: whoever replays a request can change this id. Use the signature as the key of `idempotent`, in lower case, since
 * both cases of its digits are valid: `key: (c) => c.request.headers.get("x-hub-signature-256")?.toLowerCase()`. Two
 * deliveries of the same bytes then count as one.
 *
 * @param options The secrets.
 * @returns The scheme, for {@linkcode signed}.
 * @throws A `TypeError` if an option is missing, unknown or wrong.
 */
export function github(options: SecretOptions): SignatureScheme {
  requireOptions(options, "github", ["secrets"], []);
  return createScheme({ ...options, read: readGithub }, "github");
}

/**
 * The scheme of [Slack](https://docs.slack.dev/authentication/verifying-requests-from-slack), version `v0`: the headers
 * `x-slack-signature` and `x-slack-request-timestamp`. Slack sends its commands as forms: use
 * `signed(slack(…), form)`.
 *
 * @param options The signing secrets, and how old a signature may be.
 * @returns The scheme, for {@linkcode signed}.
 * @throws A `TypeError` if an option is missing, unknown or wrong.
 */
export function slack(options: TimedSecretOptions): SignatureScheme {
  requireTimed(options, "slack");
  return createScheme({ ...options, read: readSlack }, "slack");
}

function createScheme(options: HmacOptions, owner: string): SignatureScheme {
  requireOptions(options, owner, ["secrets", "read"], ["tolerance", "now", "keyOf"]);
  const { secrets, read, keyOf = textKey, tolerance = 300, now = Date.now } = options;
  requireThat(Array.isArray(secrets) && secrets.length > 0, `Option secrets of ${owner}`, "a list of secrets", secrets);
  for (const secret of secrets) {
    const isSecret = typeof secret === "string" && secret !== "";
    requireThat(isSecret, `Each secret of ${owner}`, "a string that is not empty", secret);
    if (/[\r\n]$/.test(secret)) {
      throw new TypeError(`A secret of ${owner} ends with a line break, as files do: call trim()`);
    }
  }
  requireFunction(`Option read of ${owner}`, read);
  requireFunction(`Option keyOf of ${owner}`, keyOf);
  requireFunction(`Option now of ${owner}`, now);
  requireSeconds(tolerance, `Option tolerance of ${owner}`, 86_400);
  const keys = secrets.map(keyOf).map(importKey);
  return {
    async verify(headers, body) {
      const found = read(headers);
      if (found === undefined) return "unsigned";
      if (found === "malformed") return "invalid_signature";
      let isValid = false;
      for (const key of keys) {
        const expected = await sign(await key, found.prefix, body);
        // All are compared, so that the time does not tell which one was valid.
        for (const signature of found.signatures) isValid = isSame(expected, signature) || isValid;
      }
      if (!isValid) return "invalid_signature";
      if (found.time === undefined) return "valid";
      return Math.abs(now() / 1000 - found.time) <= tolerance ? "valid" : "stale_signature";
    },
  };
}

/** Compares in constant time: the number of steps depends on the lengths alone, which are no secret. */
function isSame(expected: Uint8Array, given: Uint8Array): boolean {
  if (given.length !== expected.length) return false;
  return expected.reduce((difference, byte, index) => difference | (byte ^ Number(given[index])), 0) === 0;
}

function requireTimed(options: TimedSecretOptions, owner: string): void {
  requireOptions(options, owner, ["secrets"], ["tolerance", "now"]);
}

function textKey(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}

function readStandard(headers: Headers): HmacSignature | "malformed" | undefined {
  const [id, time, list] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headers.get(name));
  if (!id || !time || !list) return undefined;
  // `Headers` joins two headers by a comma and a space.
  const signatures = list.split(/,? /).flatMap((item) => item.startsWith("v1,") ? fromBase64(item.slice(3)) ?? [] : []);
  // An id with a time may be that of a recorded message, with its time and the beginning of its body.
  if (!isTime(time) || /\.\d{10,}(\.|$)/.test(id)) return "malformed";
  return { prefix: `${id}.${time}.`, signatures, time: Number(time) };
}

function readStripe(headers: Headers): HmacSignature | "malformed" | undefined {
  const header = headers.get("stripe-signature");
  if (!header) return undefined;
  const items = header.split(",");
  const valuesOf = (name: string) =>
    items.flatMap((item) => item.startsWith(`${name}=`) ? item.slice(name.length + 1) : []);
  const [time, ...more] = valuesOf("t");
  if (time === undefined || more.length > 0 || !isTime(time)) return "malformed";
  const signatures = valuesOf("v1").flatMap((digits) => fromHex(digits) ?? []);
  return { prefix: `${time}.`, signatures, time: Number(time) };
}

function readGithub(headers: Headers): HmacSignature | "malformed" | undefined {
  const header = headers.get("x-hub-signature-256");
  if (!header) return undefined;
  const signature = header.startsWith("sha256=") ? fromHex(header.slice(7)) : undefined;
  return signature === undefined ? "malformed" : { prefix: "", signatures: [signature] };
}

function readSlack(headers: Headers): HmacSignature | "malformed" | undefined {
  const [time, header] = ["x-slack-request-timestamp", "x-slack-signature"].map((name) => headers.get(name));
  if (!time || !header) return undefined;
  const signature = header.startsWith("v0=") ? fromHex(header.slice(3)) : undefined;
  if (signature === undefined || !isTime(time)) return "malformed";
  return { prefix: `v0:${time}:`, signatures: [signature], time: Number(time) };
}

/** Whether a text is a number of seconds since 1970. A date, a fraction or two joined headers are none. */
function isTime(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

/** The bytes of hexadecimal digits, if it is a signature of 32 bytes. */
function fromHex(digits: string): Uint8Array | undefined {
  if (!/^[0-9a-f]{64}$/i.test(digits)) return undefined;
  return Uint8Array.from({ length: 32 }, (_, index) => parseInt(digits.slice(2 * index, 2 * index + 2), 16));
}
