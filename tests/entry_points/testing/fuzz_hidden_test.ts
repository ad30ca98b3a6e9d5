/** Paths below a resource that a user does not see. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { allow, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, type FuzzOptions } from "../../../src/testing/mod.ts";

const actors = {
  ada: { authorization: "ada" },
  bob: { authorization: "bob" },
  carol: { authorization: "carol" },
};

interface Bill {
  readonly id: number;
  readonly owner: string;
  readonly text: string;
}

interface Rules {
  /** Who sees a bill, beside staff. */
  readonly sees?: (bill: Bill, user: string) => boolean;
  /** Who sees its lines. */
  readonly seesLines: (bill: Bill | undefined, user: string) => boolean;
  /** The documented security of both. */
  readonly security?: [];
}

const own = (bill: Bill | undefined, user: string) => bill?.owner === user || user === "carol";

/** Bills that staff makes for users in turn. */
const bills = ({ sees = own, seesLines, security }: Rules) => () => {
  const all: Bill[] = [];
  const user = beforeBody(({ request }: Context) => {
    const name = request.headers.get("authorization");
    return name === null ? deny(reply(401)) : allow({ user: name });
  });
  const members = route.with({
    responses: { 400: {}, 401: {}, 404: {} },
    guards: [user, denyInvalid(() => reply(400))],
    ...security && { docs: { security } },
  });
  const find = (id: string) => all.find((one) => String(one.id) === id);
  return setup({
    validator: standardSchema,
    handlers: [
      members.post("/bills", {
        request: { body: z.object({ text: z.string().max(9) }) },
        responses: { 201: { schema: z.object({ id: z.int() }) }, 403: {} },
        resolve: ({ input: { body }, locals }) => {
          if (locals.user !== "carol") return reply(403);
          const id = all.length + 1;
          all.push({ id, owner: id % 2 === 1 ? "ada" : "bob", text: body.text });
          return reply(201, { id });
        },
      }),
      members.get("/bills/:billId", {
        responses: { 200: { schema: z.object({ id: z.int(), text: z.string() }) } },
        resolve: ({ raw, locals }) => {
          const found = find(raw.params.billId);
          return found === undefined || !sees(found, locals.user)
            ? reply(404)
            : reply(200, { id: found.id, text: found.text });
        },
      }),
      members.get("/bills/:billId/lines", {
        responses: { 200: { schema: z.array(z.string()) } },
        resolve: ({ raw, locals }) => {
          const found = find(raw.params.billId);
          return seesLines(found, locals.user) ? reply(200, [String(found?.text)]) : reply(404);
        },
      }),
    ],
  });
};

async function faultsOf(rules: Rules, options: Partial<FuzzOptions> = {}): Promise<readonly string[]> {
  const faults = await fuzz(bills(rules), { fc, runs: 20, actors, shared: ["carol"], ...options });
  return faults.map(({ kind, fault }) => `${kind}: ${fault.replace(/\d+/, "…").replaceAll(/ada|bob/g, "a user")}`);
}

const LEAK =
  "shows what is hidden: GET /bills/:billId/lines: shows a user data below /bills/…. That path itself is a 404 for " +
  "a user, but not for a user";
const both = ["carol", "GET /bills/:billId", "GET /bills/:billId/lines"];

describe("fuzz()", () => {
  it("finds what a path shows of a resource that another path hides from the same user", async () => {
    assertEquals(await faultsOf({ seesLines: own }), []);
    assertEquals(await faultsOf({ seesLines: (bill) => bill !== undefined }), [LEAK]);
    assertEquals(await faultsOf({ seesLines: (bill) => bill !== undefined }, { shared: both }), [LEAK]);
  });

  it("finds nothing where the path is shared, or for everybody", async () => {
    const seesLines: Rules["seesLines"] = (bill) => bill !== undefined;
    assertEquals(await faultsOf({ seesLines }, { shared: ["carol", "GET /bills/:billId/lines"] }), []);
    assertEquals(await faultsOf({ seesLines, security: [] }), []);
  });

  it("finds nothing where the response is that for any id", async () => {
    assertEquals(await faultsOf({ seesLines: () => true }), []);
  });

  it("finds nothing where only some users may see such resources at all", async () => {
    const sees: Rules["sees"] = (_, user) => user === "carol";
    assertEquals(await faultsOf({ sees, seesLines: (bill) => bill !== undefined }), []);
  });
});
