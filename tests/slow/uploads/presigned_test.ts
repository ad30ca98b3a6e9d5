/**
 * The url that the manual's page on bodies signs for S3, by the SDK of AWS as the page prints it: a store that verifies
 * signatures takes the object for which the url is, and no other.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertMaySkip } from "../../support/assert_may_skip.ts";
import { granted } from "../../support/granted.ts";
import { samplesOf } from "../../support/readme_sample.ts";
import { ROOT } from "../../support/server_process.ts";
import { run } from "../runtimes/programs.ts";
import { hasSwift, startSwift } from "./swift.ts";

const PACKAGES = ["@aws-sdk/client-s3@3", "@aws-sdk/s3-request-presigner@3"];

/** Prints a url for an object, and creates its bucket before. */
const PROGRAM = `
import { CreateBucketCommand } from "@aws-sdk/client-s3";
await client.send(new CreateBucketCommand({ Bucket: "photos" }));
console.log(await sign({ key: "arriving/a", contentType: "image/png", contentLength: 4 }));
`;

if (!hasSwift) assertMaySkip("Swift");
const canRun = hasSwift && granted("net", "read", "run", "write", "env");
(canRun ? describe : describe.skip)("a url that the manual signs for S3", () => {
  it("stores the object for which it is, and none of another length, media type, key or method", async () => {
    const sample = samplesOf(await Deno.readTextFile(new URL(".github/manual/bodies.md", ROOT)))
      .find((code) => code.includes("getSignedUrl")) ?? "";
    const directory = await Deno.makeTempDir();
    await using swift = await startSwift();
    try {
      await Deno.writeTextFile(`${directory}/package.json`, '{"private":true,"type":"module"}');
      await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...PACKAGES], directory);
      await Deno.writeTextFile(`${directory}/sign.ts`, sample.replace("const sign: Sign", "const sign") + PROGRAM);
      const variables = Object.entries(swift.env).map(([name, value]) => `${name}=${value}\n`);
      await Deno.writeTextFile(`${directory}/.env`, variables.join(""));
      const flags = ["run", "--no-check", "--allow-all", "--node-modules-dir=manual", "--env-file=.env"];
      const url = (await run(Deno.execPath(), [...flags, "sign.ts"], directory)).trim();
      const send = async (to: string, body: string | undefined, type: string, method = "PUT") => {
        const response = await fetch(to, { method, headers: { "content-type": type }, ...body && { body } });
        return [response.status, /<Code>(\w+)/.exec(await response.text())?.[1]];
      };
      const refused = [403, "SignatureDoesNotMatch"];
      assertEquals(await send(url, "meows", "image/png"), refused);
      assertEquals(await send(url, "meow", "text/html"), refused);
      assertEquals(await send(url.replace("arriving/a", "arriving/b"), "meow", "image/png"), refused);
      assertEquals(await send(url, undefined, "image/png", "GET"), refused);
      assertEquals(await send(url, undefined, "image/png", "DELETE"), refused);
      assert(url.includes("X-Amz-Expires=60"));
      const longer = url.replace("X-Amz-Expires=60", "X-Amz-Expires=6000");
      assertEquals(await send(longer, "meow", "image/png"), refused);
      assertEquals(await send(url, "meow", "image/png"), [200, undefined]);
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
});
