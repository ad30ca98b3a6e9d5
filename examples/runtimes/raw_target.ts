/**
 * Whether a proxy and a server can read the target of a request, `incoming.url` of `node:http`, in two ways: it has a
 * raw backslash or a raw dot segment, or it is absolute and has no host. Respond with 400.
 *
 * An adapter for Node.js makes `request.url` of the target, and resolves dot segments on the way. A proxy that denies
 * `/admin` and forwards `/x/../admin` would be circumvented, and `app.fetch` cannot notice it.
 */
export function isAmbiguous(target = ""): boolean {
  return AMBIGUOUS.test(target);
}

const AMBIGUOUS = /^[^?]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?#]|$))|^(?!\/|\*$|https?:\/\/[^/\\?#])/i;
