/** A depot: versions behind If-Match, lists with cursors, stock, orders that are cancelled, files, jobs, a webhook. */

import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { form } from "@fw/core/body";
import { lines, replyLines } from "@fw/core/events";
import { withHead } from "@fw/core/hooks";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import type { Has, Seeded } from "../apps/seeded.ts";

export const DEPOT: Readonly<Record<string, Seeded>> = {
  "stock below zero": { kind: "undeclared", at: ["GET /items", "GET /items/:id", "PUT /items/:id", "GET /report"] },
  "an item is gone when its order is cancelled": { kind: "throws", at: ["POST /orders/:orderId/cancel"] },
  "a second page is of another kind": { kind: "undeclared", at: ["GET /items"] },
  "a cursor is decoded by force": { kind: "throws", at: ["GET /items"] },
  "a change throws behind If-Match": { kind: "throws", at: ["PUT /items/:id"] },
  "an item stays after DELETE": { kind: "is there after DELETE", at: ["GET /items/:id", "GET /items"] },
  "a job is found by its location alone": { kind: "undeclared", at: ["GET /jobs/:jobId"] },
  "a file of another kind": { kind: "undeclared", at: ["GET /items/:id/label"] },
  "a line of the report is wrong": { kind: "undeclared", at: ["GET /report"] },
  "an upload without a name": { kind: "throws", at: ["POST /items/:id/photo"] },
  "a delivery is counted below zero": { kind: "throws", at: ["POST /deliveries"] },
  "HEAD of what is missing throws": { kind: "throws", at: ["HEAD /items/:id/label"] },
};

const failure = { schema: z.object({ error: z.string() }) };
const item = z.object({ id: z.string(), name: z.string(), stock: z.int().min(0) });
type Item = z.infer<typeof item>;
const order = z.object({
  number: z.int(),
  itemId: z.string(),
  quantity: z.int(),
  status: z.enum(["open", "cancelled"]),
});
type Order = z.infer<typeof order>;

