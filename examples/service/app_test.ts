// Tests of the service in process, without a server: the first ones of your own. They need no permission.

import { deepEqual, equal } from "node:assert/strict";
import { compatible } from "@fw/core/compatible";
import { createApp } from "./app.ts";
import { createPicturesClient } from "./client.ts";
import { document } from "./document.ts";
import committed from "./openapi.json" with { type: "json" };
import { openStore } from "./store.ts";

const ORIGIN = "https://pictures.example.com";

/** The app on a database in memory, and what a browser with its page open sends and keeps. */
function openBrowser() {
  const app = createApp({
    store: openStore(":memory:"),
    directory: "/nowhere",
    origins: [ORIGIN],
    proxies: 0,
    stopping: new AbortController().signal,
    log: () => {},
  });
  let cookie = "";
  const send = async (request: Request) => {
    const headers = new Headers(request.headers);
    headers.set("origin", ORIGIN);
    headers.set("cookie", cookie);
    const response = await app.fetch(new Request(request, { headers }), {});
    cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? cookie;
    return response;
  };
  return { send, client: createPicturesClient(ORIGIN, send) };
}

Deno.test("a stranger has no pictures to list, and is told to sign in", async () => {
  const { client } = openBrowser();
  equal((await client.showMe()).status, 401);
  equal((await client.listPictures()).status, 401);
});

Deno.test("a new account has no pictures yet", async () => {
  const { send, client } = openBrowser();
  const body = new URLSearchParams({ name: "Ada", email: "ada@example.com", password: "correct horse" });
  equal((await send(new Request(`${ORIGIN}/sign-up`, { method: "POST", body }))).status, 303);
  const { status, body: me } = await client.showMe();
  equal(status === 200 && me.name, "Ada");
  const list = await client.listPictures();
  deepEqual(list.status === 200 && list.body.data, []);
});

Deno.test("no change since openapi.json was written breaks a client", () => {
  deepEqual(compatible(committed, document).filter(({ level }) => level === "breaking"), []);
});
