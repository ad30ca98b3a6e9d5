/**
 * Serves a directory by one contender, until it is stopped.
 *
 * Its arguments are the name of the contender, the directory, and the module of `@std/http/file-server`. Its bundle lies
 * where the packages of the others are.
 */
import { serve } from "@hono/node-server";
import { createServer } from "node:http";
import process from "node:process";
import { route, setup } from "../../../../mod.ts";
import { serveFiles } from "../../../../src/files/mod.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

/** What is used of Bun. */
interface BunRuntime {
  serve(
    options: { readonly hostname: string; readonly port: number; readonly fetch: Fetch },
  ): { readonly port: number };
}

const [name = "", directory = "", std = ""] = process.argv.slice(2);
const hostname = "127.0.0.1";
const TYPES = new Map([[".txt", "text/plain; charset=utf-8"], [".js", "text/javascript; charset=utf-8"]]);
const print = (port: number) => console.log(`Listening on http://${hostname}:${port}`);
const { Bun, Deno: deno }: { readonly Bun?: BunRuntime; readonly Deno?: typeof Deno } = globalThis as object;

/** Loads a package of another contender, which no bundle contains. */
function load(specifier: string) {
  return import(specifier);
}

/** Serves requests by the server of this runtime, on Node.js by the adapter of Hono. */
function listen(fetch: Fetch): void {
  if (deno !== undefined) deno.serve({ hostname, port: 0, onListen: ({ port }) => print(port) }, fetch);
  else if (Bun !== undefined) print(Bun.serve({ hostname, port: 0, fetch }).port);
  else serve({ hostname, port: 0, fetch }, ({ port }) => print(port));
}

switch (name) {
  case "ours": {
    const files = serveFiles({ directory, contentType: (ending) => TYPES.get(ending), precompressed: true });
    const app = setup({ trustUrl: true, handlers: [route.on(["GET", "HEAD"], "/*", { resolve: files })] });
    listen((request) => app.fetch(request));
    break;
  }
  case "Hono": {
    const { Hono } = await load("hono");
    const adapter = deno ? "hono/deno" : Bun ? "hono/bun" : "@hono/node-server/serve-static";
    const { serveStatic } = await load(adapter);
    const app = new Hono().use("/*", serveStatic({ root: directory, precompressed: true }));
    if (deno ?? Bun) listen(app.fetch);
    else {
      // Its own instance of the adapter: each replaces `Response`.
      const { serve: serveHono } = await load("@hono/node-server");
      serveHono({ hostname, port: 0, fetch: app.fetch }, ({ port }: { port: number }) => print(port));
    }
    break;
  }
  case "@std/http": {
    const { serveDir } = await load(std);
    listen((request) => serveDir(request, { fsRoot: directory, showIndex: false, quiet: true }));
    break;
  }
  case "@fastify/static": {
    const { default: fastify } = await load("fastify");
    const { default: fastifyStatic } = await load("@fastify/static");
    const app = fastify();
    app.register(fastifyStatic, { root: directory, preCompressed: true, index: false });
    print(Number(new URL(await app.listen({ host: hostname, port: 0 })).port));
    break;
  }
  // The one reads the directory once, at its start. The other looks each file up.
  case "sirv":
  case "sirv, dev": {
    const { default: sirv } = await load("sirv");
    const handle = sirv(directory, { dev: name === "sirv, dev", etag: true, gzip: true, brotli: true });
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
