import type { App } from "@fw/core";
import type { http, RequestHandler } from "msw";

/**
 * Makes handlers for MSW that respond with an app. A request for which the app has no route is unhandled.
 *
 * @param http `http` of `msw`: passed, since the library reads the environment when it is imported.
 * @param origin The origin of the mocked server, such as `https://api.example.com`.
 * @param app The app.
 * @returns The handlers, for `setupServer` or `setupWorker`.
 * @throws A `TypeError` if a route has a method that MSW cannot mock.
 */
export function mock(http: Http, origin: string, app: App): RequestHandler[] {
  const handlers = new Map(Object.entries(http).map(([name, handle]) => [name.toUpperCase(), handle]));
  return app.routes.flatMap(({ method, path }) =>
    [method].flat().map((method) => {
      const handle = handlers.get(method);
      if (handle === undefined) throw new TypeError(`MSW cannot mock the method ${method} of route "${path}"`);
      return handle(origin + path, ({ request }) => app.fetch(request));
    })
  );
}

type Http = typeof http;
