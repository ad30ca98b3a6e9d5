// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/problem_details.ts
//
// What most services do with each request, in one `setup`: a request id, a log, CORS, security headers, a rate limit, 404
// and 405. Every error is sent as `application/problem+json` (RFC 9457). One function creates all of them.
//
// curl -i -H 'authorization: Bearer ada' -d '{"title":""}' http://localhost:8000/books
// curl -i -X DELETE http://localhost:8000/books

import {
  allow,
  beforeBody,
  type Context,
  deny,
  denyInvalid,
  type OnErrorArgs,
  reply,
  replyAs,
  route,
  setup,
} from "@fw/core";
import { accessLog, compose, cors, requestId, securityHeaders, unmatched, withHead } from "@fw/core/hooks";
import { byAddress, limit } from "@fw/core/rate-limit";
import { rateLimitStore } from "@fw/core/memory";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { addressOf } from "./recipes/rate_limit/address_of.ts";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";

/** The body of every error. */
const problemDetails = z.object({
  /** The kind of problem, as a URI. `about:blank` means that the status says everything. */
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  errors: z.array(z.object({ part: z.string(), path: z.array(z.string()).readonly(), detail: z.string() })).optional(),
});

const PROBLEM = { schema: problemDetails, contentType: "application/problem+json" } as const;

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
  if (stopping.aborted && codes.includes("incomplete_body")) return unavailable();
  return codes.includes("body_too_large") ? problem(413, "Content Too Large") : problem(400, "Invalid input", {
    type: "https://example.com/problems/invalid-input",
    errors: issues.map(({ part, path, message }) => ({ part, path, detail: message })),
  });
});

const tenASecond = limit({
  name: "address",
  quota: 600, // at once
  window: 60, // seconds
  key: byAddress({ proxies: 0, address: addressOf }),
  store: rateLimitStore({ most: 100_000 }), // of one process: see recipes/rate_limit.ts
  refuse: () => problem(429, "Too Many Requests"),
  whenStoreFails: unavailable,
});

const policy = cors({
  origins: ["https://app.example.com"],
  allowHeaders: ["authorization", "content-type"],
  exposeHeaders: ["ratelimit", "ratelimit-policy", "retry-after", "x-request-id"],
  maxAge: 600,
});

const missing = unmatched({
  notFound: () => problem(404, "Not Found"),
  methodNotAllowed: () => problem(405, "Method Not Allowed"),
});

const limited = route.with({ responses: { 429: PROBLEM, 503: PROBLEM }, guards: [beforeBody(tenASecond)] });

const limitedRoutes = [
  limited.get("/books", {
    responses: { 200: { schema: z.object({ data: z.array(newBook) }) } },
    resolve: () => reply(200, { data: [{ title: "Emma", year: 1815 }] }),
  }),

  limited.post("/books", {
    request: { body: newBook, maxBodyBytes: 64 * 1024 },
    responses: { 201: { schema: newBook }, 400: PROBLEM, 401: PROBLEM, 403: PROBLEM, 413: PROBLEM },
    guards: [beforeBody(authenticated), beforeBody(adminOnly), validInput],
    resolve: ({ input }) => reply(201, input.body),
  }),

  limited.get("/broken", {
    resolve: () => {
      throw new Error("The disk is full");
    },
  }),
];

const app = setup({
  validator: standardSchema,
  handlers: policy.preflights(withHead(limitedRoutes)),
  ...compose(
    requestId(),
    accessLog({ log: (entry) => console.log(JSON.stringify(entry)) }),
    policy,
    securityHeaders({ "content-security-policy": "default-src 'none'", "x-content-type-options": "nosniff" }),
    missing,
  ),
  onError: answerError,
});

export default app satisfies Deno.ServeDefaultExport;

/** Logs the error with the id of the request. The client receives only the id, and can report it. */
function answerError({ error, context }: OnErrorArgs<{ requestId: string }>): Response {
  const instance = `urn:uuid:${context.locals.requestId}`;
  console.error(instance, error);
  return problem(500, "Internal Server Error", { instance });
}

function unavailable() {
  return problem(503, "Service Unavailable", { headers: { "retry-after": "1" } });
}

const replyProblem = replyAs("application/problem+json");

/** The optional members of a problem, and further headers of the response. */
type Details = Partial<z.input<typeof problemDetails>> & { readonly headers?: Readonly<Record<string, string>> };

function problem<Status extends number>(status: Status, title: string, { headers = {}, ...details }: Details = {}) {
  return replyProblem(status, { type: "about:blank", ...details, title, status }, { headers });
}
