/** A request to `path` on the host that all tests use. */
export function request(path: string, init?: RequestInit): Request {
  return new Request(`http://localhost${path}`, init);
}

/** A POST of `body`, as it is. */
export function post(path: string, body: BodyInit): Request {
  return request(path, { method: "POST", body });
}