/** Signs a body as the carrier does. */
export async function signatureOf(text: string): Promise<string> {
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode("secret"),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const bytes = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const DEPOT_ACTORS = {
  clerk: { "x-api-key": "clerk" },
  carrier: () => async (request: Request) => ({ "x-signature": await signatureOf(await request.text()) }),
};

export const DEPOT_SHARED = [
  "GET /items",
  "GET /items/:id",
  "PUT /items/:id",
  "DELETE /items/:id",
  "GET /items/:id/label",
  "POST /items/:id/photo",
  "POST /orders",
  "POST /orders/:orderId/cancel",
  "GET /jobs/:jobId",
];

export function createDepot(has: Has): App {
  const items = new Map<string, Item & { readonly version: number }>();
  const gone = new Map<string, Item & { readonly version: number }>();
  const orders = new Map<number, Order>();
  const jobs = new Map<string, string>();
  let last = 0;

  const missing = () => reply(404, { error: "missing" });
  const valid = denyInvalid(() => reply(400, { error: "invalid" }));
  const shown = ({ id, name, stock }: Item): Item => ({ id, name, stock });
  const tagOf = ({ version }: { readonly version: number }) => `"v${version}"`;
  const open = route.with({ responses: { 400: failure, 404: failure }, guards: [valid] });
  const signed = beforeBody(async (c: Context) => {
    const expected = await signatureOf(await c.request.clone().text());
    return c.request.headers.get("x-signature") === expected ? allow() : deny(reply(401, { error: "signature" }));
  });

  return setup({
    validator: standardSchema,
    handlers: withHead([
      open.get("/items", {
        request: {
          query: z.object({
            limit: z.coerce.number().int().min(1).max(50).default(10),
            cursor: z.string().max(40).optional(),
          }),
        },
        responses: {
          200: {
            schema: z.object({ data: z.array(item), pagination: z.object({ nextCursor: z.string().nullable() }) }),
          },
        },
        resolve: ({ input: { query: { limit, cursor } } }) => {
          const all = [...items.values()];
          let start = 0;
          if (cursor !== undefined) {
            if (has("a cursor is decoded by force")) start = Number(JSON.parse(atob(cursor)).after);
            else if (/^Y[\w+/]*=*$/.test(cursor)) start = Number(atob(cursor).replace(/^c/, ""));
            else return reply(400, { error: "no cursor of this list" });
          }
          const data = all.slice(start, start + limit).map(shown);
          const isLast = start + limit >= all.length;
          const next = has("a cursor is decoded by force")
            ? btoa(JSON.stringify({ after: start + limit }))
            : btoa(`c${start + limit}`);
          if (start > 0 && has("a second page is of another kind")) {
            return Response.json({ data, pagination: { nextCursor: 7 } }) as never;
          }
          return reply(200, { data, pagination: { nextCursor: isLast ? null : next } });
        },
      }),
      open.post("/items", {
        request: { body: z.object({ name: z.string().min(1).max(30), stock: z.int().min(0).max(100) }) },
        responses: { 201: { schema: item, headers: { etag: { required: true } } } },
        resolve: ({ input: { body } }) => {
          const made = { id: `i${++last}`, ...body, version: 1 };
          items.set(made.id, made);
          return reply(201, shown(made), { headers: { etag: tagOf(made) } });
        },
      }),
      open.get("/items/:id", {
        responses: { 200: { schema: item, headers: { etag: { required: true } } } },
        resolve: ({ raw: { params: { id } } }) => {
          const found = items.get(id) ?? (has("an item stays after DELETE") ? gone.get(id) : undefined);
          return found === undefined ? missing() : reply(200, shown(found), { headers: { etag: tagOf(found) } });
        },
      }),
      route.put("/items/:id", {
        request: {
          headers: z.object({ "if-match": z.string().max(20) }),
          body: z.object({ name: z.string().min(1).max(30), stock: z.int().min(0).max(100) }),
        },
        responses: {
          200: { schema: item, headers: { etag: { required: true } } },
          400: failure,
          404: failure,
          412: failure,
        },
        resolve: ({ raw, input, request }) => {
          const found = items.get(raw.params.id);
          if (found === undefined) return missing();
          if (!input.ok) return reply(400, { error: "invalid" });
          if (request.headers.get("if-match") !== tagOf(found)) return reply(412, { error: "changed" });
          if (has("a change throws behind If-Match")) throw new TypeError("no version column");
          const next = { ...found, ...input.body, version: found.version + 1 };
          items.set(found.id, next);
          return reply(200, shown(next), { headers: { etag: tagOf(next) } });
        },
      }),
      open.delete("/items/:id", {
        responses: { 204: {} },
        resolve: ({ raw: { params: { id } } }) => {
          const found = items.get(id);
          if (found === undefined) return missing();
          items.delete(id);
          gone.set(id, found);
          return reply(204);
        },
      }),
      open.get("/items/:id/label", {
        responses: { 200: { contentType: "*/*" } },
        resolve: ({ raw: { params: { id } }, request }) => {
          const found = items.get(id);
          if (found === undefined) {
            if (request.method === "HEAD" && has("HEAD of what is missing throws")) throw new TypeError("no label");
            return missing();
          }
          const headers = has("a file of another kind") ? {} : { "content-type": "image/svg+xml" };
          return reply(200, new Response(new TextEncoder().encode("<svg/>"), { headers }) as never);
        },
      }),
      open.post("/items/:id/photo", {
        request: { body: z.object({ caption: z.string().max(20), photo: z.file().max(5000) }), bodyReader: form },
        responses: { 201: { schema: z.object({ size: z.int() }) } },
        resolve: ({ raw: { params: { id } }, input: { body: { caption, photo } } }) => {
          if (!items.has(id)) return missing();
          if (has("an upload without a name") && caption === "") throw new RangeError("no caption");
          return reply(201, { size: photo.size });
        },
      }),
      open.post("/orders", {
        request: { body: z.object({ itemId: z.string().max(20), quantity: z.int().min(1).max(10) }) },
        responses: { 201: { schema: order }, 422: failure },
        resolve: ({ input: { body: { itemId, quantity } } }) => {
          const found = items.get(itemId);
          if (found === undefined) return missing();
          if (found.stock < (has("stock below zero") ? 1 : quantity)) {
            return reply(422, { error: "so many are not here" });
          }
          items.set(itemId, { ...found, stock: found.stock - quantity });
          const made = { number: ++last, itemId, quantity, status: "open" as const };
          orders.set(made.number, made);
          return reply(201, made);
        },
      }),
      open.post("/orders/:orderId/cancel", {
        responses: { 200: { schema: order }, 409: failure },
        resolve: ({ raw: { params: { orderId } } }) => {
          const found = orders.get(Number(orderId));
          if (found === undefined) return missing();
          if (found.status === "cancelled") return reply(409, { error: "cancelled" });
          const of = items.get(found.itemId);
          if (of === undefined && has("an item is gone when its order is cancelled")) throw new TypeError("no item");
          if (of !== undefined) items.set(of.id, { ...of, stock: of.stock + found.quantity });
          const next = { ...found, status: "cancelled" as const };
          orders.set(found.number, next);
          return reply(200, next);
        },
      }),
      open.post("/imports", {
        request: { body: z.object({ rows: z.array(z.string().max(9)).max(5) }) },
        responses: { 202: { headers: { location: { required: true } } } },
        resolve: () => {
          const id = crypto.randomUUID();
          jobs.set(id, "done");
          return reply(202, undefined, { headers: { location: `/jobs/${id}` } });
        },
      }),
      open.get("/jobs/:jobId", {
        responses: { 200: { schema: z.object({ state: z.enum(["running", "done"]) }) } },
        resolve: ({ raw: { params: { jobId } } }) => {
          if (!jobs.has(jobId)) return missing();
          return has("a job is found by its location alone")
            ? Response.json({ state: "lost" }) as never
            : reply(200, { state: "done" as const });
        },
      }),
      route.get("/report", {
        responses: { 200: lines(item) },
        resolve: () =>
          replyLines(200, function* () {
            for (const one of items.values()) {
              yield has("a line of the report is wrong") && one.stock === 0 ? { ...shown(one), stock: -1 } : shown(one);
            }
          }),
      }),
      route.post("/deliveries", {
        guards: [signed, valid],
        request: { body: z.object({ event: z.enum(["delivered", "lost"]), count: z.int().min(0).max(9) }) },
        responses: { 204: {}, 400: failure, 401: failure },
        resolve: ({ input: { body } }) => {
          if (has("a delivery is counted below zero") && body.event === "lost" && body.count === 0) {
            throw new RangeError("below zero");
          }
          return reply(204);
        },
      }),
    ]),
  });
}
