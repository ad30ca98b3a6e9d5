import { randomBytes } from "node:crypto";
import { readVariable } from "../shared/read_variable.ts";
import { hashPassword } from "../recipes/sessions/password.ts";
import { newUser } from "./schemas.ts";
import type { UserStore } from "./store.ts";
import { createToken } from "./token.ts";

/**
 * Creates an admin of the platform and an org if the store is empty, and prints their ids as shell variables.
 *
 * The password is `ADMIN_PASSWORD` if that is set, and no secret is printed. Otherwise, the password is random, and is
 * printed together with a token.
 */
export async function createFirstAdmin(store: UserStore): Promise<void> {
  if (!store.isEmpty()) return;
  const given = readVariable("ADMIN_PASSWORD");
  const password = given || randomBytes(16).toString("base64url");
  if (!newUser.shape.password.safeParse(password).success) {
    throw new TypeError("ADMIN_PASSWORD must have 8 to 1000 characters");
  }
  const passwordHash = await hashPassword(password);
  const begun = store.begin({ name: "Admin", email: "admin@example.com", passwordHash }, "Example");
  // Another process with the same file has created the admin.
  if (begun === undefined) return;
  const { adminId, orgId } = begun;
  console.log(`ADMIN=${adminId}\nORG=${orgId}`);
  if (given) return;
  const { token, kept } = createToken();
  store.addToken(kept, { userId: adminId, passwordHash });
  console.log(`PASSWORD=${password}\nTOKEN=${token}`);
}
