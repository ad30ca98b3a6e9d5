import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { after, afterEach, before, beforeEach, describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { pause, until } from "../support/until.ts";
import { discard } from "./discard.ts";
import { granted } from "../support/granted.ts";
import { assertInvalid, assertTooLarge } from "./assert_invalid.ts";
import { hashWith } from "./hash_with.ts";
import { serve, type Served, type ServeOptions } from "./serve.ts";

const EXAMPLE = "examples/users.ts";
const WITH_CHEAP_HASHES = "tests/examples/serve_users.ts";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MAX_BODY_BYTES = 64 * 1024;
const PASSWORD = "correct horse";

let served: Served;
let emails = 0;

/** Declares tests that share a server, whose hashes are cheap unless it is another program. */
function suite(name: string, test: () => void, program = WITH_CHEAP_HASHES): void {
  (granted("net", "read", "run") ? describe : describe.skip)(name, () => {
    before(() => start(program));
    after(() => served.stop());
    test();
  });
}

suite("POST /users", () => {
  it("POST /users responds with 201 and the user and its location, its e-mail address in lower case, without the password", async () => {
    const response = await send("POST", "/users", {
      body: { name: " Ada\n", email: " Ada@Example.COM\t", password: PASSWORD },
    });
    assertEquals(response.status, 201);
    assertMatch(response.headers.get("content-type") ?? "", /^application\/json/);
    const user = await readUser(response);
    assertEquals(user, { id: user.id, name: "Ada", email: "ada@example.com", createdAt: user.createdAt });
    assertMatch(user.id, UUID);
    assertMatch(user.createdAt, TIMESTAMP);
    assertEquals(response.headers.get("location"), `/users/${user.id}`);
    const found = await send("GET", `/users/${user.id}`);
    assertEquals([found.status, await found.json()], [200, user]);
  });

  it("POST /users responds with 409 to an e-mail address that is taken, in any spelling, also if several requests use it at once", async () => {
    const spellings = ["one@example.com", "One@example.com", "ONE@EXAMPLE.COM", " one@Example.com "];
    const responses = await Promise.all(spellings.map((email) => post({ email })));
    assertEquals(responses.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
    for (const response of responses) if (response.status === 409) await assertError(response, 409);
  });

  it("POST /users accepts a name of 100 characters and a password of 8 to 1,000, which it does not trim", async () => {
    assertEquals((await createUser({ name: ` ${"😀".repeat(100)} `, password: "12345678" })).name, "😀".repeat(100));
    const password = ` ${"x".repeat(998)} `;
    const { email } = await createUser({ password });
    assertEquals((await signIn(email, password)).status, 201);
    await assertUnauthorized(await signIn(email, password.trim()));
  });

  it("POST /users responds with 400 and an issue for each field that is missing, of another type, too short or too long", async () => {
    await assertInvalid(await send("POST", "/users", { body: {} }), "body.name", "body.email", "body.password");
    for (const name of ["   ", "x".repeat(101), "Ada\0", 1]) await assertInvalid(await post({ name }), "body.name");
    for (const password of ["1234567", "x".repeat(1001), "12345678\0", 12345678]) {
      await assertInvalid(await post({ password }), "body.password");
    }
    // The last one has a Kelvin sign, whose lower case is a k.
    const hostile = ["ada@example.com\r\nBcc: x@example.com", `${"x".repeat(250)}@example.com`, "\u212ada@example.com"];
    for (const email of ["ada", "ada@example", "a b@example.com", ...hostile, null]) {
      await assertInvalid(await post({ email }), "body.email");
    }
  });

  it("POST /users ignores fields that a client must not set, such as role", async () => {
    const wanted = {
      id: "11111111-1111-4111-8111-111111111111",
      role: "admin",
      isAdmin: true,
      createdAt: "1999-01-01T00:00:00.000Z",
      passwordHash: "x",
      password_hash: "x",
      orgId: org,
    };
    const user = await createUser(wanted);
    assertEquals(Object.keys(user).toSorted(), ["createdAt", "email", "id", "name"]);
    assert(user.id !== wanted.id && user.createdAt !== wanted.createdAt);
    const token = await tokenOf(user.email);
    await assertError(await send("DELETE", `/users/${user.id}`, { token }), 403);
    await assertError(await postMember({ token }), 403);
  });
});

suite("POST /tokens", () => {
  it("POST /tokens responds with 201 and a token that is valid for a day, and must not be cached", async () => {
    const user = await createUser();
    const before = Date.now();
    const response = await signIn(user.email, PASSWORD);
    assertEquals([response.status, response.headers.get("cache-control")], [201, "no-store"]);
    const { token, expiresAt, ...others } = await response.json();
    assertMatch(token, /^[0-9a-f-]{36}\.[A-Za-z0-9_-]{43}$/);
    assertMatch(expiresAt, TIMESTAMP);
    const issuedAt = Date.parse(expiresAt) - 24 * 60 * 60 * 1000;
    assert(before <= issuedAt && issuedAt <= Date.now());
    assertEquals(others, {});
    assertEquals((await patch(user.id, { email: freshEmail() }, token)).status, 200);
  });

  it("POST /tokens accepts any spelling of the e-mail address, but only the exact password", async () => {
    const { email } = await createUser({ email: "Spelt@example.com" });
    assertEquals((await signIn(` ${email.toUpperCase()} `, PASSWORD)).status, 201);
    await assertUnauthorized(await signIn(email, PASSWORD.toUpperCase()));
  });

  it("POST /tokens sends the same 401 for a wrong password, an unknown e-mail address and an invalid one", async () => {
    const { email } = await createUser();
    const answers = [];
    for (
      const [address, password] of [
        [email, "wrong horse"],
        [email, ""],
        [email, `${PASSWORD} `],
        ["nobody@example.com", PASSWORD],
        ["nobody", "x"],
        ["", ""],
        [email, "x".repeat(1_000)],
      ] as const
    ) {
      const response = await signIn(address, password);
      answers.push([response.status, response.headers.get("www-authenticate"), await response.text()].join());
    }
    assertEquals(new Set(answers), new Set(['401,Bearer,{"error":"Unauthorized"}']));
  });

  it("POST /tokens responds with 400 and 415 like other routes", async () => {
    const tokens = (body: object, type?: string) => send("POST", "/tokens", { body, type });
    await assertInvalid(await tokens({}), "body.email", "body.password");
    await assertInvalid(await tokens({ email: "x\0", password: "x\0" }), "body.email", "body.password");
    await assertInvalid(await tokens({ email: "x", password: "x".repeat(1_001) }), "body.password");
    await assertError(await tokens({ email: "x", password: "x" }, "text/plain"), 415);
  });
});

suite("failed sign-ins", () => {
  it("failed sign-ins are rejected after ten for an account, with 429 and Retry-After, even with the correct password", async () => {
    const { email } = await createUser();
    for (let count = 0; count < 10; count++) await assertUnauthorized(await signIn(email, "wrong horse"));
    for (
      const [address, password] of [[email, "wrong horse"], [email, PASSWORD], [email.toUpperCase(), PASSWORD]] as const
    ) {
      const response = await signIn(address, password);
      const wait = Number(response.headers.get("retry-after"));
      assert(Number.isInteger(wait) && wait > 0 && wait <= 15 * 60, String(wait));
      await assertError(response, 429);
    }
    assertEquals((await signIn((await createUser()).email, PASSWORD)).status, 201);
  });

  it("failed sign-ins are rejected in the same way for an unknown account", async () => {
    const statuses = [];
    for (let count = 0; count < 12; count++) {
      statuses.push((await discard(await signIn("nobody@x.example", "x"))).status);
    }
    assertEquals(statuses, [...Array(10).fill(401), 429, 429]);
  });

  it("failed sign-ins are counted anew after one that succeeds", async () => {
    const { email } = await createUser();
    for (let round = 0; round < 2; round++) {
      for (let count = 0; count < 9; count++) await assertUnauthorized(await signIn(email, "wrong horse"));
      assertEquals((await discard(await signIn(email, PASSWORD))).status, 201);
    }
  });
});

suite("sign-ins from one address", () => {
  it("sign-ins from one address are rejected after three hundred, before their body is read, and other requests are not", async () => {
    const { id } = await createUser();
    for (let count = 0; count < 300; count++) await discard(await signIn(`nobody${count}@x.example`, "x"));
    const statuses = [];
    // One comes back every three seconds.
    do {
      statuses.push((await discard(await send("POST", "/tokens", { body: "no JSON" }))).status);
    } while (statuses.at(-1) !== 429 && statuses.length < 100);
    assertEquals(statuses.at(-1), 429);
    assertEquals((await discard(await send("GET", `/users/${id}`))).status, 200);
  });
});

// With hashes as slow as in production, so that the requests overlap.
suite("many passwords at once", () => {
  it("many passwords at once allow at most ten guesses for an account", async () => {
    const { email } = await createUser();
    const responses = await Promise.all(Array.from({ length: 40 }, () => signIn(email, "wrong horse").then(discard)));
    const wrong = responses.filter(({ status }) => status === 401).length;
    assert(wrong > 0 && wrong <= 10, `${wrong} guesses`);
    assert(responses.some(({ status }) => status === 429));
  });

  it("many passwords at once wait in a short queue, and get 503 beyond it, while requests without a password are served", async () => {
    const { id } = await createUser();
    const count = Math.max(200, 25 * navigator.hardwareConcurrency);
    const many = Promise.all(Array.from({ length: count }, () => post({}).then(discard)));
    assertEquals((await discard(await send("GET", `/users/${id}`))).status, 200);
    const responses = await many;
    const created = responses.filter(({ status }) => status === 201).length;
    const refused = responses.filter(({ status }) => status === 503);
    assertEquals(created + refused.length, count);
    assert(created >= 8 * navigator.hardwareConcurrency && refused.length > 0, `${created} of ${count}`);
    assertEquals(new Set(refused.map(({ headers }) => headers.get("retry-after"))), new Set(["1"]));
    await createUser();
  });
}, EXAMPLE);

// With hashes as slow as in production: all requests have passed their guards before the first one writes.
suite("a password change", () => {
  it("a password change of one token ends another one that changes the password at the same time", async () => {
    const user = await createUser();
    const tokens = [await tokenOf(user.email), await tokenOf(user.email)];
    const passwords = ["one horse's password", "other horse's password"];
    const changes = await Promise.all(
      tokens.map((token, turn) => patch(user.id, { password: passwords[turn] }, token)),
    );
    assertEquals(changes.map(({ status }) => status).toSorted(), [200, 401]);
    const [winner, loser] = changes[0]?.ok ? [0, 1] : [1, 0];
    assertEquals((await signIn(user.email, passwords[winner] ?? "")).status, 201);
    await assertUnauthorized(await signIn(user.email, passwords[loser] ?? ""));
    assertEquals((await patch(user.id, {}, tokens[winner])).status, 200);
    await assertUnauthorized(await patch(user.id, {}, tokens[loser]));
  });
}, EXAMPLE);

suite("GET /users/:id", () => {
  it("GET /users/:id returns the user to anybody", async () => {
    const user = await createUser();
    for (const headers of [{}, { authorization: "Bearer nonsense" }, { accept: "text/html" }]) {
      const response = await send("GET", `/users/${user.id}`, { headers });
      assertEquals([response.status, await response.json()], [200, user]);
    }
  });

  it("GET /users/:id responds with 404 to an unknown id, whatever its characters", async () => {
    for (const id of [crypto.randomUUID(), "nope", "%00", `${admin}%00`, "%E0%A4%A", "__proto__"]) {
      await assertError(await send("GET", `/users/${id}`), 404);
    }
  });
});

suite("PATCH /users/:id", () => {
  it("PATCH /users/:id lets anybody change a name, and nothing else", async () => {
    const user = await createUser();
    const response = await patch(user.id, { name: " Countess " });
    assertEquals([response.status, await response.json()], [200, { ...user, name: "Countess" }]);
    assertEquals(await (await send("GET", `/users/${user.id}`)).json(), { ...user, name: "Countess" });
    assertEquals((await signIn(user.email, PASSWORD)).status, 201);
  });

  it("PATCH /users/:id responds with 200 and the unchanged user if the body changes nothing", async () => {
    const user = await createUser();
    for (
      const body of [{}, { role: "admin", id: admin, createdAt: "x", passwordHash: "x" }, '{"__proto__":{"name":"x"}}']
    ) {
      const response = await patch(user.id, body);
      assertEquals([response.status, await response.json()], [200, user]);
    }
    await assertError(await send("DELETE", `/users/${admin}`, { token: await tokenOf(user.email) }), 403);
  });

  it("PATCH /users/:id requires a token of the user or of an admin, and not of an admin of an org, to change the e-mail address or the password", async () => {
    const user = await createUser();
    const others = [await tokenOf((await createUser()).email), await createWithRole("admin")];
    const own = await tokenOf(user.email);
    for (const body of [{ email: freshEmail() }, { password: "another horse" }, { name: "Eve", email: user.email }]) {
      await assertUnauthorized(await patch(user.id, body));
      for (const other of others) await assertError(await patch(user.id, body, other), 403);
    }
    assertEquals(await (await send("GET", `/users/${user.id}`)).json(), user);
    for (const token of [own, adminToken]) {
      const email = freshEmail();
      const response = await patch(user.id, { name: "Ada", email: email.toUpperCase() }, token);
      assertEquals([response.status, await response.json()], [200, { ...user, name: "Ada", email }]);
    }
  });

  it("PATCH /users/:id responds with 401 to an invalid credential even if none is required", async () => {
    const user = await createUser();
    for (const authorization of ["", "Bearer nonsense"]) {
      const sent = { body: { name: "Eve" }, headers: { authorization } };
      await assertUnauthorized(await send("PATCH", `/users/${user.id}`, sent));
    }
  });

  it("PATCH /users/:id replaces the password, and ends the other tokens of the user", async () => {
    const user = await createUser();
    const [one, other] = [await tokenOf(user.email), await tokenOf(user.email)];
    const response = await patch(user.id, { password: "another horse" }, one);
    assertEquals([response.status, await response.json()], [200, user]);
    await assertUnauthorized(await signIn(user.email, PASSWORD));
    assertEquals((await signIn(user.email, "another horse")).status, 201);
    await assertUnauthorized(await patch(user.id, {}, other));
    assertEquals((await patch(user.id, {}, one)).status, 200);
  });

  it("PATCH /users/:id ends all tokens of the user if an admin sets the password, and none of the admin", async () => {
    const user = await createUser();
    const token = await tokenOf(user.email);
    assertEquals((await patch(user.id, { password: "another horse" }, adminToken)).status, 200);
    await assertUnauthorized(await patch(user.id, {}, token));
    assertEquals((await patch(user.id, {}, adminToken)).status, 200);
  });

  it("PATCH /users/:id responds with 409 to the e-mail address of another user, and changes nothing", async () => {
    const user = await createUser();
    const { email } = await createUser();
    for (const taken of [email, email.toUpperCase()]) {
      await assertError(
        await patch(user.id, { name: "Eve", email: taken, password: "another horse" }, adminToken),
        409,
      );
    }
    assertEquals(await (await send("GET", `/users/${user.id}`)).json(), user);
    assertEquals((await signIn(user.email, PASSWORD)).status, 201);
    assertEquals((await patch(user.id, { email: user.email.toUpperCase() }, adminToken)).status, 200);
  });

  it("PATCH /users/:id responds with 404 to an unknown id", async () => {
    const id = crypto.randomUUID();
    for (const body of [{}, { name: "Ada" }]) await assertError(await patch(id, body), 404);
    await assertError(await patch(id, { email: freshEmail() }, adminToken), 404);
    await assertError(await patch(id, { email: (await createUser()).email }, adminToken), 404);
  });

  it("PATCH /users/:id responds with 400 and the issues of an invalid id and of an invalid body together", async () => {
    await assertInvalid(await patch("nope", { name: "Ada" }), "params.id");
    await assertInvalid(await patch("nope", { name: "", email: "x" }), "params.id", "body.name", "body.email");
    await assertInvalid(
      await patch(admin, { name: null, email: null, password: null }),
      ...["name", "email", "password"].map((name) => `body.${name}`),
    );
    await assertInvalid(await patch(admin, "{"), "body");
    await assertTooLarge(await patch(admin, " ".repeat(MAX_BODY_BYTES + 1)));
  });
});

suite("DELETE /users/:id", () => {
  it("DELETE /users/:id accepts an id in upper case, as GET does, and the scheme of the token in any case", async () => {
    const { id } = await createUser();
    const path = `/users/${id.toUpperCase()}`;
    assertEquals((await (await send("GET", path)).json()).id, id);
    const headers = { authorization: `bEaReR  ${adminToken}` };
    assertEquals((await send("DELETE", path, { headers })).status, 204);
    await assertError(await send("GET", path), 404);
  });

  it("DELETE /users/:id responds with 204 without a body to an admin, and 404 afterwards", async () => {
    const user = await createUser();
    const response = await send("DELETE", `/users/${user.id}`, { token: adminToken });
    assertEquals([response.status, await response.text(), response.headers.get("content-type")], [204, "", null]);
    for (const id of [user.id, "nope"]) {
      await assertError(await send("DELETE", `/users/${id}`, { token: adminToken }), 404);
    }
    await assertError(await send("GET", `/users/${user.id}`), 404);
    await assertError(await patch(user.id, { name: "Ghost" }), 404);
  });

  it("DELETE /users/:id frees the e-mail address, and invalidates the tokens and the password of the user", async () => {
    const user = await createUser();
    const token = await tokenOf(user.email);
    await send("DELETE", `/users/${user.id}`, { token: adminToken });
    await assertUnauthorized(await signIn(user.email, PASSWORD));
    await assertUnauthorized(await send("DELETE", `/users/${admin}`, { token }));
    const successor = await createUser({ email: user.email });
    assert(successor.id !== user.id);
    await assertUnauthorized(await patch(successor.id, { email: freshEmail() }, token));
  });

  it("DELETE /users/:id responds with 401 to a missing or invalid token, and deletes nothing", async () => {
    const user = await createUser();
    const path = `/users/${user.id}`;
    const [id = "", secret = ""] = adminToken.split(".");
    const other = `${secret.slice(0, -1)}${secret.at(-1) === "A" ? "B" : "A"}`;
    const tokens = ["x", id, `${id}.`, `.${secret}`, `${id}.${other}`, `${adminToken}.`, `${user.id}.${secret}`];
    await assertUnauthorized(await send("DELETE", path));
    for (const token of tokens) await assertUnauthorized(await send("DELETE", path, { token }));
    const others = ["", "Bearer", `Basic ${adminToken}`, adminToken, `Bearer${adminToken}`, `Bearer ${adminToken} x`];
    for (const authorization of [...others, `Bearer x, Bearer ${adminToken}`]) {
      await assertUnauthorized(await send("DELETE", path, { headers: { authorization } }));
    }
    await assertUnauthorized(await send("DELETE", `${path}?access_token=${adminToken}`));
    assertEquals((await send("GET", path)).status, 200);
  });

  it("DELETE /users/:id responds with 403 to the user itself and to an admin of an org", async () => {
    const user = await createUser();
    const own = await tokenOf(user.email);
    const orgAdmin = await createWithRole("admin");
    for (const token of [own, orgAdmin]) {
      for (const id of [user.id, admin, crypto.randomUUID(), "nope"]) {
        await assertError(await send("DELETE", `/users/${id}`, { token }), 403);
      }
    }
    assertEquals((await send("GET", `/users/${user.id}`)).status, 200);
  });
});

suite("POST /orgs/:orgId/users", () => {
  it("POST /orgs/:orgId/users responds with 201 and the user, its org, its role in the org and its notification", async () => {
    const email = freshEmail();
    const response = await postMember({
      query: "?notify=sms",
      body: { name: "Grace", email: email.toUpperCase(), role: "viewer" },
    });
    assertEquals(response.status, 201);
    const { id, createdAt, ...others } = await response.json();
    assertEquals(others, { name: "Grace", email, orgId: org, role: "viewer", notify: "sms" });
    assertMatch(id, UUID);
    assertMatch(createdAt, TIMESTAMP);
    assertEquals(response.headers.get("location"), `/users/${id}`);
    assertEquals(await (await send("GET", `/users/${id}`)).json(), { id, name: "Grace", email, createdAt });
  });

  it("POST /orgs/:orgId/users notifies by e-mail by default", async () => {
    for (
      const [query, notify] of [["", "email"], ["?notify=email", "email"], ["?notify=none", "none"], ["?x=1", "email"]]
    ) {
      assertEquals((await (await postMember({ query })).json()).notify, notify);
    }
  });

  it("POST /orgs/:orgId/users creates a user who cannot sign in until an admin has set a password", async () => {
    const response = await postMember();
    const { id, email } = await readUser(response);
    for (const password of ["", "null", "undefined", PASSWORD]) await assertUnauthorized(await signIn(email, password));
    assertEquals((await patch(id, { password: PASSWORD }, adminToken)).status, 200);
    assertEquals((await signIn(email, PASSWORD)).status, 201);
  });

  it("POST /orgs/:orgId/users responds with 403 to users who are not an admin of the org or of the platform", async () => {
    const orgAdmin = await createWithRole("admin");
    assertEquals((await postMember({ token: orgAdmin })).status, 201);
    for (const role of ["member", "viewer"]) {
      await assertError(await postMember({ token: await createWithRole(role) }), 403);
    }
    await assertError(await postMember({ token: await tokenOf((await createUser()).email) }), 403);
  });

  it("POST /orgs/:orgId/users responds with 404 to an unknown org", async () => {
    const orgId = crypto.randomUUID();
    await assertError(await postMember({ orgId }), 404);
    await assertError(await postMember({ orgId, token: await tokenOf((await createUser()).email) }), 404);
  });

  it("POST /orgs/:orgId/users responds with 409 to an e-mail address that is taken, and adds no member to the org", async () => {
    const { email } = await createUser();
    for (const role of ["admin", "member"]) {
      await assertError(await postMember({ body: { name: "Two", email: email.toUpperCase(), role } }), 409);
    }
    await assertError(await postMember({ token: await tokenOf(email) }), 403);
  });

  it("POST /orgs/:orgId/users responds with 400 and the issues of all parts together", async () => {
    const response = await postMember({
      orgId: "nope",
      query: "?notify=pigeon",
      body: { name: "", email: "x", role: "owner" },
    });
    await assertInvalid(response, "params.orgId", "query.notify", "body.name", "body.email", "body.role");
  });
});

suite("the order of checks", () => {
  it("the order of checks is 415, then 401, then the checks of the handler", async () => {
    const wrong = { orgId: "nope", body: "{" };
    await assertError(await postMember({ ...wrong, token: "", type: "text/plain" }), 415);
    await assertUnauthorized(await postMember({ ...wrong, token: "" }));
    await assertInvalid(await postMember(wrong), "params.orgId", "body");
    await assertError(await send("PATCH", "/users/nope", { body: "{", token: "x", type: "text/plain" }), 415);
    await assertUnauthorized(await send("PATCH", "/users/nope", { body: "{", token: "x" }));
    await assertInvalid(await send("PATCH", "/users/nope", { body: "{" }), "params.id", "body");
  });
});

suite("a content-type", () => {
  it("a content-type must be JSON: others get 415, even with a valid body", async () => {
    const body = { name: "x", email: freshEmail(), password: PASSWORD };
    const near = ["application/jsonp", "xapplication/json", "application/+json", "application/json x"];
    for (const type of [null, "text/plain", ...near, "text/plain; application/json", "application/json, text/plain"]) {
      await assertError(await send("POST", "/users", { body, type }), 415);
    }
  });

  it("a content-type may have any case, parameters, and a type that ends with +json", async () => {
    for (const type of ["application/json;charset=x", "APPLICATION/JSON ; q=1", "application/vnd.api+json"]) {
      const response = await send("PATCH", `/users/${admin}`, { body: "{}", type });
      assertEquals([type, response.status], [type, 200]);
    }
  });
});

suite("a request that matches no route", () => {
  it("a request that matches no route receives 404 with a JSON body", async () => {
    for (const path of ["/", "/users", "/users/a/b"]) await assertError(await send("GET", path), 404);
    await assertError(await send("PUT", "/users"), 404);
  });
});

suite("the output of the example", () => {
  it("the output of the example contains the first admin, an org, a password and a token, and all of them work", async () => {
    assertMatch(admin, UUID);
    assertMatch(org, UUID);
    const shown = await (await send("GET", `/users/${admin}`)).json();
    assertEquals([shown.name, shown.email], ["Admin", "admin@example.com"]);
    assertEquals((await signIn("admin@example.com", await printed("PASSWORD"))).status, 201);
    assertEquals((await postMember()).status, 201);
  });

  it("the output of the example contains nothing else after any requests", async () => {
    const before = served.printed();
    const { id, email } = await createUser();
    const token = await tokenOf(email);
    await signIn(email, "wrong horse");
    await patch(id, { password: "another horse" }, token);
    await send("DELETE", `/users/${id}`, { token: adminToken });
    await send("POST", "/users", { body: "{" });
    assertEquals(served.printed(), before);
  });

  it("the output of the example contains new secrets in every run", async () => {
    const [token, password] = [adminToken, await printed("PASSWORD")];
    await served.stop();
    await start(WITH_CHEAP_HASHES);
    assert(adminToken !== token && await printed("PASSWORD") !== password);
    await assertUnauthorized(await send("DELETE", `/users/${admin}`, { token }));
  });
});

(granted("net", "read", "run", "write") ? describe : describe.skip)("USERS_DB", () => {
  let directory = "";
  let file = "";
  beforeEach(async () => {
    directory = await Deno.makeTempDir();
    file = `${directory}/users.db`;
  });
  afterEach(() => Deno.remove(directory, { recursive: true }));

  /** Starts the example with the file, which is new. */
  const openFile = async (program?: string): Promise<Served> => {
    const started = await startWith(optionsFor(file), program);
    await findPrinted();
    return started;
  };

  it("USERS_DB names the file that stores users, passwords and tokens between runs, for its owner alone", async () => {
    const first = await openFile();
    const user = await createUser();
    await first.stop();
    assertEquals(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
    await using _second = await startWith(optionsFor(file));
    assertEquals(await (await send("GET", `/users/${user.id}`)).json(), user);
    assertEquals((await signIn(user.email, PASSWORD)).status, 201);
    assertEquals((await send("DELETE", `/users/${user.id}`, { token: adminToken })).status, 204);
    assertEquals(/^(ADMIN|ORG|PASSWORD|TOKEN)=/m.test(served.printed()), false);
  });

  it("USERS_DB is not read without the permission, so that Deno does not prompt", async () => {
    await using _served = await startWith({ env: { USERS_DB: file, ADMIN_PASSWORD: "ignored as well" } });
    await findPrinted();
    assertEquals((await send("GET", `/users/${admin}`)).status, 200);
    await assertUnauthorized(await signIn("admin@example.com", "ignored as well"));
    assertEquals([...Deno.readDirSync(directory)], []);
  });

  it("USERS_DB contains a hash with today's number of iterations after a sign-in, whatever it was before", async () => {
    await using _served = await openFile(EXAMPLE);
    const { id, email } = await createUser();
    const old = hashWith(1000, "older horse");
    execute(file, `UPDATE users SET password_hash = '${old}' WHERE id = '${id}'`);
    const hash = () => String(query(file, `SELECT * FROM users WHERE id = '${id}'`)[0]?.password_hash);

    await assertUnauthorized(await signIn(email, "wrong horse"));
    assertEquals(hash(), old);
    // Several at once: none is rejected because another one has replaced the hash.
    const signIns = await Promise.all(Array.from({ length: 4 }, () => signIn(email, "older horse")));
    assertEquals(signIns.map(({ status }) => status), [201, 201, 201, 201]);
    for (const response of signIns) assertEquals((await patch(id, {}, (await response.json()).token)).status, 200);
    const renewed = hash();
    assert(Number(/i=(\d+)/.exec(renewed)?.[1]) >= 600_000, renewed);
    assertEquals((await signIn(email, "older horse")).status, 201);
    await assertUnauthorized(await signIn(email, "wrong horse"));
    assertEquals(hash(), renewed);
  });

  it("USERS_DB contains no write of a token that has ended while the request waited for another process", async () => {
    await using _served = await openFile();
    const { id, email } = await createUser();
    const requests = [
      () => send("DELETE", `/users/${id}`, { token: adminToken }),
      () => postMember(),
      () => patch(id, { email: freshEmail() }, adminToken),
    ];
    const rows = () => query(file, "SELECT id, email FROM users");
    const before = rows();
    const setRole = (role: string) => `UPDATE users SET role = '${role}' WHERE id = '${admin}'`;
    const negate = "UPDATE tokens SET expires_at = -expires_at";
    for (const request of requests) {
      for (const [change, undo, status] of [[setRole("user"), setRole("admin"), 403], [negate, negate, 401]] as const) {
        using db = new DatabaseSync(file);
        db.exec(`BEGIN IMMEDIATE; DELETE FROM members; ${change}`);
        const response = request();
        await pause(300); // until the request has passed its guards, and waits
        db.exec("COMMIT");
        await assertError(await response, status);
        assertEquals(rows(), before);
        db.exec(undo);
      }
    }
    assertEquals((await signIn(email, PASSWORD)).status, 201);
  });

  it("USERS_DB contains neither a password nor a token", async () => {
    const password = "a password like no other";
    const started = await openFile();
    const { email } = await createUser({ password });
    const { token } = await (await signIn(email, password)).json();
    await started.stop();
    for (const secret of [password, ...[adminToken, token].map((token) => token.split(".")[1] ?? "")]) {
      await assertNowhere(directory, secret);
    }
  });

  it("USERS_DB contains tokens until they expire", async () => {
    await using _served = await openFile();
    const user = await createUser();
    const token = await tokenOf(user.email);
    const [id = ""] = token.split(".");
    assertEquals((await patch(user.id, {}, token)).status, 200);
    execute(file, `UPDATE tokens SET expires_at = ${Date.now()} WHERE id = '${id}'`);
    await assertUnauthorized(await patch(user.id, {}, token));
    await tokenOf(user.email);
    assertEquals(query(file, "SELECT id FROM tokens").some((row) => row.id === id), false);
  });

  it("USERS_DB contains nothing of a deleted user", async () => {
    await using _served = await openFile();
    const { id, email } = await readUser(await postMember());
    await patch(id, { password: PASSWORD }, adminToken);
    await tokenOf(email);
    const count = () =>
      ["users WHERE id", "tokens WHERE user_id", "members WHERE user_id"]
        .map((place) => query(file, `SELECT count(*) AS count FROM ${place} = '${id}'`)[0]?.count);
    assertEquals(count(), [1, 1, 1]);
    await send("DELETE", `/users/${id}`, { token: adminToken });
    assertEquals(count(), [0, 0, 0]);
  });

  it("USERS_DB without a table is a 500 without details, the error is in the log, and nothing is written in part", async () => {
    await using _served = await openFile();
    const assertFailed = async (response: Response) =>
      assertEquals([response.status, await response.json()], [500, { error: "Internal server error" }]);
    execute(file, "DROP TABLE members");
    await assertFailed(await postMember());
    assertEquals(query(file, "SELECT email FROM users").map(({ email }) => email), ["admin@example.com"]);
    execute(file, "DROP TABLE tokens; DROP TABLE users");
    await assertFailed(await post({}));
    await until(() => served.printed().includes("no such table: users"));
    assertEquals(served.printed().includes(PASSWORD), false);
  });

  it("USERS_DB may be locked by another process: a write gets a 503 that says when to try again", async () => {
    await using _served = await openFile();
    const { id } = await createUser();
    const db = new DatabaseSync(file);
    db.exec("BEGIN IMMEDIATE");
    const refused = await send("DELETE", `/users/${id}`, { token: adminToken });
    assertEquals([refused.status, refused.headers.get("retry-after")], [503, "1"]);
    assertEquals(await refused.json(), { error: "Overloaded" });
    db.close();
    assertEquals((await send("DELETE", `/users/${id}`, { token: adminToken })).status, 204);
  });

  it("ADMIN_PASSWORD is the password of the first admin, and then no secret is printed", async () => {
    const options = { ...optionsFor(file), env: { USERS_DB: file, ADMIN_PASSWORD: "a horse of my own" } };
    await using _served = await startWith(options);
    assertMatch(await printed("ADMIN"), UUID);
    assertMatch(await printed("ORG"), UUID);
    assertEquals((await signIn("admin@example.com", "a horse of my own")).status, 201);
    assertEquals(/PASSWORD|TOKEN|horse/.test(served.printed()), false);
  });

  it("ADMIN_PASSWORD that is invalid for a user fails the start", async () => {
    const options = { ...optionsFor(file), env: { USERS_DB: file, ADMIN_PASSWORD: "short" } };
    const { message } = await assertRejects(
      () => startWith(options).then((started) => started.stop()),
      Error,
      "ADMIN_PASSWORD must have 8 to 1000 characters",
    );
    assertEquals(message.includes("short"), false);
  });
});

/** The first admin, its token and the org, as printed. */
let admin = "";
let adminToken = "";
let org = "";

async function start(program: string): Promise<void> {
  served = await serve(program);
  await findPrinted();
}

function optionsFor(file: string): ServeOptions {
  const permissions = ["--allow-env=USERS_DB,ADMIN_PASSWORD", `--allow-read=${file}`, `--allow-write=${file}`];
  return { permissions, env: { USERS_DB: file } };
}

async function startWith(options: ServeOptions, program = WITH_CHEAP_HASHES): Promise<Served> {
  served = await serve(program, options);
  return served;
}

async function findPrinted(): Promise<void> {
  [admin, org, adminToken] = [await printed("ADMIN"), await printed("ORG"), await printed("TOKEN")];
}

/** Returns the value of a shell variable that the example prints. */
async function printed(name: string): Promise<string> {
  const line = new RegExp(`^${name}=(.+)\n`, "m");
  // The lines are on two streams, so their order is not fixed.
  await until(() => line.test(served.printed()), () => served.printed());
  return line.exec(served.printed())?.[1] ?? "";
}

/** A user, as the API sends it. */
interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: string;
}

/** The optional parts of a request. */
interface Sent {
  readonly body?: string | object | undefined;
  /** The content type. By default, JSON for a request with a body. `null` means none. */
  readonly type?: string | null | undefined;
  /** The bearer token. If it is empty, no credential is sent. */
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
}

function send(method: string, path: string, { body, type = "application/json", token = "", headers = {} }: Sent = {}) {
  const sent = new Headers(headers);
  if (token !== "") sent.set("authorization", `Bearer ${token}`);
  if (body === undefined) return fetch(served.origin + path, { method, headers: sent });
  if (type !== null) sent.set("content-type", type);
  // Send bytes, because fetch adds a content type to a string.
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  return fetch(served.origin + path, { method, headers: sent, body: bytes });
}

/** Sends a request that creates a user. It is valid except for the given changes. */
function post(fields: object): Promise<Response> {
  return send("POST", "/users", { body: { name: "Ada", email: freshEmail(), password: PASSWORD, ...fields } });
}

async function createUser(fields: object = {}): Promise<User> {
  const response = await post(fields);
  assertEquals(response.status, 201);
  return await readUser(response);
}

function patch(id: string, body: string | object, token?: string): Promise<Response> {
  return send("PATCH", `/users/${id}`, { body, token });
}

/** Sends a request of the first admin that creates a user in an org. It is valid except for the given changes. */
function postMember(
  { orgId = org, query = "", token = adminToken, body = { name: "Grace", email: freshEmail(), role: "member" }, type }:
    & Sent
    & {
      readonly orgId?: string;
      readonly query?: string | undefined;
    } = {},
): Promise<Response> {
  return send("POST", `/orgs/${orgId}/users${query}`, { body, token, type });
}

/** Creates a user with this role in the org, and returns a token of the user. */
async function createWithRole(role: string): Promise<string> {
  const { id, email } = await readUser(await postMember({ body: { name: role, email: freshEmail(), role } }));
  assertEquals((await patch(id, { password: PASSWORD }, adminToken)).status, 200);
  return await tokenOf(email);
}

function signIn(email: string, password: string): Promise<Response> {
  return send("POST", "/tokens", { body: { email, password } });
}

async function tokenOf(email: string): Promise<string> {
  const response = await signIn(email, PASSWORD);
  assertEquals(response.status, 201);
  const { token }: { token: string } = await response.json();
  return token;
}

function freshEmail(): string {
  return `user${++emails}@example.com`;
}

async function readUser(response: Response): Promise<User> {
  return await response.json();
}

/** Asserts this status and a body that contains only `error`. */
async function assertError(response: Response, status: number): Promise<void> {
  const body = await response.json();
  assertEquals([response.status, Object.keys(body), typeof body.error], [status, ["error"], "string"]);
}

async function assertUnauthorized(response: Response): Promise<void> {
  assertEquals(response.headers.get("www-authenticate"), "Bearer");
  await assertError(response, 401);
}

function query(file: string, sql: string): readonly Readonly<Record<string, unknown>>[] {
  using db = new DatabaseSync(file);
  return db.prepare(sql).all();
}

function execute(file: string, sql: string): void {
  using db = new DatabaseSync(file);
  db.exec(sql);
}

/** Asserts that no file in a directory contains this text. */
async function assertNowhere(directory: string, text: string): Promise<void> {
  const names = [...Deno.readDirSync(directory)].map(({ name }) => name);
  assert(names.length > 0);
  for (const name of names) {
    const content = new TextDecoder("latin1").decode(await Deno.readFile(`${directory}/${name}`));
    assertEquals([name, content.includes(text)], [name, false]);
  }
}
