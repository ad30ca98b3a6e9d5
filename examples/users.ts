// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/users.ts
//
// Users and organisations: sign-up, sign-in, and routes whose guards check a bearer token and a role. For pages in a browser,
// take the cookies of recipes/sessions.ts instead: scripts can read a token, and no script can read these cookies.
//
// It prints the token of an admin and the id of an org, as shell variables. Paste them into your shell, then type:
//
// J='content-type: application/json'
// A="authorization: Bearer $TOKEN"
// ADA=$(curl -s localhost:8000/users -H "$J" \
//   -d '{"name":"Ada","email":"ada@example.com","password":"correct horse"}' | cut -d '"' -f 4)
// curl -i localhost:8000/users/$ADA
// curl -i localhost:8000/tokens -H "$J" -d '{"email":"ada@example.com","password":"correct horse"}'
// curl -i -X PATCH localhost:8000/users/$ADA -H "$A" -H "$J" -d '{"email":"countess@example.com"}'
// curl -i -X DELETE localhost:8000/users/$ADA -H "$A"
// curl -i "localhost:8000/orgs/$ORG/users?notify=sms" -H "$A" -H "$J" \
//   -d '{"name":"Grace","email":"grace@example.com","role":"viewer"}'
//
// The users are stored in memory. To store them in a file, and to choose the password of the first admin:
// USERS_DB=users.db ADMIN_PASSWORD=… deno serve --host 127.0.0.1 --allow-env=USERS_DB,ADMIN_PASSWORD \
//   --allow-read=users.db --allow-write=users.db examples/users.ts

