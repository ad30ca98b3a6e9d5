// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/problem_details.ts
//
// Sends every error as `application/problem+json` (RFC 9457). One function creates all of them.
//
// curl -i -H 'authorization: Bearer ada' -d '{"title":""}' http://localhost:8000/books

import { allow, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";

/** The body of every error. */
const problemDetails = z.object({
  /** The kind of problem, as a URI. `about:blank` means that the status says everything. */
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  errors: z.array(z.object({ part: z.string(), path: z.array(z.string()), detail: z.string() })).optional(),
});

/** The response with a problem. */
const PROBLEM = { schema: problemDetails, contentType: "application/problem+json" };

const newBook = z.object({ title: z.string().min(1).max(500), year: z.int().optional() });

/** Hard-coded tokens, for this example only. */
const USERS = new Map([["Bearer ada", { role: "admin" }], ["Bearer bob", { role: "reader" }]]);

const authenticated = ({ request }: Context) => {
  const user = USERS.get(request.headers.get("authorization") ?? "");
  return user === undefined
    ? deny(problem(401, "Unauthorized", { headers: { "www-authenticate": "Bearer" } }))
    : allow({ user });
};

const adminOnly = ({ locals }: Context<{ user: { role: string } }>) =>
  locals.user.role === "admin" ? allow() : deny(problem(403, "Forbidden", { detail: "Only admins may do this" }));

const stopping = stopOnSigterm();

const validInput = denyInvalid(({ issues }) => {
  const codes = issues.map(({ code }) => code);
  // After SIGTERM, Deno stops reading bodies that are still arriving.
  if (stopping.aborted && codes.includes("incomplete_body")) {
    return problem(503, "Service Unavailable", { headers: { "retry-after": "1" } });
  }
  return codes.includes("body_too_large") ? problem(413, "Content Too Large") : problem(400, "Invalid input", {
    type: "https://example.com/problems/invalid-input",
    errors: issues.map(({ part, path, message }) => ({ part, path, detail: message })),
  });
});

const app = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,

  handlers: [
    route.post("/books", {
      request: { body: newBook },
      responses: { 201: { schema: newBook }, 400: PROBLEM, 401: PROBLEM, 403: PROBLEM, 413: PROBLEM, 503: PROBLEM },
      guards: [authenticated, adminOnly, validInput],
      resolve: ({ input }) => reply(201, input.body),
    }),

    route.get("/broken", {
      resolve: () => {
        throw new Error("The disk is full");
      },
    }),
  ],

  // The 404 of the framework has no body. Replace it.
  onResponse: ({ context, response }) =>
    response.status === 404 && context.route === undefined ? problem(404, "Not Found") : response,

  // Logs the error with an id. The client receives only the id, and can report it.
  onError: ({ error }) => {
    const instance = `urn:uuid:${crypto.randomUUID()}`;
    console.error(instance, error);
    return problem(500, "Internal Server Error", { instance });
  },
});

export default app satisfies Deno.ServeDefaultExport;

/** The optional members of a problem, and further headers of the response. */
interface Details {
  readonly type?: string;
  readonly detail?: string;
  readonly instance?: string;
  readonly errors?: readonly { readonly part: string; readonly path: readonly string[]; readonly detail: string }[];
  readonly headers?: Readonly<Record<string, string>>;
}

function problem<Status extends number>(status: Status, title: string, { headers = {}, ...details }: Details = {}) {
  return reply(status, { type: "about:blank", title, status, ...details }, {
    contentType: "application/problem+json",
    headers,
  });
}
