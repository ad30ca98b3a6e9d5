/** Articles with comments, as in RealWorld: 422 says what is wrong with a field, also that a name is taken. */

import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import type { Has, Seeded } from "../apps/seeded.ts";

export const ARTICLES: Readonly<Record<string, Seeded>> = {
  "a slug is decoded twice": { kind: "fails", at: ["GET /articles/:slug"] },
  "a tag is decoded twice": { kind: "fails", at: ["GET /articles"] },
  "NUL in the body of a comment": { kind: "fails", at: ["POST /articles/:slug/comments"] },
  "NUL in a slug": { kind: "fails", at: ["POST /articles/:slug/favorite"] },
  "anybody deletes a comment": { kind: "crosses owners", at: ["DELETE /articles/:slug/comments/:id"] },
  "anybody changes an article": { kind: "crosses owners", at: ["PUT /articles/:slug"] },
  "a draft is read by its comments": { kind: "crosses owners", at: ["GET /drafts/:draftId/notes/:noteId"] },
  "a bio of 100 letters is too long": { kind: "refuses valid input", at: ["PUT /user"] },
};

export const ARTICLES_ACTORS = {
  ada: { authorization: `Token ${"ada".repeat(20)}` },
  bob: { authorization: `Token ${"bob".repeat(20)}` },
};

export const ARTICLES_SHARED = [
  "GET /articles",
  "GET /articles/:slug",
  "POST /articles/:slug/favorite",
  "GET /articles/:slug/comments",
  "POST /articles/:slug/comments",
];

const failure = { schema: z.object({ errors: z.record(z.string(), z.array(z.string())) }) };
const article = z.object({
  slug: z.string(),
  title: z.string(),
  body: z.string(),
  tagList: z.array(z.string()),
  favoritesCount: z.int().min(0),
  author: z.object({ username: z.string() }),
});
const comment = z.object({ id: z.int(), body: z.string(), author: z.object({ username: z.string() }) });
const note = z.object({ id: z.string(), text: z.string(), draftId: z.string() });
type Article = z.infer<typeof article>;
type Comment = z.infer<typeof comment>;
type Note = z.infer<typeof note>;

