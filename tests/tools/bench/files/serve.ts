/**
 * Serves a directory by one contender on Node.js, until it is stopped.
 *
 * Its arguments are the name of the contender, the directory, and the folder where the packages of the others are.
 */
import { serve } from "@hono/node-server";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { route, setup } from "../../../../mod.ts";
import { serveFiles } from "../../../../src/files/mod.ts";

const [name = "", directory = "", packages = ""] = process.argv.slice(2);
const hostname = "127.0.0.1";
const TYPES = new Map([[".txt", "text/plain; charset=utf-8"], [".js", "text/javascript; charset=utf-8"]]);
const print = (port: number) => console.log(`Listening on http://${hostname}:${port}`);

/** Loads a package of another contender. */
async function load(specifier: string) {
  const path = createRequire(`${packages}/package.json`).resolve(specifier);
  return await import(pathToFileURL(path).href);
}

switch (name) {
  case "ours": {
    const files = serveFiles({ directory, contentType: (ending) => TYPES.get(ending), precompressed: true });
    const app = setup({ trustUrl: true, handlers: [route.on(["GET", "HEAD"], "/*", { resolve: files })] });
    serve({ hostname, port: 0, fetch: (request) => app.fetch(request) }, ({ port }) => print(port));
    break;
  }
  case "hono": {
    const { Hono } = await load("hono");
    const { serveStatic } = await load("@hono/node-server/serve-static");
    const { serve: serveHono } = await load("@hono/node-server");
    const app = new Hono().use("/*", serveStatic({ root: directory, precompressed: true }));
    serveHono({ hostname, port: 0, fetch: app.fetch }, ({ port }: { port: number }) => print(port));
    break;
  }
  case "fastify": {
    const { default: fastify } = await load("fastify");
    const { default: fastifyStatic } = await load("@fastify/static");
    const app = fastify();
    app.register(fastifyStatic, { root: directory, preCompressed: true, index: false });
    print(Number(new URL(await app.listen({ host: hostname, port: 0 })).port));
    break;
  }
  // The one reads the directory once, at its start. The other looks each file up.
  case "sirv":
  case "sirv-dev": {
    const { default: sirv } = await load("sirv");
    const handle = sirv(directory, { dev: name === "sirv-dev", etag: true, gzip: true, brotli: true });
    const server = createServer((request, response) =>
      handle(request, response, () => {
        response.statusCode = 404;
        response.end();
      })
    );
    server.listen(0, hostname, () => {
      const address = server.address();
      print(typeof address === "object" && address !== null ? address.port : 0);
    });
    break;
  }
  default:
    throw new Error(`No contender ${name}`);
}
