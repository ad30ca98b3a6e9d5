/** Calls of the service by a typed client. Tests run them in process, and over HTTP on several runtimes. */
import * as api from "../../examples/service/api.ts";
import { type ClientOptions, createClient } from "../../src/client/mod.ts";
import { standardSchema } from "../../src/standard_schema/mod.ts";

/** The origin of the pages of the service, by default. */
const ORIGIN = "http://localhost:8000";

/** One transparent pixel. */
const PNG = "data:image/png;base64," +
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/**
 * Signs up, keeps a picture for a while, and signs out. The client rejects an answer that its endpoint does not declare.
 *
 * @param options Where to send the requests.
 * @returns What it was told: see {@linkcode TOLD_OF_PICTURES}.
 */
export async function callPictures(options: ClientOptions): Promise<readonly string[]> {
  let cookie = "";
  const client = createClient(api, {
    ...options,
    headers: () => ({ origin: ORIGIN, cookie }),
    validator: standardSchema,
  });
  const said: string[] = [];

  const stranger = await client.showMe();
  said.push(stranger.status === 200 ? stranger.body.name : stranger.body.error);
  const account = { name: "Ada", email: `${crypto.randomUUID()}@example.com`, password: "correct horse" };
  const signedUp = await client.signUp({ body: account });
  cookie = signedUp.response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  said.push(`${signedUp.status} to ${signedUp.response.headers.get("location")}`);
  const taken = await client.signUp({ body: account });
  said.push(taken.status === 409 ? taken.body.error : `${taken.status}`);
  const wrong = await client.signIn({ body: { ...account, password: "wrong horse" } });
  said.push(wrong.status === 403 ? wrong.body.error : `${wrong.status}`);
  const me = await client.showMe();
  if (me.status === 200) said.push(me.body.name);

  const file = new File([await (await fetch(PNG)).blob()], "dot.png");
  const added = await client.addPicture({ body: { title: "Dot", file } });
  if (added.status !== 201) throw new Error(`The picture is not added: ${added.body.error}`);
  const { id, type } = added.body;
  const listed = await client.listPictures({ query: { limit: 1 } });
  if (listed.status === 200) said.push(`${listed.body.data.map(({ title }) => title)} ${type}`);
  const exported = await client.exportPictures();
  if (exported.status === 200) { for await (const { title } of exported.body) said.push(`${title} by a stream`); }
  const invalid = await client.listPictures({ query: { limit: 0 } });
  if (invalid.status === 400) said.push(invalid.body.error);
  const head = await client.showFile({ method: "HEAD", params: { id } });
  const shown = await client.showFile({ method: "GET", params: { id } });
  said.push(
    `${head.response.headers.get("content-length")} = ${(await shown.response.arrayBuffer()).byteLength} bytes`,
  );
  const deleted = await client.deletePicture({ params: { id } });
  const again = await client.deletePicture({ params: { id } });
  const signedOut = await client.signOut();
  said.push(`${deleted.status} ${again.status} ${signedOut.status}`);
  return said;
}

/** What `callPictures` is told, wherever it runs. */
export const TOLD_OF_PICTURES = [
  "Sign in first",
  "303 to /",
  "This address has an account",
  "Wrong e-mail address or password",
  "Ada",
  "Dot image/png",
  "Dot by a stream",
  "limit: Must be a whole number from 1 to 100, in decimal digits",
  "70 = 70 bytes",
  "204 404 303",
];
