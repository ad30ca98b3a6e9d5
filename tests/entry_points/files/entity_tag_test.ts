import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { preconditions, strongTag, weakTag } from "../../../src/files/mod.ts";
import { request } from "../../support/request.ts";

describe("strongTag() and weakTag()", () => {
  it("strongTag() is a SHA-256 of the content in quotes, without characters that have a meaning in URLs", async () => {
    assertEquals(await strongTag(""), '"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"');
    assertEquals(await strongTag("abc"), '"ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"');
    for (let count = 0; count < 100; count++) assertMatch(await strongTag(`${count}`), /^"[\w-]{43}"$/);
  });

  it("strongTag() is the same for a text and its bytes, and for a part of a buffer", async () => {
    const bytes = new TextEncoder().encode("xé📚x");
    const tag = await strongTag("é📚");
    assertEquals(await strongTag(bytes.subarray(1, -1)), tag);
    assertEquals(await strongTag(bytes.slice(1, -1).buffer), tag);
    assert(await strongTag(bytes) !== tag);
  });

  it("weakTag() is the same tag, marked as weak", async () => {
    assertEquals(await weakTag("abc"), `W/${await strongTag("abc")}`);
  });

  it("If-Match accepts a strong tag and no weak one, and If-None-Match both", async () => {
    for (const [etag, expected] of [[await strongTag("a"), undefined], [await weakTag("a"), "failed"]] as const) {
      assertEquals(preconditions(request("/", { method: "PUT", headers: { "if-match": etag } }), { etag }), expected);
      assertEquals(preconditions(request("/", { headers: { "if-none-match": etag } }), { etag }), "not-modified");
    }
  });
});
