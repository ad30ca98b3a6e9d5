import { assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { Webhook } from "standardwebhooks";
import { createApp } from "../../../examples/recipes/webhook_received.ts";

const SECRET = `whsec_${btoa("a secret of this test")}`;

interface Sent {
  readonly id?: string;
  readonly secret?: string;
  readonly at?: Date;
  readonly body?: string;
  readonly sentBody?: string;
}

describe("examples/recipes/webhook_received.ts", () => {
  const { error } = console;
  before(() => void (console.error = () => {}));
  after(() => void (console.error = error));

  function receiver(fails = () => false) {
    const received: string[] = [];
    const app = createApp({
      secret: SECRET,
      receive: async ({ type }) => {
        received.push(type);
        await Promise.resolve();
        if (fails()) throw new Error("The database is away");
      },
    });
    const send = async (
      { id = "1", secret = SECRET, at = new Date(), body = '{"type":"a"}', sentBody = body }: Sent,
    ) => {
      const headers = {
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": new Webhook(secret).sign(id, at, body),
      };
      const request = new Request("http://localhost/webhooks", { method: "POST", headers, body: sentBody });
      return (await app.fetch(request)).status;
    };
    return { app, send, received };
  }

  it("the recipe webhook_received works on a signed webhook once, however often and at once it is sent", async () => {
    const { send, received } = receiver();
    assertEquals(await Promise.all([send({}), send({})]), [204, 204]);
    assertEquals(await send({}), 204);
    assertEquals(await send({ id: "2", body: '{"type":"é😀"}' }), 204);
    assertEquals(received, ["a", "é😀"]);
  });

  it("the recipe webhook_received rejects another secret, another body, another id, an old one, and none", async () => {
    const { app, send, received } = receiver();
    assertEquals(await send({ secret: `whsec_${btoa("another secret")}` }), 401);
    assertEquals(await send({ sentBody: '{"type":"b"}' }), 401);
    assertEquals(await send({ sentBody: '\uFEFF{"type":"a"}' }), 401);
    assertEquals(await send({ at: new Date(Date.now() - 10 * 60_000) }), 401);
    const bare = new Request("http://localhost/webhooks", { method: "POST", body: '{"type":"a"}' });
    assertEquals((await app.fetch(bare)).status, 401);
    assertEquals(received, []);
  });

  it("the recipe webhook_received rejects what is signed and too long, not JSON, or not what the schema says", async () => {
    const { send, received } = receiver();
    assertEquals(await send({ body: `"${"a".repeat(256 * 1024)}"` }), 413);
    assertEquals(await send({ body: "{" }), 400);
    assertEquals(await send({ body: "{}" }), 400);
    assertEquals(received, []);
  });

  it("the recipe webhook_received works again on what has failed, also for a repetition that waited", async () => {
    let fails = true;
    const { send, received } = receiver(() => fails);
    assertEquals(await Promise.all([send({}), send({})]), [500, 500]);
    fails = false;
    assertEquals(await send({}), 204);
    assertEquals(received, ["a", "a"]);
  });
});
