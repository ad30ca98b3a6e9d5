/** An app with every kind of request and response that a document describes. Clients are generated of its document. */
import { endpoint, reply, route, setup } from "@fw/core";
import { events, lines, replyEvents, replyLines } from "@fw/core/events";
import { file, form, parts } from "@fw/core/body";
import { openapi, type OpenApiDocument, type OpenApiVersion } from "@fw/core/openapi";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";

const Book = z.object({
  id: z.string(),
  title: z.string().min(1).max(200),
  tags: z.array(z.enum(["new", "used"])),
  added: z.iso.datetime(),
  series: z.string().nullable(),
  pages: z.int().optional(),
}).meta({ id: "Book" });

interface Shelf {
  name: string;
  shelves: Shelf[];
}
const Shelf: z.ZodType<Shelf> = z.lazy(() => z.object({ name: z.string(), shelves: z.array(Shelf) }))
  .meta({ id: "Shelf" });

const Problem = z.object({ title: z.string(), status: z.int() }).meta({ id: "Problem" });
const problem = { schema: Problem, contentType: "application/problem+json" } as const;
const Change = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("title"), title: z.string() }),
  z.object({ kind: z.literal("pages"), pages: z.int() }),
]);

const api = {
  listBooks: endpoint.get("/books", {
    request: {
      query: z.object({
        limit: z.coerce.number().int().min(1).max(100).default(20),
        tag: z.preprocess((tag) => typeof tag === "string" ? [tag] : tag, z.array(z.string())).optional(),
      }),
    },
    responses: {
      200: { schema: z.object({ data: z.array(Book), next: z.string().nullable() }), headers: { link: {} } },
      "4XX": problem,
      default: problem,
    },
  }),
  addBook: endpoint.post("/books", {
    docs: { security: [{ token: [] }] },
    request: { body: Book.omit({ id: true }), headers: z.object({ "idempotency-key": z.uuid() }) },
    responses: { 201: { schema: Book, headers: { location: { required: true } } }, 400: problem, 409: {} },
  }),
  showBook: endpoint.on(["GET", "HEAD"], "/books/:id", { responses: { 200: { schema: Book }, 304: {}, 404: problem } }),
  changeBook: endpoint.patch("/books/:id", {
    request: { body: Change },
    responses: { 200: { schema: z.union([Book, z.null()]) }, 204: {} },
  }),
  deleteBook: endpoint.delete("/books/:id", { docs: { deprecated: true }, responses: { 204: {}, 404: problem } }),
  exportBooks: endpoint.get("/export", { responses: { 200: { schema: z.string(), contentType: "text/csv" } } }),
  showCover: endpoint.get("/books/:id/cover", { responses: { 200: { contentType: "image/png" }, 404: problem } }),
  addCover: endpoint.post("/books/:id/cover", {
    request: { body: parts({ alt: z.string(), file: file({ contentTypes: ["image/*"], maxBytes: 1000 }) }) },
    responses: { 201: { schema: z.object({ name: z.string(), size: z.int(), alt: z.string() }) }, 400: problem },
  }),
  putCover: endpoint.put("/books/:id/cover", {
    docs: { requestBody: { contentType: "image/png", required: true } },
    responses: { 200: { schema: z.object({ size: z.int() }) } },
  }),
  signIn: endpoint.post("/sign-in", {
    request: { bodyReader: form, body: z.object({ name: z.string(), password: z.string() }) },
    responses: { 204: { headers: { "set-cookie": { required: true } } }, 401: problem },
  }),
  showShelf: endpoint.get("/shelf", { responses: { 200: { schema: Shelf } } }),
  showFile: endpoint.get("/files/*", { responses: { 200: { schema: z.string(), contentType: "text/plain" } } }),
  watchStock: endpoint.get("/stock", { responses: { 200: events({ stock: z.object({ left: z.int() }) }) } }),
  listRows: endpoint.get("/rows", { responses: { 200: lines(Book) } }),
  countTags: endpoint.get("/tags", {
    request: { cookies: z.object({ session: z.string().optional() }) },
    responses: { 200: { schema: z.record(z.string(), z.tuple([z.int(), z.string()])) } },
  }),
};

