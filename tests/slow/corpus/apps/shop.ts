/** A shop: prices, stock, ratings, orders. 20 faults, most of them from bug reports of such apps. */

import { type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { allow } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import type { Has, Seeded } from "./seeded.ts";

export const SHOP: Readonly<Record<string, Seeded>> = {
  // Text
  "NUL in a name": { kind: "throws", at: ["POST /products"] },
  "a search is a regular expression": { kind: "throws", at: ["GET /search"] },
  // Bounds
  "the longest of no tags": { kind: "throws", at: ["POST /products"] },
  "no shelf for the largest quantity": { kind: "throws", at: ["POST /orders"] },
  // Numbers
  "the price of one of none is Infinity": { kind: "undeclared", at: ["GET /products/:id/share"] },
  "the rating of nothing is NaN": { kind: "undeclared", at: ["GET /products/:id/rating"] },
  // Dates
  "a month after the year 9999": { kind: "undeclared", at: ["POST /orders"] },
  "a warranty beyond all dates": { kind: "throws", at: ["GET /products/:id/warranty"] },
  // Statuses
  "a name is taken in other letters": { kind: "undeclared", at: ["POST /products"] },
  "a third review is too much": { kind: "undeclared", at: ["POST /products/:id/reviews"] },
  // Bodies and headers
  "the cost is shown": { kind: "undeclared", at: ["GET /products/:id"] },
  "an invoice is HTML": { kind: "undeclared", at: ["GET /orders/:id/invoice"] },
  // Invalid input
  "a change is not validated": { kind: "accepts invalid input", at: ["PATCH /products/:id"] },
  "a wrong limit is 10": { kind: "accepts invalid input", at: ["GET /products"] },
  // Valid input
  "five stars are too many": { kind: "refuses valid input", at: ["POST /products/:id/reviews"] },
  "a name has letters of ASCII only": { kind: "refuses valid input", at: ["POST /products"] },
  // DELETE
  "a product is only hidden": { kind: "is there after DELETE", at: ["GET /products/:id"] },
  "an order stays in the list": { kind: "is there after DELETE", at: ["GET /orders"] },
  // Credentials
  "anybody sees an order": { kind: "needs no credentials", at: ["GET /orders/:id"] },
  "anybody cancels an order": { kind: "needs no credentials", at: ["DELETE /orders/:id"] },
};

export const SHOP_ACTORS = { ada: { authorization: "Bearer ada" } };

const failure = { schema: z.object({ error: z.string() }) };
const product = z.object({
  id: z.string(),
  name: z.string(),
  price: z.number(),
  stock: z.int(),
  tags: z.array(z.string()),
  longestTag: z.string().nullable(),
});
const change = z.object({
  name: z.string().min(1).max(40),
  price: z.number().min(0).max(1e6),
  stock: z.int().min(0).max(1000),
  tags: z.array(z.string().max(20)).max(5),
});
const order = z.object({
  id: z.string(),
  productId: z.string(),
  quantity: z.int(),
  paidUntil: z.iso.datetime().nullable(),
});
const secured = { security: [{ token: [] }] };

export function createShop(has: Has): App {
  const products = new Map<string, z.infer<typeof product> & { reviews: number[] }>();
  const hidden = new Map<string, z.infer<typeof product> & { reviews: number[] }>();
  const orders = new Map<string, z.infer<typeof order>>();
  const cancelled = new Map<string, z.infer<typeof order>>();
  let last = 0;

  const shown = ({ reviews: _, ...rest }: z.infer<typeof product> & { reviews: number[] }) => rest;
  const valid = denyInvalid(() => reply(400, { error: "Invalid" }));
  const member = beforeBody((c: Context) =>
    c.request.headers.get("authorization") === "Bearer ada"
      ? allow({ user: "ada" })
      : deny(reply(401, { error: "Sign in" }))
  );
  const missing = () => reply(404, { error: "Missing" });
  const open = route.with({ responses: { 400: failure, 404: failure }, guards: [valid] });
  const own = route.with({ responses: { 400: failure, 401: failure, 404: failure }, docs: secured });
  const guarded = (fault: string) => (has(fault) ? allow({ user: "ada" }) : undefined);

  return setup({
    validator: standardSchema,
    handlers: [
      route.get("/products", {
        request: { query: z.object({ limit: z.coerce.number().int().min(1).max(50).default(10) }) },
        responses: { 200: { schema: z.array(product) }, 400: failure },
        resolve: (c) => {
          if (!c.input.ok && !has("a wrong limit is 10")) return reply(400, { error: "Invalid" });
          return reply(200, [...products.values()].slice(0, c.input.ok ? c.input.query.limit : 10).map(shown));
        },
      }),
      open.post("/products", {
        request: { body: change },
        responses: { 201: { schema: product }, 409: failure },
        resolve: (c) => {
          const { name, price, stock, tags } = c.input.body;
          if (has("NUL in a name") && name.includes("\0")) throw new Error("invalid byte sequence for encoding");
          if (has("a name has letters of ASCII only") && !/^[ -~]+$/.test(name)) return reply(400, { error: "Name" });
          const all = [...products.values()];
          if (all.some((one) => one.name === name)) return reply(409, { error: "Taken" });
          if (has("a name is taken in other letters")) {
            if (all.some((one) => one.name.toLowerCase() === name.toLowerCase())) {
              return Response.json({ error: "Taken" }, { status: 422 }) as never;
            }
          }
          const longest = (one: string, other: string) => one.length > other.length ? one : other;
          const longestTag = has("the longest of no tags") ? tags.reduce(longest) : tags.reduce(longest, "") || null;
          const made = { id: `p${++last}`, name, price, stock, tags, longestTag, reviews: [] };
          products.set(made.id, made);
          return reply(201, shown(made));
        },
      }),
      open.get("/products/:id", {
        responses: { 200: { schema: product } },
        resolve: (c) => {
          const found = products.get(c.raw.params.id) ??
            (has("a product is only hidden") ? hidden.get(c.raw.params.id) : undefined);
          if (found === undefined) return missing();
          return has("the cost is shown")
            ? Response.json({ ...shown(found), cost: found.price / 2 }) as never
            : reply(200, shown(found));
        },
      }),
      route.patch("/products/:id", {
        request: { body: change.omit({ tags: true }).partial() },
        responses: { 200: { schema: product }, 400: failure, 404: failure, 409: failure },
        resolve: (c) => {
          const found = products.get(c.raw.params.id);
          if (found === undefined) return missing();
          if (!c.input.ok) {
            if (!has("a change is not validated")) return reply(400, { error: "Invalid" });
            return reply(200, shown(found));
          }
          const { name, price, stock } = c.input.body;
          if ([...products.values()].some((one) => one !== found && one.name === name)) {
            return reply(409, { error: "Taken" });
          }
          Object.assign(found, { name: name ?? found.name, price: price ?? found.price, stock: stock ?? found.stock });
          return reply(200, shown(found));
        },
      }),
      open.delete("/products/:id", {
        responses: { 204: {} },
        resolve: (c) => {
          const found = products.get(c.raw.params.id);
          if (found === undefined) return missing();
          hidden.set(found.id, found);
          products.delete(found.id);
          return reply(204);
        },
      }),
      open.post("/products/:id/reviews", {
        request: { body: z.object({ stars: z.int().min(1).max(5), text: z.string().max(200) }) },
        responses: { 201: { schema: z.object({ stars: z.int() }) } },
        resolve: (c) => {
          const found = products.get(c.raw.params.id);
          if (found === undefined) return missing();
          const { stars } = c.input.body;
          if (has("five stars are too many") && stars >= 5) return reply(400, { error: "Stars" });
          if (has("a third review is too much") && found.reviews.length > 1) {
            return Response.json({ error: "Too many" }, { status: 409 }) as never;
          }
          found.reviews.push(stars);
          return reply(201, { stars });
        },
      }),
      open.get("/products/:id/rating", {
        responses: { 200: { schema: z.object({ average: z.number(), count: z.int() }) } },
        resolve: (c) => {
          const found = products.get(c.raw.params.id);
          if (found === undefined) return missing();
          const count = found.reviews.length;
          const sum = found.reviews.reduce((one, other) => one + other, 0);
          return reply(200, { average: count === 0 && !has("the rating of nothing is NaN") ? 0 : sum / count, count });
        },
      }),
      open.get("/products/:id/share", {
        responses: { 200: { schema: z.object({ each: z.number() }) } },
        resolve: (c) => {
          const found = products.get(c.raw.params.id);
          if (found === undefined) return missing();
          const { price, stock } = found;
          const isSafe = stock > 0 || !has("the price of one of none is Infinity");
          return reply(200, { each: isSafe ? price / Math.max(1, stock) : (price + 1) / stock });
        },
      }),
      open.get("/products/:id/warranty", {
        request: { query: z.object({ days: z.coerce.number().int().min(0) }) },
        responses: { 200: { schema: z.object({ until: z.iso.datetime() }) } },
        resolve: (c) => {
          if (!products.has(c.raw.params.id)) return missing();
          const days = has("a warranty beyond all dates") ? c.input.query.days : Math.min(c.input.query.days, 36_500);
          const until = new Date(Date.UTC(2026, 0, 1) + days * 86_400_000);
          if (until.getTime() < Date.UTC(10_000, 0, 1)) return reply(200, { until: until.toISOString() });
          return reply(200, { until: until.toISOString().replace(/^\+0\d+/, "9999") });
        },
      }),
      open.get("/search", {
        request: { query: z.object({ q: z.string().min(1).max(50) }) },
        responses: { 200: { schema: z.array(product) } },
        resolve: (c) => {
          const { q } = c.input.query;
          const test = has("a search is a regular expression")
            ? (name: string) => new RegExp(q).test(name)
            : (name: string) => name.includes(q);
          test(""); // a query is compiled also where there is nothing to search
          return reply(200, [...products.values()].filter(({ name }) => test(name)).map(shown));
        },
      }),
      own.post("/orders", {
        guards: [member, valid],
        request: {
          body: z.object({
            productId: z.string().max(100),
            quantity: z.int().min(1).max(100),
            deliverAt: z.iso.datetime().optional(),
          }),
        },
        responses: { 201: { schema: order } },
        resolve: (c) => {
          const { productId, quantity, deliverAt } = c.input.body;
          if (!products.has(productId)) return missing();
          const shelves = Array.from({ length: 100 }, (_, index) => ({ row: Math.floor(index / 10) }));
          if (has("no shelf for the largest quantity")) void (shelves[quantity] as { row: number }).row;
          let paidUntil: string | null = null;
          if (deliverAt !== undefined) {
            const later = new Date(Date.parse(deliverAt) + 30 * 86_400_000);
            const isSafe = later.getTime() < Date.UTC(10_000, 0, 1);
            paidUntil = isSafe || has("a month after the year 9999") ? later.toISOString() : null;
          }
          const made = { id: `o${++last}`, productId, quantity, paidUntil };
          orders.set(made.id, made);
          return reply(201, made);
        },
      }),
      own.get("/orders", {
        guards: [member],
        responses: { 200: { schema: z.array(order) } },
        resolve: () => {
          const gone = has("an order stays in the list") ? [...cancelled.values()] : [];
          return reply(200, [...orders.values(), ...gone]);
        },
      }),
      own.get("/orders/:id", {
        guards: [beforeBody((c) => guarded("anybody sees an order") ?? member(c))],
        responses: { 200: { schema: order } },
        resolve: (c) => {
          const found = orders.get(c.raw.params.id);
          return found === undefined ? missing() : reply(200, found);
        },
      }),
      own.delete("/orders/:id", {
        guards: [beforeBody((c) => guarded("anybody cancels an order") ?? member(c))],
        responses: { 204: {} },
        resolve: (c) => {
          const found = orders.get(c.raw.params.id);
          if (found === undefined) return missing();
          cancelled.set(found.id, found);
          orders.delete(found.id);
          return reply(204);
        },
      }),
      own.get("/orders/:id/invoice", {
        guards: [member],
        responses: { 200: { contentType: "text/plain" } },
        resolve: (c) => {
          const found = orders.get(c.raw.params.id);
          if (found === undefined) return missing();
          const type = has("an invoice is HTML") ? "text/html" : "text/plain";
          return reply(200, new Response(`Invoice ${found.id}`, { headers: { "content-type": type } }) as never);
        },
      }),
    ],
  });
}
