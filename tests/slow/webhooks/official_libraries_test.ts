/** Signatures that the official libraries make. Slack has none for this alone: its documented vector is a quick test. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { sign as signForGithub } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { deliveryStore, eventLog } from "../../../src/memory/mod.ts";
import { deliver, github, publish, type SignatureScheme, standardWebhooks, stripe } from "../../../src/webhooks/mod.ts";

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const BODY = '{"a" : 1,  "x": "é", "emoji": "😀"}';

const verify = (scheme: SignatureScheme, headers: HeadersInit) =>
  scheme.verify(new Headers(headers), new TextEncoder().encode(BODY));

describe("signatures of official libraries", () => {
  it("standardwebhooks: what it signs is valid, and what deliver() signs it verifies", async () => {
    const time = new Date();
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(time.getTime() / 1000)),
      "webhook-signature": new Webhook(SECRET).sign("msg_1", time, BODY),
    };
    assertEquals(await verify(standardWebhooks({ secrets: [SECRET] }), headers), "valid");

    const log = eventLog<{ type: "a"; timestamp: string; data: string }>({ keep: 10 });
    await publish(log, "a", "é 😀");
    const ending = new AbortController();
    let verified: unknown;
    await deliver({
      log,
      store: deliveryStore(),
      receiver: { id: "ada", url: "https://ada.example/", secret: SECRET },
      after: () => "stop",
      missed: () => "oldest",
      whenStoreFails() {},
      signal: ending.signal,
      async send(request) {
        verified = new Webhook(SECRET).verify(await request.text(), Object.fromEntries(request.headers));
        ending.abort();
        return new Response();
      },
    });
    assertEquals(Object(verified).data, "é 😀");
  });

  it("stripe: what it signs is valid", async () => {
    const header = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: BODY, secret: SECRET });
    assertEquals(await verify(stripe({ secrets: [SECRET] }), { "stripe-signature": header }), "valid");
    assertEquals(
      await verify(stripe({ secrets: ["whsec_other"] }), { "stripe-signature": header }),
      "invalid_signature",
    );
  });

  it("@octokit/webhooks-methods: what it signs is valid", async () => {
    const header = await signForGithub("secret of a repository", BODY);
    assertEquals(
      await verify(github({ secrets: ["secret of a repository"] }), { "x-hub-signature-256": header }),
      "valid",
    );
  });
});
