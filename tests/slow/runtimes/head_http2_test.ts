/** HEAD over HTTP/2 on Deno: what the manual says about it, and the concern that it shows. */
import { route, setup } from "@fw/core";
import { compose, type Concern, withHead } from "@fw/core/hooks";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { connect, constants } from "node:http2";
import { granted } from "../../support/granted.ts";

/** As in the manual. */
const headWithoutBody: Concern = {
  replace(response, { request }) {
    if (request.method !== "HEAD" || response.body === null) return;
    void response.body.cancel();
    return new Response(null, response);
  },
};

const handlers = withHead([
  route.get("/books", { resolve: () => Response.json([]) }),
  route.get("/stream", { resolve: () => new Response(new Blob(["a"]).stream()) }),
]);

/** Sends a HEAD request over HTTP/2, and returns the status and how the stream ended. */
async function head(concerns: readonly Concern[], path: string): Promise<readonly [unknown, string]> {
  const app = setup({ handlers, ...compose(...concerns) });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => app.fetch(request));
  const session = connect(`http://127.0.0.1:${server.addr.port}`);
  try {
    return await new Promise((resolve) => {
      let status: unknown;
      const stream = session.request({ ":method": "HEAD", ":path": path });
      stream.on("response", (headers) => void (status = headers[":status"]));
      stream.on("error", () => {});
      stream.on("close", () => resolve([status, stream.rstCode === constants.NGHTTP2_NO_ERROR ? "ended" : "failed"]));
      stream.resume();
      stream.end();
    });
  } finally {
    session.destroy();
    await server.shutdown();
  }
}

(granted("net") ? describe : describe.skip)("a response to HEAD over HTTP/2 on Deno", () => {
  for (const path of ["/books", "/stream"]) {
    it(`has no body with the concern of the manual: ${path}`, async () => {
      assertEquals(await head([headWithoutBody], path), [200, "ended"]);
    });

    it(`is a protocol error without it, as long as Deno sends the body: ${path}`, async () => {
      assertEquals((await head([], path))[1], "failed");
    });
  }
});
