import { createClient } from "@fw/core/client";
import { fuzz } from "@fw/core/testing";
import fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import * as api from "./api.ts";
import { createApp } from "./app.ts";

test("greets by name", async () => {
  const client = createClient(api, { fetch: createApp().fetch });
  const answer = await client.greet({ params: { name: "Ada" } });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { message: "Hello Ada" });
});

test("rejects a name that is too long", async () => {
  const client = createClient(api, { fetch: createApp().fetch });
  const answer = await client.greet({ params: { name: "x".repeat(41) } });
  assert.equal(answer.status, 400);
});

test("has no faults that generated requests find", async () => {
  assert.deepEqual(await fuzz(createApp, { fc }), []);
});
