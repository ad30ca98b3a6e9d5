import { type App, reply, route, setup } from "@fw/core";
import { file, parts } from "@fw/core/body";
import { standardSchema } from "@fw/core/standard-schema";

const MIB = 1024 * 1024;

/** Routes whose handlers do not read the whole body. Up to 64 MiB of it are discarded. */
const patient = parts({ photo: file({ maxBytes: 1e9 }) }, { drainBytes: 64 * MIB });
const usual = parts({ photo: file({ maxBytes: 1e9 }) });

/** The sinks of /slow take so many bytes of each upload, and wait until they may take more. */
let allowed = 0;
let taken = 0;
const waiting: (() => void)[] = [];

export const app: App = setup({
  validator: standardSchema,
  onError: () => reply(500, "failed"),
  handlers: [
    route.put("/allowed/:bytes", {
      resolve: ({ raw }) => {
        allowed = Number(raw.params.bytes);
        for (const go of waiting.splice(0)) go();
        return reply(200, taken);
      },
    }),
    route.get("/taken", { resolve: () => reply(200, { taken, waiting: waiting.length }) }),
    route.post("/slow", {
      request: { body: usual },
      resolve: async ({ input }) => {
        let size = 0;
        for await (const part of input.ok ? input.body : []) {
          if (part.issues) return reply(400, part.issues[0]?.code);
          for await (const chunk of part.stream) {
            size += chunk.length;
            taken += chunk.length;
            while (size >= allowed) await new Promise<void>((resolve) => waiting.push(resolve));
          }
        }
        return reply(200, size);
      },
    }),
    ...([["patient", patient], ["usual", usual]] as const).flatMap(([name, body]) => [
      route.post(`/${name}/leaves`, {
        request: { body },
        resolve: async ({ input }) => {
          for await (const part of input.ok ? input.body : []) {
            if (!part.issues) await part.stream.getReader().read();
            return reply(413, "left");
          }
          return reply(400, "no part");
        },
      }),
      route.post(`/${name}/throws`, {
        request: { body },
        resolve: async ({ input }) => {
          for await (const part of input.ok ? input.body : []) {
            if (!part.issues) await part.stream.getReader().read();
            throw new Error("on purpose");
          }
          return reply(400, "no part");
        },
      }),
      route.post(`/${name}/denies`, {
        request: { body },
        guards: [() => ({ deny: new Response("denied", { status: 403 }) })],
        resolve: () => reply(200),
      }),
      route.post(`/${name}/reads`, {
        request: { body },
        resolve: async ({ input }) => {
          let size = 0;
          for await (const part of input.ok ? input.body : []) {
            if (part.issues) return reply(400, part.issues[0]?.code);
            for await (const chunk of part.stream) size += chunk.length;
          }
          return reply(200, size);
        },
      }),
    ]),
  ],
});