export function createArticles(has: Has): App {
  const articles = new Map<string, Article>();
  const comments = new Map<string, readonly Comment[]>();
  const drafts = new Map<string, { readonly owner: string; readonly title: string }>();
  const notes = new Map<string, Note & { readonly owner: string }>();
  const names = new Map<string, string>();
  let last = 0;

  const fail = (field: string, message: string) => reply(422, { errors: { [field]: [message] } });
  const missing = () => reply(404, { errors: { article: ["not found"] } });
  const query = (text: string) => {
    if (text.includes("\0")) throw new Error('invalid byte sequence for encoding "UTF8": 0x00');
    return text;
  };
  const valid = denyInvalid(({ issues }) => {
    const errors: Record<string, string[]> = {};
    for (const { path, message } of issues) (errors[path.at(-1) ?? "input"] ??= []).push(message);
    return reply(422, { errors });
  });
  const signedIn = beforeBody((c: Context) => {
    const token = c.request.headers.get("authorization")?.replace("Token ", "");
    const user = ["ada", "bob"].find((name) => name.repeat(20) === token);
    return user === undefined ? deny(reply(401, { errors: { token: ["is missing"] } })) : allow({ user });
  });
  const open = route.with({ responses: { 404: failure, 422: failure }, guards: [valid] });
  const own = route.with({
    docs: { security: [{ token: [] }] },
    responses: { 401: failure, 403: failure, 404: failure, 422: failure },
    guards: [signedIn, valid],
  });
  const slugOf = (title: string) => `${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")}-${++last}`;
  const input = z.object({
    article: z.object({
      title: z.string().min(1).max(60),
      body: z.string().max(300),
      tagList: z.array(z.string().min(1).max(20)).max(4).default([]),
    }),
  });

  return setup({
    validator: standardSchema,
    onError: () => reply(500, { errors: { server: ["sorry"] } }),
    handlers: [
      own.put("/user", {
        request: {
          body: z.object({ user: z.object({ username: z.string().min(1).max(20), bio: z.string().max(100) }) }),
        },
        responses: { 200: { schema: z.object({ user: z.object({ username: z.string(), bio: z.string() }) }) } },
        resolve: ({ input: { body: { user } }, locals }) => {
          if (has("a bio of 100 letters is too long") && user.bio.length > 99) return fail("bio", "is long");
          if ([...names].some(([owner, name]) => owner !== locals.user && name === user.username)) {
            return fail("username", "has been chosen by somebody");
          }
          names.set(locals.user, user.username);
          return reply(200, { user });
        },
      }),
      open.get("/articles", {
        request: {
          query: z.object({
            tag: z.string().max(20).optional(),
            limit: z.coerce.number().int().min(1).max(100).default(20),
            offset: z.coerce.number().int().min(0).default(0),
          }),
        },
        responses: { 200: { schema: z.object({ articles: z.array(article), articlesCount: z.int() }) }, 500: failure },
        resolve: ({ input: { query: { tag, limit, offset } } }) => {
          const wanted = tag !== undefined && has("a tag is decoded twice") ? decodeURIComponent(tag) : tag;
          const all = [...articles.values()].filter(({ tagList }) => wanted === undefined || tagList.includes(wanted));
          return reply(200, { articles: all.slice(offset, offset + limit), articlesCount: all.length });
        },
      }),
      own.post("/articles", {
        request: { body: input },
        responses: { 201: { schema: z.object({ article }), headers: { location: { required: true } } } },
        resolve: ({ input: { body }, locals: { user } }) => {
          const { title } = body.article;
          if ([...articles.values()].some((one) => one.title === title)) return fail("title", "has already been taken");
          const slug = slugOf(title);
          const made = { ...body.article, slug, favoritesCount: 0, author: { username: user } };
          articles.set(slug, made);
          return reply(201, { article: made }, { headers: { location: `/articles/${encodeURIComponent(slug)}` } });
        },
      }),
      open.get("/articles/:slug", {
        responses: { 200: { schema: z.object({ article }) } },
        resolve: ({ raw }) => {
          const slug = has("a slug is decoded twice") ? decodeURIComponent(raw.params.slug) : raw.params.slug;
          const found = articles.get(slug);
          return found === undefined ? missing() : reply(200, { article: found });
        },
      }),
      own.put("/articles/:slug", {
        request: { body: input },
        responses: { 200: { schema: z.object({ article }) } },
        resolve: ({ raw, input: { body }, locals: { user } }) => {
          const found = articles.get(raw.params.slug);
          if (found === undefined) return missing();
          if (found.author.username !== user && !has("anybody changes an article")) return reply(403, { errors: {} });
          const next = { ...found, ...body.article };
          articles.set(found.slug, next);
          return reply(200, { article: next });
        },
      }),
      own.post("/articles/:slug/favorite", {
        responses: { 200: { schema: z.object({ article }) } },
        resolve: ({ raw }) => {
          const found = articles.get(has("NUL in a slug") ? query(raw.params.slug) : raw.params.slug);
          if (found === undefined) return missing();
          const next = { ...found, favoritesCount: found.favoritesCount + 1 };
          articles.set(found.slug, next);
          return reply(200, { article: next });
        },
      }),
      open.get("/articles/:slug/comments", {
        responses: { 200: { schema: z.object({ comments: z.array(comment) }) } },
        resolve: ({ raw }) =>
          articles.has(raw.params.slug)
            ? reply(200, { comments: [...comments.get(raw.params.slug) ?? []] })
            : missing(),
      }),
      own.post("/articles/:slug/comments", {
        request: { body: z.object({ comment: z.object({ body: z.string().min(1).max(100) }) }) },
        responses: { 200: { schema: z.object({ comment }) }, 500: failure },
        resolve: ({ raw, input: { body }, locals: { user } }) => {
          if (!articles.has(raw.params.slug)) return missing();
          const text = body.comment.body;
          const made = {
            id: ++last,
            body: has("NUL in the body of a comment") ? query(text) : text,
            author: { username: user },
          };
          comments.set(raw.params.slug, [...comments.get(raw.params.slug) ?? [], made]);
          return reply(200, { comment: made });
        },
      }),
      own.delete("/articles/:slug/comments/:id", {
        responses: { 204: {} },
        resolve: ({ raw, locals: { user } }) => {
          const all = comments.get(raw.params.slug) ?? [];
          const found = all.find(({ id }) => String(id) === raw.params.id);
          if (found === undefined) return missing();
          if (found.author.username !== user && !has("anybody deletes a comment")) return reply(403, { errors: {} });
          comments.set(raw.params.slug, all.filter((one) => one !== found));
          return reply(204);
        },
      }),
      own.post("/drafts", {
        request: { body: z.object({ title: z.string().max(20) }) },
        responses: { 201: { schema: z.object({ draftId: z.string(), title: z.string() }) } },
        resolve: ({ input: { body: { title } }, locals: { user } }) => {
          const draftId = `draft-${++last}`;
          drafts.set(draftId, { owner: user, title });
          return reply(201, { draftId, title });
        },
      }),
      own.post("/drafts/:draftId/notes", {
        request: { body: z.object({ text: z.string().max(20) }) },
        responses: { 201: { schema: note } },
        resolve: ({ raw: { params: { draftId } }, input: { body: { text } }, locals: { user } }) => {
          if (drafts.get(draftId)?.owner !== user) return missing();
          const made = { id: `note-${++last}`, text, draftId };
          notes.set(made.id, { ...made, owner: user });
          return reply(201, made);
        },
      }),
      own.get("/drafts/:draftId/notes/:noteId", {
        responses: { 200: { schema: note } },
        resolve: ({ raw: { params: { draftId, noteId } }, locals: { user } }) => {
          const { owner, ...found } = notes.get(noteId) ?? { owner: "", id: "", text: "", draftId: "" };
          const isOwn = owner === user && found.draftId === draftId;
          const isFound = has("a draft is read by its comments") ? drafts.get(draftId)?.owner === user : isOwn;
          return isFound && owner !== "" ? reply(200, found) : missing();
        },
      }),
    ],
  });
}
