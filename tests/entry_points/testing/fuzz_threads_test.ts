/** Whether `fuzz` makes things that refer to one of their own kind, and that to another: replies to replies. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { type App, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, type FuzzOptions } from "../../../src/testing/mod.ts";

const SEEDS = [1, 2, 3, 4];
const invalid = denyInvalid(() => reply(400));

/** The seeds with which the app has exactly these faults. */
async function seedsThatFind(
  create: () => App,
  expected: readonly (readonly [kind: string, endpoint: string])[],
  options: Partial<FuzzOptions> = {},
): Promise<readonly number[]> {
  const finding: number[] = [];
  for (const seed of SEEDS) {
    const faults = await fuzz(create, { fc, seed, runs: 12, ...options });
    const found = faults.map(({ kind, endpoint }) => [kind, endpoint]);
    if (JSON.stringify(found) === JSON.stringify(expected)) finding.push(seed);
  }
  return finding;
}

interface Made {
  readonly id: string;
  readonly parentId?: string | null | undefined;
  readonly place: string;
}

/** How many things a thing is below. */
function depthOf(things: ReadonlyMap<string, Made>, { parentId }: Made): number {
  const parent = things.get(parentId ?? "");
  return parent === undefined ? 0 : 1 + depthOf(things, parent);
}

const made = z.object({ id: z.string(), parentId: z.string().nullish() });
const shown = ({ id, parentId }: Made) => ({ id, parentId });

const labels = z.array(z.string().max(9)).max(2);

/** Comments on posts. What is as deep as `wrong` is listed without its text; `most` says how deep replies may be. */
const createForum = (wrong: number, most = Infinity) => (): App => {
  const posts = new Set<string>();
  const comments = new Map<string, Made>();
  let last = 0;
  return setup({
    validator: standardSchema,
    handlers: [
      route.post("/posts", {
        request: { body: z.object({ title: z.string().max(20) }) },
        responses: { 201: { schema: z.object({ id: z.string() }) }, 400: {} },
        guards: [invalid],
        resolve: () => {
          const id = `post-${++last}`;
          posts.add(id);
          return reply(201, { id });
        },
      }),
      route.post("/posts/:postId/comments", {
        request: { body: z.object({ text: z.string().max(20), labels, parentId: z.string().optional() }) },
        responses: { 201: { schema: made }, 400: {}, 404: {}, 409: {} },
        guards: [invalid],
        resolve: ({ raw: { params }, input: { body: { parentId } } }) => {
          const parent = parentId === undefined ? undefined : comments.get(parentId);
          if (!posts.has(params.postId)) return reply(404);
          if (parentId !== undefined && parent?.place !== params.postId) return reply(404);
          if (parent !== undefined && depthOf(comments, parent) >= most) return reply(409);
          const comment = { id: `comment-${++last}`, parentId, place: params.postId };
          comments.set(comment.id, comment);
          return reply(201, shown(comment));
        },
      }),
      route.get("/posts/:postId/comments", {
        responses: { 200: { schema: z.array(made) }, 404: {} },
        resolve: ({ raw: { params } }) => {
          if (!posts.has(params.postId)) return reply(404);
          const here = [...comments.values()].filter(({ place }) => place === params.postId);
          if (here.some((comment) => depthOf(comments, comment) === wrong)) throw new Error("A reply is lost");
          return reply(200, here.map(shown));
        },
      }),
      route.delete("/comments/:commentId", {
        responses: { 204: {}, 404: {}, 409: {} },
        resolve: ({ raw: { params } }) => {
          if ([...comments.values()].some(({ parentId }) => parentId === params.commentId)) return reply(409);
          return reply(comments.delete(params.commentId) ? 204 : 404);
        },
      }),
    ],
  });
};

/** Folders, or whatever `paths` says: one is made in another by its body, or by its path. */
const createTree = (way: "body" | "nested body" | "own path" | "path of its own kind") => (): App => {
  const folders = new Map<string, Made>();
  let last = 0;
  const add = (parentId: string | null | undefined) => {
    if (typeof parentId === "string" && !folders.has(parentId)) return undefined;
    const folder = { id: `${++last}`, parentId, place: "" };
    folders.set(folder.id, folder);
    if (depthOf(folders, folder) === 3) throw new Error("Too deep");
    return folder;
  };
  const responses = { 201: { schema: made }, 400: {}, 404: {} };
  const guards = [invalid] as const;
  const root = route.post("/folders", {
    request: { body: z.object({ name: z.string().max(20) }) },
    responses,
    guards,
    resolve: () => reply(201, shown(add(null) as Made)),
  });
  const answer = (folder: Made | undefined) => folder === undefined ? reply(404) : reply(201, shown(folder));
  const ways = {
    "body": [route.post("/folders", {
      request: { body: z.object({ name: z.string().max(20), parentId: z.string().nullable() }) },
      responses,
      guards,
      resolve: ({ input: { body } }) => answer(add(body.parentId)),
    })],
    "nested body": [route.post("/folders", {
      request: { body: z.object({ folder: z.object({ name: z.string().max(20), parentId: z.string().optional() }) }) },
      responses,
      guards,
      resolve: ({ input: { body } }) => answer(add(body.folder.parentId)),
    })],
    "own path": [
      root,
      route.post("/folders/:id/folders", { responses, resolve: ({ raw }) => answer(add(raw.params.id)) }),
    ],
    "path of its own kind": [
      root,
      route.post("/folders/:folderId/children", { responses, resolve: ({ raw }) => answer(add(raw.params.folderId)) }),
    ],
  };
  return setup({ validator: standardSchema, handlers: ways[way] });
};

describe("things that refer to one of their own kind", () => {
  it("are made three deep: a reply to a reply to a comment", async () => {
    const expected = [["throws", "GET /posts/:postId/comments"]] as const;
    assertEquals(await seedsThatFind(createForum(2), expected), SEEDS);
    assertEquals(await seedsThatFind(createForum(3), expected), SEEDS);
  });

  for (
    const [way, endpoint] of [
      ["body", "POST /folders"],
      ["nested body", "POST /folders"],
      ["own path", "POST /folders/:id/folders"],
      ["path of its own kind", "POST /folders/:folderId/children"],
    ] as const
  ) {
    it(`are made three deep by the ${way}`, async () => {
      assertEquals(await seedsThatFind(createTree(way), [["throws", endpoint]]), SEEDS);
    });
  }

  it("raise no alarm where they may be one deep only, and of the same post", async () => {
    const actors = { ada: { authorization: "ada" }, bob: { authorization: "bob" } };
    const shared = ["POST /posts/:postId/comments", "GET /posts/:postId/comments", "DELETE /comments/:commentId"];
    assertEquals(await seedsThatFind(createForum(9, 1), []), SEEDS);
    assertEquals(await seedsThatFind(createForum(9), [], { actors, shared }), SEEDS);
  });
});
