import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertType, type IsExact } from "@std/testing/types";
import { authenticatedBy, optionally, requireRole, type Visitor } from "../../examples/users/guards.ts";
import type { Account } from "../../examples/users/store.ts";
import { openStore } from "../../examples/users/store.ts";
import { route, setup } from "../../mod.ts";

const store = openStore(":memory:");
const authenticated = authenticatedBy(store);
const ok = () => new Response();

describe("the guards of the users example", () => {
  it("the guards of the users example pass the user to the handler, with its type", async () => {
    const guarded = route.get("/", {
      guards: [authenticated],
      resolve({ locals }) {
        assertType<IsExact<typeof locals.user, Account>>(true);
        assertType<IsExact<typeof locals.userId, string>>(true);
        return Response.json(locals.userId);
      },
    });
    assertEquals(await statusOf(setup({ handlers: [guarded] })), 401);
  });

  it("the guards of the users example pass the handler a user that may be undefined, if a credential is optional", async () => {
    const open = route.get("/", {
      guards: [optionally(authenticated)],
      resolve({ locals }) {
        assertType<IsExact<typeof locals.user, Visitor["user"]>>(true);
        // @ts-expect-error at `locals.user`: 'locals.user' is possibly 'undefined'.
        const role = () => locals.user.role;
        return Response.json({ user: locals.user ?? null, role: typeof role });
      },
    });
    assertEquals(await statusOf(setup({ handlers: [open] })), 200);
  });

  it("the guards of the users example do not compile if requireRole has no authenticated before it", () => {
    const unguarded = route.delete("/", { guards: [requireRole("admin")], resolve: ok });
    // @ts-expect-error at `unguarded`: This route needs the local "user". List a guard that adds it before the guard
    //   that reads it, or return "user" from onRequest
    setup({ handlers: [unguarded] });

    // @ts-expect-error at `route.delete("/", { guards: [requireRole…`: The order of the guards is wrong: "user" is
    //   needed before the guard that adds it. Put that guard first, or return "user" from onRequest
    setup({ handlers: [route.delete("/", { guards: [requireRole("admin"), authenticated], resolve: ok })] });

    // The user may be undefined, as optionally adds it.

    // @ts-expect-error at `requireRole("admin")`: Type 'undefined' is not assignable to type 'Account'.
    route.delete("/", { guards: [optionally(authenticated), requireRole("admin")], resolve: ok });

    // A role in an org is not a role on the platform.

    // @ts-expect-error at `"viewer"`: Argument of type '"viewer"' is not assignable to parameter of type 'Role'.
    requireRole("viewer");

    setup({ handlers: [route.delete("/", { guards: [authenticated, requireRole("admin")], resolve: ok })] });
  });
});

async function statusOf(app: { fetch(request: Request): Response | Promise<Response> }): Promise<number> {
  return (await app.fetch(new Request("http://localhost/"))).status;
}
