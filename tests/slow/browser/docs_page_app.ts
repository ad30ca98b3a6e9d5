/** An app with an operation of each kind that the page of an API has to send. The page is at `/docs`. */
import { z } from "zod";
import { allow, type Context, deny, endpoint, reply, route, setup } from "../../../mod.ts";
import { file, form, parts } from "../../../src/body/mod.ts";
import { events, replyEvents } from "../../../src/events/mod.ts";
import { docsPage, openapi } from "../../../src/openapi/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";

const HOSTILE = `</p></script><script>document.title = "taken"</script><img src=x onerror="document.title='taken'">`;

const LONG = "long".repeat(40);

const seen = z.object({ seen: z.array(z.string()) });
const body = z.object({ title: z.string().min(1).describe(HOSTILE), pages: z.int().min(1).default(1) });
const upload = parts({
  title: z.string(),
  photo: file({ contentTypes: ["image/*"], maxBytes: 1_000_000 }),
});
const signUp = z.object({ name: z.string(), newsletter: z.enum(["daily", "weekly"]).optional() });
const filter = z.object({
  q: z.string().optional(),
  tag: z.array(z.string()).optional(),
  sort: z.enum(["title", "year"]).optional(),
});

export const api = {
  listBooks: endpoint.get("/books", {
    docs: { summary: "Lists books", tags: ["books"], description: HOSTILE },
    request: {
      query: filter,
      headers: z.object({ "x-trace": z.string().optional() }),
      cookies: z.object({ theme: z.string().optional() }),
    },
    responses: { 200: { description: HOSTILE, schema: seen } },
  }),
  addBook: endpoint.post("/books/:shelf", {
    docs: { summary: "Adds a book", tags: ["books"], security: [{ token: [] }] },
    request: { body },
    responses: { 201: { schema: seen }, 401: {} },
  }),
  readFile: endpoint.get("/files/*", {
    docs: { summary: "Reads a file", tags: ["books"] },
    responses: { 200: { contentType: "application/octet-stream" } },
  }),
  watch: endpoint.get("/events", { docs: { summary: "Watches", tags: ["more"] }, responses: { 200: events(z.int()) } }),
  exact: endpoint.get("/exact", {
    docs: { summary: "A number", tags: [LONG], deprecated: true },
    responses: { 200: { contentType: "application/json" } },
  }),
  signUp: endpoint.post("/sign-up", {
    docs: { summary: "Signs up", tags: ["more"] },
    request: { body: signUp, bodyReader: form },
    responses: { 200: { schema: seen } },
  }),
  addPhoto: endpoint.post("/photos", {
    docs: { summary: "Adds a photo", tags: ["more"] },
    request: { body: upload },
    responses: { 200: { schema: seen } },
  }),
  who: endpoint.get("/who", {
    docs: { summary: "Who I am", tags: ["more"], security: [{ session: [] }] },
    responses: { 200: { schema: seen } },
  }),
};

export const document = openapi({
  info: { title: "Everything", version: "1.0.0", description: `One operation of each kind.\n${HOSTILE}` },
  endpoints: api,
  tags: [{ name: "books", description: "Books, and what belongs to them." }],
  securitySchemes: {
    token: { type: "http", scheme: "bearer" },
    session: { type: "apiKey", in: "cookie", name: "sid" },
  },
  webhooks: { "book.added": body },
});

const signedIn = (c: Context) => c.request.headers.get("authorization") === "Bearer ada" ? allow() : deny(reply(401));

/** Responds with what has arrived. */
const show = (...seen: readonly unknown[]) => reply(200, { seen: seen.map(String) });

/** Lets a stream go on, message by message. */
export const turns = { next: () => {} };

export const app = setup({
  validator: standardSchema,
  handlers: [
    route.on(api.listBooks, {
      resolve: ({ request, raw }) =>
        show(
          new URL(request.url).search,
          request.headers.get("x-trace"),
          raw.cookies?.theme,
          request.headers.get("cookie"),
        ),
    }),
    route.on(api.addBook, {
      guards: [signedIn],
      resolve: ({ raw, input }) =>
        reply(201, { seen: [raw.params.shelf, JSON.stringify(input.ok ? input.body : input.issues)] }),
    }),
    route.on(api.readFile, {
      resolve: ({ raw }) =>
        reply(200, new Response(`${raw.params["*"]}\0`, { headers: { "content-type": "application/octet-stream" } })),
    }),
    route.on(api.watch, {
      resolve: () =>
        replyEvents(200, async function* (signal, event) {
          for (let count = 1; !signal.aborted; count++) {
            yield event("message", count);
            await new Promise<void>((resolve) => {
              turns.next = resolve;
              signal.addEventListener("abort", () => resolve());
            });
          }
        }),
    }),
    route.on(api.exact, {
      resolve: () =>
        reply(
          200,
          new Response('{"id":9007199254740993,"html":"<b>","none":[],"list":[1,{"a":"\\"x"}]}', {
            headers: { "content-type": "application/json" },
          }),
        ),
    }),
    route.on(api.signUp, { resolve: ({ input }) => show(JSON.stringify(input.ok ? input.body : input.issues)) }),
    route.on(api.addPhoto, {
      resolve: async ({ input }) => {
        if (!input.ok) return show(JSON.stringify(input.issues));
        const arrived: string[] = [];
        for await (const part of input.body) {
          if (part.issues) arrived.push(JSON.stringify(part.issues));
          else if (part.name === "title") arrived.push(part.value);
          else {
            let size = 0;
            for await (const chunk of part.stream) size += chunk.length;
            arrived.push(`${part.fileName} ${part.contentType} ${size}`);
          }
        }
        return reply(200, { seen: arrived });
      },
    }),
    route.on(api.who, { resolve: ({ request }) => show(request.headers.get("cookie")) }),
    route.get("/docs", { resolve: docsPage(document) }),
  ],
});
