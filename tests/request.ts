import type { Target } from "../src/url.ts";

/** A request to `path` on the host that all tests use. */
export function request(path: string, init?: RequestInit): Request {
  return new Request(`http://localhost${path}`, init);
}

/** A POST of `body`, as it is. */
export function post(path: string, body: BodyInit): Request {
  return request(path, { method: "POST", body });
}

/** The path that a target is about. */
export function pathOf(target: Target | undefined): string | undefined {
  return target?.text.slice(target.start, target.end);
}