import { allow, beforeBody, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { createQueue, Overloaded } from "./shared/queue.ts";
import { readVariable } from "./shared/read_variable.ts";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";
import { createFirstAdmin } from "./users/first_admin.ts";
import { authenticatedBy, jsonBody, optionally, requireRole } from "./users/guards.ts";
import { createSignInLimits } from "./users/limits.ts";
import { hashPassword, verifyAndRenew } from "./recipes/sessions/password.ts";
import {
  created,
  createValidInput,
  emailTaken,
  FAILURE,
  forbidden,
  INVALID,
  notFound,
  overloaded,
  shownMember,
  shownUser,
  unauthorized,
} from "./users/responses.ts";
import { credentials, newMember, newUser, notification, userChanges, uuid } from "./users/schemas.ts";
import { type Account, EMAIL_TAKEN, openStore } from "./users/store.ts";
import { createToken } from "./users/token.ts";

const store = openStore(readVariable("USERS_DB") || ":memory:");
await createFirstAdmin(store);

// These guards run before the body is read: a stranger cannot make the server receive one.
const authenticated = beforeBody(authenticatedBy(store));

const validInput = createValidInput(stopOnSigterm());

// A hash occupies a core for about an eighth of a second. With this limit, a request waits for at most about a second.
const CORES = navigator.hardwareConcurrency;
const inTurn = createQueue({ running: CORES, waiting: 7 * CORES, maxWait: 30_000 });

const limits = createSignInLimits(store);

/** The security requirement of `authenticated`, for an OpenAPI document. */
const TOKEN = [{ token: [] }];

/**
 * A scope for routes that read a body. They list `validInput` last: the guards before it also run for invalid input.
 */
const withBody = route.with({
  responses: { ...INVALID, 415: FAILURE, 503: FAILURE },
  guards: [beforeBody(jsonBody)],
});

const app = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,

  handlers: [
    withBody.post("/users", {
      docs: { summary: "Creates a user" },
      request: { body: newUser },
      responses: { 201: { schema: shownUser }, 409: FAILURE },
      guards: [validInput],
      resolve: async ({ input }) => {
        const { name, email, password } = input.body;
        const user = store.create({ name, email, passwordHash: await inTurn(() => hashPassword(password)) });
        return user === EMAIL_TAKEN ? emailTaken() : created(user);
      },
    }),

    // Returns the token that `authenticated` requires.
    withBody.with({ guards: [limits.ofAddress, validInput] }).post("/tokens", {
      docs: { summary: "Signs in" },
      request: { body: credentials },
      responses: {
        201: { schema: z.object({ token: z.string(), expiresAt: z.date() }) },
        401: FAILURE,
        429: FAILURE,
      },
      guards: [({ input }) => allow({ email: input.body.email }), limits.ofAccount],
      resolve: async ({ input: { body: { email, password } } }) => {
        const { token, kept } = createToken();
        for (;;) {
          const login = store.findLogin(email);
          const renewed = await inTurn(() => verifyAndRenew(password, login?.passwordHash));
          if (login === undefined || renewed === undefined) return unauthorized();
          if (store.addToken(kept, login, renewed)) break;
          // Meanwhile, the password has changed, or another sign-in has renewed the hash. Verify the password again.
        }
        return reply(201, { token, expiresAt: kept.expiresAt }, { headers: { "cache-control": "no-store" } });
      },
    }),

    route.get("/users/:id", {
      docs: { summary: "Shows a user" },
      responses: { 200: { schema: shownUser }, 404: FAILURE },
      resolve: ({ raw }) => {
        const found = store.get(raw.params.id.toLowerCase()); // as `uuid` does it
        return found === undefined ? notFound() : reply(200, found);
      },
    }),

    withBody.patch("/users/:id", {
      docs: { summary: "Changes a user", security: [...TOKEN, {}] },
      request: { params: z.object({ id: uuid }), body: userChanges },
      responses: { 200: { schema: shownUser }, 401: FAILURE, 403: FAILURE, 404: FAILURE, 409: FAILURE },
      guards: [beforeBody(optionally(authenticated)), validInput],
      resolve: async ({ input, locals: { user, tokenId } }) => {
        const { params: { id }, body: { name, email, password } } = input;
        // This route requires no credential: anybody who knows the id can change the name. To prevent that, replace
        // `optionally(authenticated)` with `authenticated`. Only the user or an admin can change the e-mail address and
        // the password, which are the credentials of the account.
        const refuse = (user: Account | undefined) => {
          if (email === undefined && password === undefined) return undefined;
          if (user === undefined) return unauthorized();
          return user.id === id || user.role === "admin" ? undefined : forbidden();
        };
        const refused = refuse(user);
        if (refused !== undefined) return refused;
        const passwordHash = password === undefined ? undefined : await inTurn(() => hashPassword(password));
        return ifStillValid(tokenId, (user) => {
          const refused = refuse(user);
          if (refused !== undefined) return refused;
          const updated = store.update(id, { name, email, passwordHash }, tokenId);
          if (updated === undefined) return notFound();
          return updated === EMAIL_TAKEN ? emailTaken() : reply(200, updated);
        });
      },
    }),

    // The second guard needs the user that the first guard adds. Without the first guard, this does not compile.
    route.delete("/users/:id", {
      docs: { summary: "Deletes a user, as an admin", security: TOKEN },
      responses: { 204: {}, 401: FAILURE, 403: FAILURE, 404: FAILURE },
      guards: [authenticated, requireRole("admin")],
      resolve: ({ raw, locals: { tokenId } }) =>
        ifStillValid(tokenId, (user) => {
          if (user?.role !== "admin") return forbidden();
          return store.delete(raw.params.id.toLowerCase()) ? reply(204) : notFound();
        }),
    }),

    // Creates a user without a password. The user can sign in after an admin of the platform has set one.
    withBody.post("/orgs/:orgId/users", {
      docs: { summary: "Creates a user in an org", security: TOKEN },
      request: { params: z.object({ orgId: uuid }), query: notification, body: newMember },
      responses: {
        201: { schema: shownMember },
        401: FAILURE,
        403: FAILURE,
        404: FAILURE,
        409: FAILURE,
      },
      guards: [authenticated, validInput],
      resolve: ({ input, locals: { tokenId, userId } }) => {
        const { params: { orgId }, query: { notify }, body: { name, email, role } } = input;
        return ifStillValid(tokenId, (user) => {
          if (!store.hasOrg(orgId)) return notFound();
          if (user?.role !== "admin" && !store.isOrgAdmin(orgId, userId)) return forbidden();
          const member = store.createMember(orgId, role, { name, email });
          return member === EMAIL_TAKEN ? emailTaken() : created({ ...member, notify });
        });
      },
    }),
  ],

  // The 404 of the framework has no body. Replace it.
  onResponse: ({ context, response }) => response.status === 404 && context.route === undefined ? notFound() : response,

  // Logs the error. The client receives no details of it.
  onError: ({ error, context }) => {
    if (error instanceof Overloaded) return overloaded();
    console.error(`${context.request.method} ${context.route?.path} failed:`, error);
    return Response.json({ error: "Internal server error" }, { status: 500 });
  },
});

export default app satisfies Deno.ServeDefaultExport;

/**
 * Writes in one transaction with a second check of the token, and responds with 401 if it has ended. The first check
 * may be outdated: the request has waited for its turn to hash a password, or for another process that writes. A new
 * password ends the tokens that were stolen.
 *
 * `write` gets the user of the token as it is now. It must check the role of the user again.
 */
function ifStillValid<Sent extends Response>(tokenId: string | undefined, write: (user: Account | undefined) => Sent) {
  return store.transact(() => {
    const user = tokenId === undefined ? undefined : store.findSession(tokenId)?.user;
    return tokenId !== undefined && user === undefined ? unauthorized() : write(user);
  });
}
