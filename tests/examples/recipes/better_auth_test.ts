import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../../support/granted.ts";

const ORIGIN = "http://localhost:8000";

// The library reads the environment on import.
(granted("env", "read", "net") ? describe : describe.skip)("examples/recipes/better_auth.ts", () => {
  async function create() {
    const { createApp, createAuth } = await import("../../../examples/recipes/better_auth.ts");
    const { fetch } = createApp(
      await createAuth({
        origin: ORIGIN,
        secret: crypto.randomUUID().repeat(2),
        database: ":memory:",
        addressHeader: "x-real-ip",
      }),
    );
    const send = async (path: string, init: RequestInit = {}) => await fetch(new Request(ORIGIN + path, init));
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      send(`/api/auth/${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", origin: ORIGIN, "x-real-ip": "192.0.2.1", ...headers },
      });
    return { send, post };
  }

  const ada = { name: "Ada", email: "ada@example.com", password: "correct horse" };
  const cookieOf = (response: Response) =>
    response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");

  it("the recipe better_auth signs people up, in and out", async () => {
    const { send, post } = await create();
    assertEquals((await send("/me")).status, 401);
    const signedUp = await post("sign-up/email", ada);
    assertEquals(signedUp.status, 200);
    const cookie = cookieOf(signedUp);
    assertEquals(await (await send("/me", { headers: { cookie } })).json(), { name: "Ada", email: "ada@example.com" });

    assertEquals((await post("sign-out", {}, { cookie })).status, 200);
    const after = await send("/me", { headers: { cookie } });
    assertEquals([after.status, await after.json()], [401, { error: "Sign in first" }]);

    const signedIn = await post("sign-in/email", ada);
    assertEquals((await send("/me", { headers: { cookie: cookieOf(signedIn) } })).status, 200);
    assertEquals((await post("sign-in/email", { ...ada, password: "wrong horse" })).status, 401);
  });

  it("the recipe better_auth rejects a forged cookie, and requests of pages of other sites", async () => {
    const { send, post } = await create();
    const cookie = cookieOf(await post("sign-up/email", ada));
    const forged = cookie.replace(/=(.)/, (_, first) => first === "a" ? "=b" : "=a");
    assertEquals((await send("/me", { headers: { cookie: forged } })).status, 401);
    const foreign = await post("sign-out", {}, { cookie, origin: "https://evil.example" });
    assertEquals(foreign.status, 403);
  });
});
