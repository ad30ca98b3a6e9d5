import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  github,
  hmacScheme,
  type SignatureScheme,
  slack,
  standardWebhooks,
  stripe,
} from "../../../src/webhooks/mod.ts";

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const OTHER = "whsec_b3RoZXIgc2VjcmV0IG9mIDMyIGNoYXJhY3RlcnMuLi4=";
const TIME = 1_700_000_000;
const BODY = '{"a" : 1,  "x": "é"}';
const now = () => TIME * 1000;

async function macOf(key: Uint8Array<ArrayBuffer>, message: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(message)));
}

const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const base64Of = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const textKey = (secret: string) => new TextEncoder().encode(secret);
const standardKey = (secret: string) => Uint8Array.from(atob(secret.slice(6)), (c) => c.charCodeAt(0));

/** A scheme, how its sender signs, and the header that has the signature. */
interface Sender {
  readonly scheme: SignatureScheme;
  readonly header: string;
  sign(time?: number | string, body?: string, secret?: string): Promise<Record<string, string>>;
}

const SENDERS: Readonly<Record<string, Sender>> = {
  standardWebhooks: {
    scheme: standardWebhooks({ secrets: [OTHER, SECRET], now }),
    header: "webhook-signature",
    async sign(time: number | string = TIME, body = BODY, secret = SECRET) {
      const mac = await macOf(standardKey(secret), `m1.${time}.${body}`);
      return { "webhook-id": "m1", "webhook-timestamp": `${time}`, "webhook-signature": `v1,${base64Of(mac)}` };
    },
  },
  stripe: {
    scheme: stripe({ secrets: [OTHER, SECRET], now }),
    header: "stripe-signature",
    async sign(time: number | string = TIME, body = BODY, secret = SECRET) {
      return { "stripe-signature": `t=${time},v1=${hexOf(await macOf(textKey(secret), `${time}.${body}`))}` };
    },
  },
  slack: {
    scheme: slack({ secrets: [OTHER, SECRET], now }),
    header: "x-slack-signature",
    async sign(time: number | string = TIME, body = BODY, secret = SECRET) {
      const mac = hexOf(await macOf(textKey(secret), `v0:${time}:${body}`));
      return { "x-slack-request-timestamp": `${time}`, "x-slack-signature": `v0=${mac}` };
    },
  },
  github: {
    scheme: github({ secrets: [OTHER, SECRET] }),
    header: "x-hub-signature-256",
    async sign(_time: number | string = TIME, body = BODY, secret = SECRET) {
      return { "x-hub-signature-256": `sha256=${hexOf(await macOf(textKey(secret), body))}` };
    },
  },
};

const verify = (scheme: SignatureScheme, headers: HeadersInit, body = BODY) =>
  scheme.verify(new Headers(headers), new TextEncoder().encode(body));

