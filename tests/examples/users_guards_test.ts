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
    // @ts-expect-error at `requireRole("admin")`: No guard before this one adds the local "user". If onRequest returns
    //   it, use route.with<{ user: … }>()
    route.delete("/", { guards: [requireRole("admin")], resolve: ok });

    // @ts-expect-error at `requireRole("admin")`: The guard that adds the local "user" must come before this one
    route.delete("/", { guards: [requireRole("admin"), authenticated], resolve: ok });

    // The user may be undefined, as optionally adds it.

    // @ts-expect-error at `requireRole("admin")`: The local "user" has another type than this guard reads
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
