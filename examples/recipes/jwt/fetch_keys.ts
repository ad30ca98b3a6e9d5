import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";

/** How long to wait for the issuer, in milliseconds. */
const TIMEOUT = 3000;

/** How long a failure counts for all requests, in milliseconds. */
export const RETRY_AFTER = 5000;

/**
 * Finds keys in the key set that an issuer publishes (JWKS).
 *
 * The set is cached for ten minutes. A token that names another key has it fetched again, at most every 30 seconds, so an
 * issuer publishes a new key before it signs with it. All requests wait for the same fetch. After a failure, none asks the
 * issuer for five seconds: anybody can send tokens that name no key.
 *
 * @param url The url of the key set.
 * @returns Finds the key of a token. It rejects if the issuer gives no keys within three seconds.
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
        const keys = await response.json();
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