/** The document of the app, with the url of its server. */
export function documentOf(version: OpenApiVersion, url: string): OpenApiDocument {
  return openapi({
    openapi: version,
    info: { title: "Shelf", version: "1.0.0" },
    servers: [{ url }],
    endpoints: api,
    securitySchemes: { token: { type: "http", scheme: "bearer" } },
  });
}

/** A picture whose bytes are no text in UTF-8. */
export const PICTURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff, 0x00, 0xfe);

const book = (id: string, more: Partial<z.infer<typeof Book>> = {}): z.infer<typeof Book> => (
  { id, title: "Emma", tags: ["new"], added: "2026-01-01T00:00:00Z", series: null, ...more }
);
const failed = <Status extends number>(status: Status, title: string) =>
  reply(status, { title, status }, { contentType: "application/problem+json" });

/** The app of the document. */
export const shelf = setup({
  validator: standardSchema,
  endpoints: api,
  handlers: [
    route.on(api.listBooks, {
      resolve: ({ input }) => {
        if (!input.ok) return failed(400, "Invalid input");
        const { limit, tag = [] } = input.query;
        const data = tag.map((one, index) => book(String(index), { title: one }));
        return reply(200, { data: data.slice(0, limit), next: null }, { headers: { link: "</books>; rel=next" } });
      },
    }),
    route.on(api.addBook, {
      resolve: ({ input }) => {
        if (!input.ok) return failed(400, input.failed.join());
        if (input.body.title === "taken") return reply(409);
        return reply(201, { ...input.body, id: "7" }, { headers: { location: "/books/7" } });
      },
    }),
    route.on(api.showBook, {
      resolve: ({ raw }) => raw.params.id === "none" ? failed(404, "No such book") : reply(200, book(raw.params.id)),
    }),
    route.on(api.changeBook, {
      resolve: ({ input, raw }) => {
        if (!input.ok) throw new Error("invalid");
        if (input.body.kind === "title") return reply(200, book(raw.params.id, { title: input.body.title }));
        return input.body.pages === 0 ? reply(204) : reply(200, null);
      },
    }),
    route.on(api.deleteBook, {
      resolve: ({ raw }) => raw.params.id === "none" ? failed(404, "No such book") : reply(204),
    }),
    route.on(api.exportBooks, { resolve: () => reply(200, "id,title\n1,Emma\n", { contentType: "text/csv" }) }),
    route.on(api.showCover, {
      resolve: ({ raw }) =>
        raw.params.id === "none"
          ? failed(404, "No cover")
          : reply(200, new Response(PICTURE, { headers: { "content-type": "image/png" } })),
    }),
    route.on(api.addCover, {
      resolve: async ({ input }) => {
        if (!input.ok) return failed(400, input.failed.join());
        const cover = { name: "", size: 0, alt: "" };
        for await (const part of input.body) {
          if (part.issues) {
            return failed(400, part.issues.map(({ code, path }) => `${path.join()} ${code}`).join());
          }
          if (part.name === "alt") cover.alt = part.value;
          else {
            cover.name = part.fileName;
            for await (const chunk of part.stream) cover.size += chunk.length;
          }
        }
        return reply(201, cover);
      },
    }),
    route.on(api.putCover, {
      resolve: async ({ request }) => reply(200, { size: (await request.bytes()).length }),
    }),
    route.on(api.signIn, {
      resolve: ({ input, request }) => {
        const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
        if (!input.ok || !isForm || input.body.password !== "a+b c") return failed(401, "Wrong password");
        return reply(204, undefined, { headers: { "set-cookie": "session=1" } });
      },
    }),
    route.on(api.showShelf, { resolve: () => reply(200, { name: "all", shelves: [{ name: "new", shelves: [] }] }) }),
    route.on(api.showFile, { resolve: ({ raw }) => reply(200, raw.params["*"], { contentType: "text/plain" }) }),
    route.on(api.watchStock, {
      resolve: () =>
        replyEvents(200, async function* (_signal, event) {
          yield event("stock", { left: 2 });
          yield event("stock", { left: 1 });
        }),
    }),
    route.on(api.listRows, {
      resolve: () =>
        replyLines(200, async function* () {
          yield book("1");
          yield book("2");
        }),
    }),
    route.on(api.countTags, { resolve: () => reply(200, { new: [3, "three"] }) }),
  ],
});
