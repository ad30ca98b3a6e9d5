import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { hashPassword, verifyAndRenew } from "../../examples/recipes/sessions/password.ts";
import type { User } from "../../examples/users/responses.ts";
import { EMAIL_TAKEN, openStore, type UserStore } from "../../examples/users/store.ts";
import { createToken, redeemToken } from "../../examples/users/token.ts";
import { granted } from "../support/granted.ts";
import { makeTempDirectory } from "../support/temp_directory.ts";

const ADA = { name: "Ada", email: "ada@example.com", passwordHash: "first" };

describe("the store of the users example", () => {
  it("the store of the users example stores no token for a password that was changed while it was being verified", () => {
    const store = openStore(":memory:");
    const { id } = create(store);
    const login = store.findLogin(ADA.email);
    assertEquals(login, { userId: id, passwordHash: "first" });
    store.update(id, { passwordHash: "second" });
    const { token, kept } = createToken();
    assertEquals(store.addToken(kept, { userId: id, passwordHash: "first" }), false);
    assertEquals(redeemToken(token, store.findSession), undefined);
    assertEquals(store.addToken(kept, { userId: id, passwordHash: "second" }), true);
    assertEquals(redeemToken(token, store.findSession)?.user.id, id);
  });

  it("the store of the users example stores no token for a user who was deleted while the password was being verified", () => {
    const store = openStore(":memory:");
    const { id } = create(store);
    store.delete(id);
    assertEquals(store.addToken(createToken().kept, { userId: id, passwordHash: "first" }), false);
  });

  it("the store of the users example changes nothing if the e-mail address is taken", () => {
    const store = openStore(":memory:");
    const { id } = create(store);
    store.create({ name: "Grace", email: "grace@example.com" });
    const changes = { name: "Eve", email: "grace@example.com", passwordHash: "second" };
    assertEquals(store.update(id, changes), EMAIL_TAKEN);
    assertEquals([store.get(id)?.name, store.findLogin(ADA.email)?.passwordHash], ["Ada", "first"]);
  });

  (granted("read", "write") ? it : it.skip)("creates one first admin if two processes share a file", async () => {
    await using directory = await makeTempDirectory();
    const [one, other] = [openStore(`${directory.path}/users.db`), openStore(`${directory.path}/users.db`)];
    assertEquals([one.isEmpty(), other.isEmpty()], [true, true]);
    assert(one.begin(ADA, "One") !== undefined);
    assertEquals(other.begin({ ...ADA, email: "other@example.com" }, "Other"), undefined);
    assertEquals([one.isEmpty(), other.isEmpty()], [false, false]);
    assertEquals(other.findLogin("other@example.com"), undefined);
  });
});

describe("a password hash", () => {
  it("a password hash matches its password in any Unicode normalization, and no other", async () => {
    const hash = await hashPassword("correct hors\u00e9");
    assertEquals(await verifyAndRenew("correct horse\u0301", hash), hash);
    assertEquals(await verifyAndRenew("correct hors\u00e9 ", hash), undefined);
    assertEquals(await verifyAndRenew("", hash), undefined);
  });

  it("a password hash is slow, and has a salt of its own", async () => {
    const hashes = [await hashPassword("correct horse"), await hashPassword("correct horse")];
    const salts = hashes.map((hash) => {
      const [, iterations, salt = "", derived = ""] = /^\$pbkdf2-sha256\$i=(\d+)\$(.+)\$(.+)$/.exec(hash) ?? [];
      assert(Number(iterations) >= 600_000);
      assertEquals([atob(salt).length, atob(derived).length], [16, 32]);
      return salt;
    });
    assert(salts[0] !== salts[1]);
  });

  it("a password hash that is missing matches no password", async () => {
    assertEquals(await verifyAndRenew("", undefined), undefined);
  });

  it("a password hash costs as much to verify as an unknown one, whatever its number of iterations", async () => {
    const { subtle } = crypto;
    const { deriveBits } = subtle;
    let cost = 0;
    subtle.deriveBits = (algorithm, key, length) => {
      if (typeof algorithm === "object" && "iterations" in algorithm) cost += algorithm.iterations;
      return deriveBits.call(subtle, algorithm, key, length);
    };
    const costOf = async (hash: string | undefined) => {
      cost = 0;
      assertEquals(await verifyAndRenew("wrong horse", hash), undefined);
      return cost;
    };
    try {
      const unknown = await costOf(undefined);
      assert(unknown >= 600_000);
      assertEquals(await costOf(await hashPassword("correct horse")), unknown);
      for (const iterations of [1, 1000, unknown / 2, unknown - 1, unknown]) {
        assertEquals(await costOf(`$pbkdf2-sha256$i=${iterations}$${"A".repeat(22)}$${"A".repeat(43)}`), unknown);
      }
    } finally {
      subtle.deriveBits = deriveBits;
    }
  });

  it("a password hash that is malformed causes an error instead of a mismatch", async () => {
    for (const hash of ["", "plain", "$pbkdf2-sha256$i=0$x$y", "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA"]) {
      await assertRejects(() => verifyAndRenew("plain", hash), TypeError);
    }
  });
});

function create(store: UserStore): User {
  const user = store.create(ADA);
  assert(user !== EMAIL_TAKEN);
  return user;
}