for (const [name, { scheme, header, sign }] of Object.entries(SENDERS)) {
  const isTimed = name !== "github";
  describe(`${name}()`, () => {
    it("accepts what one of its secrets has signed", async () => {
      assertEquals(await verify(scheme, await sign()), "valid");
      assertEquals(await verify(scheme, await sign(TIME, BODY, OTHER)), "valid");
      assertEquals(await verify(scheme, await sign(TIME, ""), ""), "valid");
    });

    it("rejects what another secret has signed", async () => {
      const stranger = "whsec_c3RyYW5nZXI=";
      assertEquals(await verify(scheme, await sign(TIME, BODY, stranger)), "invalid_signature");
    });

    it("rejects a body that is changed by one bit, or cut off", async () => {
      const headers = await sign();
      for (let index = 0; index < BODY.length - 1; index++) {
        const changed = BODY.slice(0, index) + String.fromCharCode(BODY.charCodeAt(index) ^ 1) + BODY.slice(index + 1);
        assertEquals(await verify(scheme, headers, changed), "invalid_signature");
      }
      assertEquals(await verify(scheme, headers, BODY.slice(1)), "invalid_signature");
      assertEquals(await verify(scheme, headers, ""), "invalid_signature");
    });

    it("says that a request without one of its headers, or with an empty one, is unsigned", async () => {
      const headers = await sign();
      for (const missing of Object.keys(headers)) {
        const { [missing]: _, ...others } = headers;
        assertEquals(await verify(scheme, others), "unsigned");
        assertEquals(await verify(scheme, { ...others, [missing]: "" }), "unsigned");
      }
    });

    it("rejects a signature that is cut off, longer, or of another version", async () => {
      const headers = await sign();
      const signature = headers[header] ?? "";
      for (const changed of [signature.slice(0, -4), `${signature}00`, signature.replace(/v1|v0|sha256/, "v9")]) {
        assertEquals(await verify(scheme, { ...headers, [header]: changed }), "invalid_signature");
      }
    });

    it("rejects each header with garbage", async () => {
      const headers = await sign();
      for (const changed of Object.keys(headers)) {
        for (const value of ["x", "=", ",", "v1,", "v1,!", "t=", "sha256=", "v0=zz", "\xff", "0".repeat(1000)]) {
          assertEquals(await verify(scheme, { ...headers, [changed]: value }), "invalid_signature");
        }
      }
    });

    it("rejects a header of its time, id or signature that comes twice with a forged value", async () => {
      const [headers, forged] = [await sign(), await sign(TIME, BODY, "whsec_c3RyYW5nZXI=")];
      for (const twice of Object.keys(headers).filter((each) => each !== header)) {
        const joined = new Headers(forged);
        joined.append(twice, headers[twice] ?? "");
        assertEquals(await verify(scheme, joined), "invalid_signature");
      }
    });

    it("compares a megabyte of signatures without hashing the body for each", async () => {
      const headers = await sign();
      const many = `${headers[header]},v1=${"0".repeat(64)} `.repeat(10_000);
      const text = new TextEncoder();
      const { sign: original } = crypto.subtle;
      let hashed = 0;
      const counted = (...args: Parameters<SubtleCrypto["sign"]>) => {
        hashed++;
        return original.apply(crypto.subtle, args);
      };
      Object.defineProperty(crypto.subtle, "sign", { value: counted, configurable: true });
      try {
        await scheme.verify(new Headers({ ...headers, [header]: many }), text.encode(BODY));
      } finally {
        Reflect.deleteProperty(crypto.subtle, "sign");
      }
      assertEquals(hashed <= 2, true);
    });

    if (isTimed) {
      it("says that a signature is stale if its time differs by more than the tolerance", async () => {
        for (const [time, verdict] of [[-300, "valid"], [300, "valid"], [-301, "stale"], [301, "stale"]] as const) {
          const expected = verdict === "valid" ? "valid" : "stale_signature";
          assertEquals(await verify(scheme, await sign(TIME + time)), expected);
        }
      });

      it("rejects a time that is a date, has a zone, is negative, a fraction or in milliseconds", async () => {
        for (
          const time of ["2023-11-14T22:13:20Z", "1700000000+01:00", "-1", "1.7e9", "1700000000.5", " 1700000000 x"]
        ) {
          assertEquals(await verify(scheme, await sign(time)), "invalid_signature");
        }
        assertEquals(await verify(scheme, await sign(TIME * 1000)), "stale_signature");
      });
    } else {
      it("has no time, so a recorded request stays valid", async () => {
        assertEquals(await verify(scheme, await sign(0)), "valid");
      });
    }
  });
}

describe("standardWebhooks()", () => {
  it("verifies the vector of the specification", async () => {
    const scheme = standardWebhooks({ secrets: ["whsec_plJ3nmyCDGBKInavdOK15jsl"], now: () => 1_731_705_121_000 });
    const headers = {
      "webhook-id": "msg_loFOjxBNrRLzqYUf",
      "webhook-timestamp": "1731705121",
      "webhook-signature": "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
    };
    assertEquals(await verify(scheme, headers, '{"event_type":"ping","data":{"success":true}}'), "valid");
    assertEquals(await verify(scheme, { ...headers, "webhook-id": "msg_other" }, "{}"), "invalid_signature");
  });

  it("rejects the id of another message, and ids that come twice", async () => {
    const { scheme, sign } = SENDERS.standardWebhooks as Sender;
    const headers = await sign();
    for (const id of ["m2", "m1.", "m", "m1, m1", "M1"]) {
      assertEquals(await verify(scheme, { ...headers, "webhook-id": id }), "invalid_signature");
    }
  });

  it("rejects a recorded message whose body is divided anew, so that a part of it is the time", async () => {
    const { scheme, sign } = SENDERS.standardWebhooks as Sender;
    const recorded = 1_600_000_000;
    for (const [before, id] of [["name=x.", `m1.${recorded}.name=x`], ["", `m1.${recorded}`]] as const) {
      const headers = await sign(recorded, `${before}${TIME}.paid=1`);
      assertEquals(await verify(scheme, headers, `${before}${TIME}.paid=1`), "stale_signature");
      const divided = { ...headers, "webhook-id": id, "webhook-timestamp": `${TIME}` };
      assertEquals(await verify(scheme, divided, "paid=1"), "invalid_signature");
    }
  });

  it("accepts an id with a dot", async () => {
    const { scheme } = SENDERS.standardWebhooks as Sender;
    const mac = base64Of(await macOf(standardKey(SECRET), `order.123.4.${TIME}.{}`));
    const headers = { "webhook-id": "order.123.4", "webhook-timestamp": `${TIME}`, "webhook-signature": `v1,${mac}` };
    assertEquals(await verify(scheme, headers, "{}"), "valid");
  });

  it("accepts one valid signature of several, whatever their versions", async () => {
    const headers = await SENDERS.standardWebhooks?.sign() ?? {};
    const several = `v1a,AAAA v1,AAAA ${headers["webhook-signature"]} v2,AAAA`;
    const scheme = standardWebhooks({ secrets: [SECRET], now });
    assertEquals(await verify(scheme, { ...headers, "webhook-signature": several }), "valid");
  });

  it("accepts one valid signature of two headers, in either order", async () => {
    const headers = await SENDERS.standardWebhooks?.sign() ?? {};
    const { "webhook-signature": valid = "", ...others } = headers;
    for (const values of [[valid, "v1,AAAA"], ["v1,AAAA", valid]]) {
      const twice = new Headers(others);
      for (const value of values) twice.append("webhook-signature", value);
      assertEquals(await verify(standardWebhooks({ secrets: [SECRET], now }), twice), "valid");
    }
  });

  it("takes a secret without its prefix, and rejects one that is not base64", () => {
    standardWebhooks({ secrets: ["MDEyMzQ1Njc4OWFiY2RlZg=="] });
    const { message } = assertThrows(() => standardWebhooks({ secrets: ["whsec_s3cr%t"] }), TypeError);
    assertEquals(message, "A secret of standardWebhooks must be base64, with or without the prefix whsec_");
    assertThrows(() => standardWebhooks({ secrets: ["whsec_"] }), TypeError, "must be base64");
  });
});

