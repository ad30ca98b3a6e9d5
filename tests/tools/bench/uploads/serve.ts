/** A server that discards uploads, made by one contender. Usage: node serve.mjs NAME */
import { serve } from "@hono/node-server";
import { reply, route, setup } from "@fw/core";
import { file, parts } from "@fw/core/body";
import { standardSchema } from "@fw/core/standard-schema";
import { createServer, type IncomingMessage } from "node:http";
import process from "node:process";
import type { Readable, Writable } from "node:stream";

const MAX_BYTES = 1e9;

/** What is used of packages that have no types here. */
interface Multipart extends IncomingMessage {
  file(): Promise<{ readonly file: Readable }>;
}
interface FastifyApp {
  register(plugin: unknown, options: object): void;
  post(path: string, handler: (request: Multipart) => Promise<object>): void;
  get(path: string, handler: () => object): void;
  listen(options: object): Promise<string>;
}

const contenders: Readonly<Record<string, () => Promise<void>>> = {
  "ours": () => {
    const upload = parts({ photo: file({ maxBytes: MAX_BYTES }) });
    const { fetch } = setup({
      validator: standardSchema,
      handlers: [
        route.get("/cpu", { resolve: () => Response.json(process.cpuUsage()) }),
        route.post("/", {
          request: { body: upload },
          resolve: async ({ input }) => {
            let size = 0;
            for await (const part of input.ok ? input.body : []) {
              if (part.issues) return reply(400);
              for await (const chunk of part.stream) size += chunk.length;
            }
            return Response.json({ size });
          },
        }),
      ],
    });
    serve({ hostname: "127.0.0.1", port: 0, fetch }, ({ port }) => tell(port));
    return Promise.resolve();
  },
  // What the web streams of Node.js take of it: nothing is parsed.
  "request.body": () => {
    const fetch = async (request: Request) => {
      if (request.method === "GET") return Response.json(process.cpuUsage());
      let size = 0;
      for await (const chunk of request.body ?? []) size += chunk.length;
      return Response.json({ size });
    };
    serve({ hostname: "127.0.0.1", port: 0, fetch }, ({ port }) => tell(port));
    return Promise.resolve();
  },
  "@fastify/multipart": async () => {
    const app: FastifyApp = (await load("fastify"))({ bodyLimit: MAX_BYTES });
    app.register(await load("@fastify/multipart"), { limits: { fileSize: MAX_BYTES } });
    app.get("/cpu", () => process.cpuUsage());
    app.post("/", async (request) => ({ size: await sizeOf((await request.file()).file) }));
    tell(Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port));
  },
  "busboy": async () => {
    const busboy = await load("busboy");
    const server = createServer((request, response) => {
      response.setHeader("content-type", "application/json");
      if (request.url === "/cpu") return void response.end(JSON.stringify(process.cpuUsage()));
      const parser: Writable = busboy({ headers: request.headers, limits: { fileSize: MAX_BYTES } });
      parser.on("file", async (_name: string, file: Readable) => {
        response.end(JSON.stringify({ size: await sizeOf(file) }));
      });
      request.pipe(parser);
    });
    server.listen(0, "127.0.0.1", () => tell(Object(server.address()).port));
  },
};

await contenders[process.argv[2] ?? ""]?.();

// deno-lint-ignore no-explicit-any -- the packages are installed when the benchmark runs
async function load(name: string): Promise<any> {
  return (await import(name)).default;
}

async function sizeOf(file: Readable): Promise<number> {
  let size = 0;
  for await (const chunk of file) size += chunk.length;
  return size;
}

function tell(port: number): void {
  console.log(`Listening on http://127.0.0.1:${port}`);
}
