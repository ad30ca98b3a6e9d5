import { type App, type Endpoint, route, type RouteResponse, setup } from "@fw/core";

/** An app that is held to its endpoints. */
export interface Held {
  /** Sends a request to the app. Rejects if a declared status comes with another content type, or with a body too many. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The responses that are declared, such as `GET /loans/:id 404`, and that no test has seen. */
  readonly unseen: () => readonly string[];
}

/**
 * Checks what the `validator` of a client does not see of an app: the content types, the bodies of responses without a schema,
 * and which of the declared responses the tests reach.
 *
 * @param endpoints The endpoints by name.
 * @param app The app. Pass `fetch` of the result to the client instead of its own.
 * @returns The app, held to its endpoints.
 */
export function holdToEndpoints(endpoints: Readonly<Record<string, Endpoint>>, app: App): Held {
  const declared = Object.values(endpoints);
  const nameOf = ({ method, path }: Endpoint, key: string) => `${method} ${path} ${key}`;
  const unseen = new Set(declared.flatMap((at) => Object.keys(at.responses ?? {}).map((key) => nameOf(at, key))));

  // The framework's own router finds the endpoint of a request.
  const router = setup({
    handlers: declared.map(({ method, path }, index) =>
      route.on(method, path, { resolve: () => Response.json(index) })
    ),
  });

  return {
    async fetch(request) {
      const found = await router.fetch(new Request(request.url, { method: request.method }));
      const at = found.ok ? declared[await found.json()] : undefined;
      if (at === undefined) throw new Error(`${request.method} ${request.url} has no endpoint`);

      const response = await app.fetch(request);
      const { status } = response;
      const responses: Readonly<Record<string, RouteResponse>> = at.responses ?? {};
      const key = [`${status}`, `${Math.trunc(status / 100)}XX`, "default"].find((key) =>
        Object.hasOwn(responses, key)
      );
      if (key === undefined) return response; // the client rejects it
      unseen.delete(nameOf(at, key));

      const { schema, contentType } = responses[key] ?? {};
      const expected = contentType ?? (schema === undefined ? undefined : "application/json");
      const sent = response.headers.get("content-type") ?? undefined;
      const name = `${request.method} ${at.path} ${status}`;
      if (request.method === "HEAD") return response; // servers drop its body
      if (expected !== undefined) {
        if (mediaType(sent) !== mediaType(expected)) throw new Error(`${name} must be ${expected}: received ${sent}`);
      } else if (await response.clone().text() !== "") {
        throw new Error(`${name} is declared without a body, and has one: declare its schema or its contentType`);
      }
      return response;
    },
    unseen: () => [...unseen],
  };
}

/** A content type without its parameters. */
function mediaType(contentType?: string): string | undefined {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase();
}
