// npx -y deno@2.9.6 serve --host 127.0.0.1 --allow-read=.uploads --allow-write=.uploads examples/recipes/forms.ts
//
// Reads forms within a bound in bytes, validates them by a schema, and writes an uploaded file to disk as it arrives.
// Forms of users who are signed in by a cookie need the guard of the csrf recipe as well.
//
// curl -i -d 'email=ada@example.com&topic=books&topic=music' http://localhost:8000/subscriptions
// curl -i -F title=Cat -F picture=@cat.png http://localhost:8000/pictures

import { type App, reply, route, setup } from "@fw/core";
import { file, parts } from "@fw/core/body";
import { standardSchema } from "@fw/core/standard-schema";
import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { clientOf, type Connection } from "./forms/client_of.ts";
import { paced } from "./forms/paced.ts";
import { createUploads } from "./forms/receive_upload.ts";
import { acceptedForm, refuse, shortForm } from "./forms/short_form.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

const failure = z.object({ error: z.string() });
const REFUSALS = {
  400: { schema: z.looseObject(failure.shape) },
  408: { schema: failure },
  413: { schema: failure },
  415: { schema: failure },
};

const topics = z.array(z.enum(["books", "music", "film"])).min(1);
const subscription = z.object({
  email: z.email().max(254),
  // A field that comes once is no array.
  topic: z.union([topics, z.string().transform((one) => [one]).pipe(topics)]),
});

const picture = parts({
  title: z.string().trim().min(1).max(200),
  picture: file({ maxBytes: 5 * MIB }),
}, { maxParts: 21, maxFieldBytes: 8 * KIB });

/** Creates the app, which keeps what is uploaded in a directory. */
export function createApp(directory: string): App {
  const upload = createUploads(directory);
  return setup({
    validator: standardSchema,
    handlers: [
      route.post("/subscriptions", {
        request: { body: subscription, bodyReader: shortForm, maxBodyBytes: 16 * KIB },
        responses: { 201: { schema: z.object({ email: z.string(), topics }) }, ...REFUSALS },
        guards: [acceptedForm],
        resolve: ({ input: { body: { email, topic } } }) => reply(201, { email, topics: topic }),
      }),

      // Put guards before it by `beforeBody`.
      route.post("/pictures", {
        request: { body: picture, bodyReader: paced(picture), maxBodyBytes: 5 * MIB },
        responses: {
          201: { schema: z.object({ id: z.string(), title: z.string(), size: z.int() }) },
          503: { schema: failure },
          ...REFUSALS,
        },
        guards: [acceptedForm],
        resolve: ({ input, request }, connection?: Connection) =>
          upload(clientOf(request, connection), async ({ id, path }) => {
            const titles: string[] = [];
            let size: number | undefined;
            for await (const part of input.body) {
              if (part.issues) return refuse(part.issues, request);
              if (part.name === "title") titles.push(part.value);
              else if (size !== undefined) return reply(413, { error: "There may be one picture" });
              else {
                // As fast as the disk writes. The name and the type that the client gives to the file are ignored.
                const written = createWriteStream(path, { flags: "wx", mode: 0o600 });
                await pipeline(part.stream, written);
                size = written.bytesWritten;
              }
            }
            if (!size) return reply(400, { error: "The picture is empty" });
            const [title, ...others] = titles;
            if (title === undefined || others.length > 0) return reply(400, { error: "There must be one title" });
            // Limit how much a user may keep. Check the bytes of a file before you serve it, and send `nosniff` with it.
            await rename(path, `${directory}/${id}`);
            return reply(201, { id, title, size });
          }),
      }),
    ],
    onError: ({ error, context }) => {
      console.error(`${context.request.method} ${context.route?.path} failed:`, error);
      return isDiskFull(error)
        ? reply(503, { error: "The disk is full" }, { headers: { "retry-after": "60" } })
        : reply(500, { error: "Internal server error" });
    },
  });
}

export default createApp(".uploads");

/** Whether the disk is full, or the part of it that this process may use. */
function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
