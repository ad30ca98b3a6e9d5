import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import app, { notes, signedIn } from "../../../examples/recipes/two_sign_ins.ts";
import { allow, deny, reply, route } from "../../../mod.ts";

const PERSON = { cookie: "theme=dark; session=ada" };
const SERVICE = { authorization: "Bearer report" };

/** The status, and who has read the note. */
async function read(path: string, headers: HeadersInit = {}): Promise<readonly [number, unknown?]> {
  const response = await app.fetch(new Request(`http://localhost${path}`, { headers }));
  return response.status === 200 ? [200, (await response.json()).readBy] : [response.status];
}

describe("examples/recipes/two_sign_ins.ts", () => {
  it("the recipe two_sign_ins serves the feature under both prefixes, each behind its own sign-in", async () => {
    assertEquals(await read("/app/notes/1", PERSON), [200, "ada"]);
    assertEquals(await read("/services/notes/1", SERVICE), [200, "report"]);
    assertEquals(await read("/app/notes/1", SERVICE), [401]);
    assertEquals(await read("/services/notes/1", PERSON), [401]);
    assertEquals(await read("/notes/1", PERSON), [404]);
  });

  it("the recipe two_sign_ins takes no scope without a sign-in, and no sign-in that denies otherwise", () => {
    // @ts-expect-error at `route`: Property 'userId' is missing in type 'NoLocals' but required in type '{ readonly
    //   userId: string; }'.
    notes(route);
    // @ts-expect-error at `route.with({ prefix: "/open" })`: Property 'userId' is missing in type '{}' but required in
    //   type '{ readonly userId: string; }'.
    notes(route.with({ prefix: "/open" }));
    // @ts-expect-error at `allow()`: Property 'locals' is optional in type '{…' but required in type '{…'.
    signedIn("/app", () => allow());
    // @ts-expect-error at `403`: Argument of type '403' is not assignable to parameter of type '401'.
    signedIn("/app", (c) => c.request.headers.has("x") ? allow({ userId: "" }) : deny(reply(403)));
  });
});
