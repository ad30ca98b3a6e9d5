// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json examples/recipes/etag_json.ts
//
// Conditional requests for JSON: 304 where the client has the current version, 412 and 428 against lost updates.
//
// curl -i http://localhost:8000/notes/1
// curl -i -H 'if-none-match: "1"' http://localhost:8000/notes/1
// curl -i -X PATCH -H 'if-match: "1"' -d '{"text":"Buy bread"}' http://localhost:8000/notes/1

import { allow, type App, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { preconditions, strongTag } from "@fw/core/files";
import { standardSchema } from "@fw/core/standard-schema";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";

/**
 * The response, 304 if the client has this version, or 412 if it insists on another. Declare all three:
 * `responses: { 200: …, 304: {}, 412: … }`.
 */
function replyUnlessKnown<Body>(request: Request, etag: string, body: Body) {
  const version = { headers: describeVersion(etag) };
  const result = preconditions(request, { etag });
  if (result === "failed") return replyOutdated();
  return result === undefined ? reply(200, body, version) : reply(304, undefined, version);
}

/** The response to a client that would overwrite a version that it has not seen. */
function replyOutdated() {
  return reply(412, { error: "There is a newer version: read it again" });
}

/** Caches ask each time. Nobody compresses: the ETag would become weak, and `If-Match` compares only strong ones. */
function describeVersion(etag: string): Record<string, string> {
  return { etag, "cache-control": "no-cache, no-transform" };
}

const Note = z.object({ id: z.number(), text: z.string().max(10_000), version: z.number() });
type Note = z.infer<typeof Note>;

const failure = z.object({ error: z.string() });

/** Runs one statement, and returns its rows. */
type Query = (sql: string, ...values: readonly (string | number)[]) => Promise<readonly Note[]>;

export function createApp(query: Query): App {
  const valid = denyInvalid(({ issues }) => reply(400, { error: "Invalid input", issues }));

  const found = async ({ raw }: Context) => {
    const [note] = await query("SELECT * FROM notes WHERE id = ?", raw.params.id ?? "");
    return note === undefined ? deny(reply(404, { error: "Not found" })) : allow({ note });
  };

  /** Requires `If-Match` with the tag of the current version: whoever has not seen that version must not overwrite it. */
  const current = ({ request, locals: { note } }: Context<{ note: Note }>) => {
    if (!request.headers.has("if-match")) return deny(reply(428, { error: "Send If-Match with the ETag" }));
    return preconditions(request, { etag: tagOf(note) }) === undefined ? allow() : deny(replyOutdated());
  };

  return setup({
    validator: standardSchema,
    maxBodyBytes: 64 * 1024,
    handlers: [
      // A list has no version, so its ETag is a hash. That saves the transfer, but not the query.
      route.on(["GET", "HEAD"], "/notes", {
        responses: { 200: { schema: z.array(Note) }, 304: {}, 412: { schema: failure } },
        resolve: async ({ request }) => {
          const notes = await query("SELECT * FROM notes ORDER BY id");
          return replyUnlessKnown(request, await strongTag(JSON.stringify(notes)), notes);
        },
      }),

      route.on(["GET", "HEAD"], "/notes/:id", {
        responses: { 200: { schema: Note }, 304: {}, 404: { schema: failure }, 412: { schema: failure } },
        guards: [found],
        resolve: ({ request, locals: { note } }) => replyUnlessKnown(request, tagOf(note), note),
      }),

      route.patch("/notes/:id", {
        request: { body: Note.pick({ text: true }) },
        responses: {
          200: { schema: Note },
          400: { schema: failure.extend({ issues: z.array(z.unknown()) }) },
          404: { schema: failure },
          412: { schema: failure },
          428: { schema: failure },
        },
        guards: [valid, found, current],
        resolve: async ({ input, locals: { note } }) => {
          // The version may have changed since the guard has read it. The statement compares it as it writes.
          const [changed] = await query(
            "UPDATE notes SET text = ?, version = version + 1 WHERE id = ? AND version = ? RETURNING *",
            ...[input.body.text, note.id, note.version],
          );
          return changed === undefined
            ? replyOutdated()
            : reply(200, changed, { headers: describeVersion(tagOf(changed)) });
        },
      }),
    ],
  });
}

export default createApp(openNotes());

/** Notes in memory. Another database is asked the same way. */
export function openNotes(): Query {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL, version INTEGER NOT NULL) STRICT");
  db.exec("INSERT INTO notes VALUES (1, 'Buy milk', 1), (2, 'Call Ada', 1)");
  return async (sql, ...values) => await z.array(Note).parseAsync(db.prepare(sql).all(...values));
}

/** A change of what the JSON looks like needs a prefix here: the ETag stands for the bytes, not only for the note. */
function tagOf({ version }: Note): string {
  return `"${version}"`;
}
