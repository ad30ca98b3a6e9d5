/** A request to `path` on the host that all tests use. */
export function request(path: string, init?: RequestInit): Request {
  return new Request(`http://localhost${path}`, init);
}

/** A POST of `body`, as it is. */
export function post(path: string, body: BodyInit): Request {
  return request(path, { method: "POST", body });
}

/** What a route at all paths has to be given of this one: all but the first slash, decoded unless it is malformed. */
export function restOf(pathname: string): string {
  const rest = pathname.slice(1);
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
