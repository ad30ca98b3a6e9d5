/** Requests that an actor signs together with the time. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { allow, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz } from "../../../src/testing/mod.ts";

/** What stands for a signature: nobody here forges one. */
const signatureOf = (time: string, body: string) => `${time},${body.length}`;

interface Rules {
  /** Whether a request of this age is accepted, in milliseconds. */
  readonly accepts: (age: number) => boolean;
  /** The time that the sender writes. */
  readonly write?: (now: number) => string;
}

async function faultsOf({ accepts, write = String }: Rules): Promise<readonly string[]> {
  let clock = () => 0;
  const sign = async (request: Request) => {
    const time = write(clock());
    return { "x-signature": `t=${time} v1=${signatureOf(time, await request.text())}`, "x-sender": "shop" };
  };
  const faults = await fuzz((given) => {
    clock = given.clock;
    const signed = beforeBody(async ({ request }: Context) => {
      const header = request.headers.get("x-signature") ?? "";
      const [, time = "", signature] = /^t=(\S+) v1=(.*)$/.exec(header) ?? [];
      const isRight = signature === signatureOf(time, await request.clone().text());
      if (!isRight) return deny(reply(401));
      const digits = time.replace(/\D/g, "");
      const age = clock() - Number(digits) * (digits.length < 12 ? 1000 : 1);
      return accepts(age) ? allow() : deny(reply(401));
    });
    return setup({
      validator: standardSchema,
      handlers: [
        route.post("/webhooks", {
          request: { body: z.object({ id: z.int() }) },
          responses: { 204: {}, 400: {}, 401: {} },
          guards: [signed, denyInvalid(() => reply(400))],
          resolve: () => reply(204),
        }),
        route.get("/news", { responses: { 204: {} }, resolve: () => reply(204) }),
        route.put("/ping", { responses: { 204: {}, 401: {} }, guards: [signed], resolve: () => reply(204) }),
      ],
    });
  }, { fc, runs: 8, actors: { shop: () => sign } });
  return faults.map(({ fault }) => fault);
}

const FAULTS = [
  "POST /webhooks: responds with 204 to a request of shop that was signed two days ago",
  "PUT /ping: responds with 204 to a request of shop that was signed two days ago",
];

describe("fuzz()", () => {
  const seconds = (now: number) => String(Math.floor(now / 1000));

  it("finds a signature whose time is not looked at, in seconds and milliseconds, but where it is needed only", async () => {
    assertEquals((await faultsOf({ accepts: () => true })).toSorted(), FAULTS);
    assertEquals((await faultsOf({ accepts: () => true, write: seconds })).toSorted(), FAULTS);
  });

  it("finds nothing where the age is bounded, also to a day", async () => {
    assertEquals(await faultsOf({ accepts: (age) => age <= 300_000, write: seconds }), []);
    assertEquals(await faultsOf({ accepts: (age) => age <= 86_400_000 }), []);
  });

  it("finds nothing where the signature has no time, or one of another clock", async () => {
    assertEquals(await faultsOf({ accepts: () => true, write: () => "key-1" }), []);
    assertEquals(await faultsOf({ accepts: () => true, write: () => "1767225600" }), []);
  });
});
