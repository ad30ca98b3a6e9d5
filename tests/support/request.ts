/** A request to `path` on the host that all tests use. */
export function request(path: string, init?: RequestInit): Request {
  return new Request(`http://localhost${path}`, init);
}

/** A POST of `body`, unchanged. */
export function post(path: string, body: BodyInit): Request {
  return request(path, { method: "POST", body });
}

/** The rest that a route for all paths must receive: the path without its first slash, decoded unless it is malformed. */
export function restOf(pathname: string): string {
  const rest = pathname.slice(1);
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
