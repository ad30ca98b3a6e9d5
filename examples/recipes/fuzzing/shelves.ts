import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";

/** What the app depends on. A test gives others. */
export interface Dependencies {
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly findUser: (token: string) => string | undefined;
}

const shelf = z.object({ id: z.string(), name: z.string(), books: z.int(), addedAt: z.iso.datetime() });
type Shelf = z.infer<typeof shelf> & { readonly owner: string };

const failure = z.object({ error: z.string() });

/** Shelves, each of one user, with a badge that everybody may see. */
export function createApp({ now, findUser }: Dependencies): App {
  const shelves = new Map<string, Shelf>();
  let last = 0;

  const signedIn = beforeBody(({ request }: Context) => {
    const user = findUser(request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "");
    return user === undefined ? deny(reply(401, { error: "Sign in" })) : allow({ user });
  });
  const validInput = denyInvalid(() => reply(400, { error: "Invalid input" }));
  const own = route.with({
    guards: [signedIn],
    docs: { security: [{ token: [] }] },
    responses: { 401: { schema: failure }, 404: { schema: failure } },
  });
  const missing = () => reply(404, { error: "Not found" });
  const show = ({ id, name, books, addedAt }: Shelf) => ({ id, name, books, addedAt });
  const find = (id: string, user: string) => {
    const found = shelves.get(id);
    return found?.owner === user ? found : undefined;
  };

  return setup({
    validator: standardSchema,
    maxBodyBytes: 16 * 1024,
    handlers: [
      own.post("/shelves", {
        guards: [validInput],
        request: { body: z.object({ name: z.string().min(1).max(40), books: z.int().min(0).max(500) }) },
        responses: { 201: { schema: shelf }, 400: { schema: failure } },
        resolve: ({ input: { body }, locals: { user } }) => {
          const added = { id: String(++last), ...body, addedAt: new Date(now()).toISOString(), owner: user };
          shelves.set(added.id, added);
          return reply(201, show(added));
        },
      }),
      own.get("/shelves/:id", {
        responses: { 200: { schema: shelf } },
        resolve: ({ raw, locals: { user } }) => {
          const found = find(raw.params.id, user);
          return found === undefined ? missing() : reply(200, show(found));
        },
      }),
      own.get("/shelves/:id/badge", {
        responses: { 200: { schema: z.object({ name: z.string() }) } },
        resolve: ({ raw }) => {
          const found = shelves.get(raw.params.id);
          return found === undefined ? missing() : reply(200, { name: found.name });
        },
      }),
      own.delete("/shelves/:id", {
        responses: { 204: {} },
        resolve: ({ raw, locals: { user } }) => {
          const found = find(raw.params.id, user);
          if (found === undefined) return missing();
          shelves.delete(found.id);
          return reply(204);
        },
      }),
    ],
  });
}
