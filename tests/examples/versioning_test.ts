import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeServed } from "./describe_served.ts";
import { inV2, newestFirst } from "./seeded.ts";
import { sendTarget } from "./static_exchange.ts";

const JSON_TYPE = "application/json";
const V1_TYPE = "application/vnd.books.v1+json";
const V2_TYPE = "application/vnd.books.v2+json";

describeServed("examples/versioning.ts", (served) => {
  /** Sends a request over a raw socket, because `fetch` always adds an `Accept` header. */
  async function get(headers: Record<string, string>, query = "?limit=2") {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const answer = await sendTarget(served.origin, `/books${query}`, { headers: lines.join("") });
    return { ...answer, body: JSON.parse(new TextDecoder().decode(answer.bytes)) };
  }

  async function assertVersion(request: Record<string, string>, version: "v1" | "v2", contentType: string) {
    const { status, headers, body } = await get(request);
    const told = JSON.stringify(request);
    assertEquals(status, 200, told);
    assertEquals(body.data, (version === "v1" ? newestFirst : inV2).slice(0, 2), told);
    assertEquals(body.pagination, { limit: 2, nextCursor: newestFirst[1]?.createdAt, hasMore: true });
    assertEquals(headers.get("x-api-version"), version);
    assertEquals(headers.get("content-type"), contentType, told);
    assertEquals(headers.get("vary"), "Accept, API-Version");
  }

  async function assertRefused(request: Record<string, string>, status: 400 | 406, supported: readonly string[]) {
    const { headers, body, ...rest } = await get(request);
    assertEquals(rest.status, status, JSON.stringify(request));
    assertEquals([typeof body.error, body.supported.toSorted()], ["string", supported], JSON.stringify(request));
    assertEquals(headers.get("content-type"), JSON_TYPE);
    assertEquals(headers.get("vary"), "Accept, API-Version");
    assert(!headers.has("x-api-version"));
  }

  it("versioning.ts sends version 1 as plain JSON to a client that selects no version", async () => {
    await assertVersion({}, "v1", JSON_TYPE);
    for (const accept of ["*/*", "Application/JSON", "text/html, */*;q=0.1", "", ",", `${JSON_TYPE}; charset=utf-8`]) {
      await assertVersion({ accept }, "v1", JSON_TYPE);
    }
  });

  it("versioning.ts reads only the first 1,000 characters of Accept", async () => {
    await assertVersion({ accept: `${V2_TYPE},${"text/html,".repeat(5000)}` }, "v2", V2_TYPE);
    // The last range that is not whole would be plain JSON.
    const long = `${"text/html,".repeat(98)}a/b,${JSON_TYPE};q=0,${V2_TYPE}`;
    await assertRefused({ accept: long }, 406, [JSON_TYPE, V1_TYPE, V2_TYPE]);
  });

  it("versioning.ts sends the version whose media type is accepted, with that media type", async () => {
    await assertVersion({ accept: V1_TYPE }, "v1", V1_TYPE);
    for (const accept of [V2_TYPE.toUpperCase(), `${V2_TYPE}; charset=utf-8`, `${V2_TYPE}, */*`, `*/*, ${V2_TYPE}`]) {
      await assertVersion({ accept }, "v2", V2_TYPE);
    }
  });

  it("versioning.ts prefers the media type with the higher quality, and the older version of two with the same", async () => {
    await assertVersion({ accept: `${V1_TYPE};q=0.5, ${V2_TYPE}` }, "v2", V2_TYPE);
    await assertVersion({ accept: `${V2_TYPE};q=0.1, ${JSON_TYPE}` }, "v1", JSON_TYPE);
    await assertVersion({ accept: `${JSON_TYPE};Q=0, ${V1_TYPE};q=0, application/*` }, "v2", V2_TYPE);
    await assertVersion({ accept: `${V2_TYPE}, ${V1_TYPE}` }, "v1", V1_TYPE);
  });

  it("versioning.ts sends the version that API-Version names", async () => {
    for (const [named, version] of [["1", "v1"], ["v1", "v1"], ["2", "v2"], ["v2", "v2"]] as const) {
      await assertVersion({ "api-version": named }, version, JSON_TYPE);
      await assertVersion({ "API-VERSION": named, accept: JSON_TYPE }, version, JSON_TYPE);
    }
  });

  it("versioning.ts responds with 400 to an unknown API-Version, whatever Accept says", async () => {
    for (const named of ["", "3", "V2", "vv2", "2.0", "2, 2"]) {
      await assertRefused({ "api-version": named }, 400, ["1", "2"]);
      await assertRefused({ "api-version": named, accept: "text/html" }, 400, ["1", "2"]);
    }
    assertEquals((await get({ "api-version": "3" }, "?limit=0")).body.supported, ["1", "2"]); // before the query is read
  });

  it("versioning.ts responds with 406 when API-Version and Accept contradict each other", async () => {
    await assertVersion({ "api-version": "2", accept: V2_TYPE }, "v2", V2_TYPE);
    await assertVersion({ "api-version": "2", accept: `${V1_TYPE}, */*;q=0.1` }, "v2", JSON_TYPE);
    await assertVersion({ "api-version": "1", accept: `${V2_TYPE}, ${V1_TYPE};q=0.1` }, "v1", V1_TYPE);
    await assertRefused({ "api-version": "2", accept: V1_TYPE }, 406, [JSON_TYPE, V2_TYPE]);
    await assertRefused({ "api-version": "1", accept: V2_TYPE }, 406, [JSON_TYPE, V1_TYPE]);
  });

  it("versioning.ts responds with 406 and the supported media types when Accept allows none of them", async () => {
    for (const accept of ["text/html", "application/vnd.books.v3+json", `${V2_TYPE};q=0`, "application/*;q=0.0", "*"]) {
      await assertRefused({ accept }, 406, [JSON_TYPE, V1_TYPE, V2_TYPE]);
    }
  });

  it("versioning.ts sends Vary with both headers on a 400 for an invalid query", async () => {
    const { status, headers, body } = await get({ accept: V2_TYPE }, "?limit=0");
    assertEquals([status, body.error, body.issues.length], [400, "Invalid input", 1]);
    assertEquals([headers.get("vary"), headers.get("content-type")], ["Accept, API-Version", JSON_TYPE]);
  });

  it("versioning.ts uses the same cursors in both versions, and shows an unknown author as null", async () => {
    for (const [accept, expected] of [[V1_TYPE, newestFirst], [V2_TYPE, inV2]] as const) {
      const seen = [];
      for (let query = "?limit=50";;) {
        const { body: { data, pagination } } = await get({ accept }, query);
        seen.push(...data);
        if (!pagination.hasMore) break;
        query = `?limit=50&cursor=${pagination.nextCursor}`;
      }
      assertEquals(seen, [...expected]);
    }
    assert(inV2.some(({ author }) => author === null));
  });
});
