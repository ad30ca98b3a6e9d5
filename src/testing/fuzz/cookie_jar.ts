/** The cookies of one user: by name, for all paths. */
export interface CookieJar {
  /** Adds them to the headers of a request that has none. */
  addTo(headers: Headers): void;
  /** Keeps those that a response sets, and forgets those that it ends. */
  keep(headers: Headers): void;
}

/** Creates an empty jar. */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, string>();
  return {
    addTo(headers) {
      if (cookies.size === 0 || headers.has("cookie")) return;
      headers.set("cookie", Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; "));
    },
    keep(headers) {
      for (const cookie of headers.getSetCookie()) {
        const pair = cookie.replace(/;[^]*/, "");
        const name = pair.replace(/=[^]*/, "");
        const value = pair.slice(name.length + 1);
        if (value === "" || /max-age=0/i.test(cookie)) cookies.delete(name);
        else cookies.set(name, value);
      }
    },
  };
}