describe("github()", () => {
  it("verifies the vector of its documentation", async () => {
    const scheme = github({ secrets: ["It's a Secret to Everybody"] });
    const digits = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    assertEquals(await verify(scheme, { "x-hub-signature-256": `sha256=${digits}` }, "Hello, World!"), "valid");
  });
});

describe("slack()", () => {
  it("verifies the vector of its documentation", async () => {
    const scheme = slack({ secrets: ["8f742231b10e8888abcd99yyyzzz85a5"], now: () => 1_531_420_618_000 });
    const body = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&" +
      "channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https" +
      "%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=" +
      "398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const headers = {
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    };
    assertEquals(await verify(scheme, headers, body), "valid");
  });
});

describe("stripe()", () => {
  it("rejects a header with two times", async () => {
    const { "stripe-signature": header = "" } = await SENDERS.stripe?.sign() ?? {};
    const scheme = stripe({ secrets: [SECRET], now });
    assertEquals(await verify(scheme, { "stripe-signature": `t=1,${header}` }), "invalid_signature");
    assertEquals(await verify(scheme, { "stripe-signature": header.replace(/t=\d+,/, "") }), "invalid_signature");
    assertEquals(await verify(scheme, { "stripe-signature": `v0=00,v1=11,${header}` }), "valid");
  });
});

describe("hmacScheme()", () => {
  const read = () => ({ prefix: "", signatures: [] });

  it("rejects a request without any signature that can be decoded", async () => {
    assertEquals(await verify(hmacScheme({ secrets: ["a"], read }), {}), "invalid_signature");
  });

  it("throws for options that are missing, unknown or wrong, without the secret", () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ read }, "Option secrets of hmacScheme must be a list of secrets: received undefined"],
      [{ secrets: undefined, read }, 'Option "secrets" of hmacScheme is undefined'],
      [{ secrets: "s3cret", read }, "Option secrets of hmacScheme must be a list of secrets: received a string"],
      [{ secrets: [], read }, "Option secrets of hmacScheme must be a list of secrets: received an array"],
      [{ secrets: ["s3cret", ""], read }, "Each secret of hmacScheme must be a string that is not empty"],
      [
        { secrets: [undefined], read },
        "Each secret of hmacScheme must be a string that is not empty: received undefined",
      ],
      [{ secrets: ["a"] }, "Option read of hmacScheme must be a function: received undefined"],
      [{ secrets: ["a"], read, tolerance: 0 }, "Option tolerance of hmacScheme must be a whole number from 1 to 86400"],
      [{ secrets: ["a"], read, now: 1 }, "Option now of hmacScheme must be a function"],
      [{ secrets: ["a"], read, keyOf: 1 }, "Option keyOf of hmacScheme must be a function"],
      [{ secrets: ["a"], read, secret: "" }, 'Option "secret" of hmacScheme is unknown: did you mean secrets?'],
    ];
    for (const [options, message] of wrong) {
      const error = assertThrows(() => hmacScheme(options as never), TypeError, message);
      assertEquals(error.message.includes("s3cret"), false);
    }
    for (const make of [github, stripe, slack, standardWebhooks]) {
      const error = assertThrows(() => make({ secrets: ["czNjcmV0", "czNjcmV0\n"] }), TypeError);
      assertEquals(error.message, `A secret of ${make.name} ends with a line break, as files do: call trim()`);
    }
    assertThrows(() => github({ secrets: ["a"], tolerance: 5 } as never), TypeError, 'Option "tolerance" of github');
    assertThrows(() => stripe({ secret: "a" } as never), TypeError, "did you mean secrets?");
  });
});
