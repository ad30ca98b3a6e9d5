import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";

/** How long to wait for the issuer, in milliseconds. */
const TIMEOUT = 3000;

/** The longest key set that is read, in bytes. */
const MAX_BYTES = 64 * 1024;

/** How long a failure counts for all requests, in milliseconds. */
export const RETRY_AFTER = 5000;

/**
 * Finds keys in the key set that an issuer publishes (JWKS).
 *
 * The set is cached for ten minutes. A token that names another key has it fetched again, at most every 30 seconds, so an
 * issuer publishes a new key before it signs with it. All requests wait for the same fetch. After a failure, none asks the
 * issuer for five seconds: anybody can send tokens that name no key. It fails if the issuer gives no keys within three
 * seconds, or more than 64 KiB.
 */
export function fetchKeys(url: URL): JWTVerifyGetKey {
  let failure: unknown;
  let retryAt = -Infinity;
  return createRemoteJWKSet(url, {
    timeoutDuration: TIMEOUT,
    [customFetch]: async (...request) => {
      if (performance.now() < retryAt) throw failure;
      try {
        const response = await fetch(...request);
        if (response.status !== 200) throw new Error(`The issuer answered ${response.status}`);
        const keys = JSON.parse(await readText(response));
        createLocalJWKSet(keys); // throws if it is no key set
        return Response.json(keys);
      } catch (error) {
        failure = error;
        retryAt = performance.now() + RETRY_AFTER;
        throw error;
      }
    },
  });
}

/** Reads a body. Leaving the loop cancels what is left of one that is too long. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`The key set has more than ${MAX_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
