/** The programs behind the table of README that compares frameworks: one for each cell. */

/** The columns of the table. */
export const FRAMEWORKS = ["here", "Hono", "Elysia", "oRPC", "Fastify", "tRPC"] as const;

/** A framework. */
export type Framework = typeof FRAMEWORKS[number];

/** A program that compiles, and the replacement that makes a mistake in it. */
export interface Mistake {
  /** The program without the mistake. */
  readonly code: string;
  /** What is replaced. */
  readonly from: string;
  /** What replaces it. */
  readonly to: string;
  /** What the table says if TypeScript reports the mistake; `yes` by default. */
  readonly reported?: "client";
}

/** A program that runs, and prints a body. */
export interface Run {
  /** The program. */
  readonly run: string;
}

/** The rows of the table. `undefined` is a dash: the framework has no such part. */
export const ROWS: Readonly<Record<string, Readonly<Record<Framework, Mistake | Run | undefined>>>> = {
  "a local that no guard adds, in a handler": {
    here: {
      code: `
        import { allow, type Context, route } from "@fw/core";
        const signedIn = (_: Context) => allow({ user: "ada" });
        export const show = route.get("/", { guards: [signedIn], resolve: (c) => new Response(c.locals.user) });`,
      from: "guards: [signedIn], ",
      to: "",
    },
    Hono: {
      code: `
        import { Hono } from "hono";
        import { createMiddleware } from "hono/factory";
        const signedIn = createMiddleware<{ Variables: { user: string } }>((c, next) => (c.set("user", "ada"), next()));
        export const app = new Hono().get("/", signedIn, (c) => c.text(c.get("user")));`,
      from: "signedIn, (c)",
      to: "(c)",
    },
    Elysia: {
      code: `
        import { Elysia } from "elysia";
        export const app = new Elysia().resolve(() => ({ user: "ada" })).get("/", ({ user }) => user);`,
      from: `.resolve(() => ({ user: "ada" }))`,
      to: "",
    },
    oRPC: {
      code: `
        import { os } from "@orpc/server";
        const signedIn = os.use(({ next }) => next({ context: { user: "ada" } }));
        export const show = signedIn.handler(({ context }) => context.user);`,
      from: "signedIn.handler",
      to: "os.handler",
    },
    Fastify: {
      code: `
        import Fastify, { type FastifyRequest } from "fastify";
        declare module "fastify" { interface FastifyRequest { user: string } }
        const signedIn = async (request: FastifyRequest) => { request.user = "ada"; };
        export const app = Fastify().decorateRequest("user", "");
        app.get("/", { onRequest: signedIn }, async (request) => request.user);`,
      from: "{ onRequest: signedIn }, ",
      to: "",
    },
    tRPC: {
      code: `
        import { initTRPC } from "@trpc/server";
        const t = initTRPC.create();
        const signedIn = t.procedure.use(({ next }) => next({ ctx: { user: "ada" } }));
        export const show = signedIn.query(({ ctx }) => ctx.user);`,
      from: "signedIn.query",
      to: "t.procedure.query",
    },
  },

  "a local that no guard adds, in a guard": {
    here: {
      code: `
        import { allow, type Context, deny, route, setup } from "@fw/core";
        const signedIn = (_: Context) => allow({ user: "ada" });
        const admin = (c: Context<{ user: string }>) => c.locals.user === "ada" ? allow() : deny(new Response());
        const show = route.get("/", { guards: [signedIn, admin], resolve: () => new Response() });
        export const app = setup({ handlers: [show] });`,
      from: "signedIn, admin",
      to: "admin",
    },
    Hono: {
      code: `
        import { Hono } from "hono";
        import { createMiddleware } from "hono/factory";
        type Signed = { Variables: { user: string } };
        const signedIn = createMiddleware<Signed>((c, next) => (c.set("user", "ada"), next()));
        const admin = createMiddleware<Signed>(async (c, next) => c.get("user") === "ada" ? await next() : c.body(null, 403));
        export const app = new Hono().get("/", signedIn, admin, (c) => c.text(""));`,
      from: "signedIn, admin",
      to: "admin",
    },
    Elysia: {
      code: `
        import { Elysia } from "elysia";
        const admin = ({ user }: { user: string }) => user === "ada" ? undefined : "Forbidden";
        export const app = new Elysia().resolve(() => ({ user: "ada" })).get("/", () => "", { beforeHandle: admin });`,
      from: `.resolve(() => ({ user: "ada" }))`,
      to: "",
    },
    oRPC: {
      code: `
        import { os } from "@orpc/server";
        const signedIn = os.middleware(({ next }) => next({ context: { user: "ada" } }));
        const admin = os.$context<{ user: string }>().middleware(({ context, next }) => {
          if (context.user !== "ada") throw new Error();
          return next();
        });
        export const show = os.use(signedIn).use(admin).handler(() => "");`,
      from: ".use(signedIn)",
      to: "",
    },
    Fastify: {
      code: `
        import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
        declare module "fastify" { interface FastifyRequest { user: string } }
        const signedIn = async (request: FastifyRequest) => { request.user = "ada"; };
        const admin = async ({ user }: FastifyRequest, reply: FastifyReply) => user === "ada" ? undefined : reply.code(403).send();
        export const app = Fastify().decorateRequest("user", "");
        app.get("/", { preHandler: [signedIn, admin] }, async () => "");`,
      from: "signedIn, admin",
      to: "admin",
    },
    tRPC: {
      code: `
        import { experimental_standaloneMiddleware as standalone, initTRPC } from "@trpc/server";
        const t = initTRPC.create();
        const admin = standalone<{ ctx: { user: string } }>().create(({ ctx, next }) => {
          if (ctx.user !== "ada") throw new Error();
          return next();
        });
        export const show = t.procedure.use(({ next }) => next({ ctx: { user: "ada" } })).use(admin).query(() => "");`,
      from: `.use(({ next }) => next({ ctx: { user: "ada" } }))`,
      to: "",
    },
  },

  "an undeclared status": {
    here: {
      code: `
        import { reply, route } from "@fw/core";
        export const show = route.get("/", { responses: { 204: {}, 404: {} }, resolve: () => reply(404) });`,
      from: "reply(404)",
      to: "reply(410)",
    },
    Hono: {
      code: `
        import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
        const json = { description: "", content: { "application/json": { schema: z.string() } } };
        const show = createRoute({ method: "get", path: "/", responses: { 200: json, 404: json } });
        export const app = new OpenAPIHono().openapi(show, (c) => c.json("", 404));`,
      from: "404));",
      to: "410));",
    },
    Elysia: {
      code: `
        import { Elysia, t } from "elysia";
        const response = { 200: t.String(), 404: t.String() };
        export const app = new Elysia().get("/", ({ status }) => status(404, ""), { response });`,
      from: "status(404",
      to: "status(410",
    },
    oRPC: {
      code: `
        import { os } from "@orpc/server";
        export const show = os.errors({ NOT_FOUND: {} }).handler(({ errors }) => { throw errors.NOT_FOUND(); });`,
      from: "errors.NOT_FOUND()",
      to: "errors.GONE()",
    },
    Fastify: {
      code: `
        import Fastify from "fastify";
        import type { ZodTypeProvider } from "fastify-type-provider-zod";
        import { z } from "zod";
        const response = { 200: z.string(), 404: z.string() };
        export const app = Fastify().withTypeProvider<ZodTypeProvider>();
        app.get("/", { schema: { response } }, async (_, reply) => reply.code(404).send(""));`,
      from: "code(404)",
      to: "code(410)",
    },
    tRPC: {
      code: `
        import { initTRPC, TRPCError } from "@trpc/server";
        const t = initTRPC.create();
        export const show = t.procedure.query(() => { throw new TRPCError({ code: "NOT_FOUND" }); });`,
      from: "NOT_FOUND",
      to: "CONFLICT",
    },
  },

  "an undeclared key, in a spread": {
    here: {
      code: `
        import { reply, route } from "@fw/core";
        import { z } from "zod";
        const row = { id: "1", hash: "x" };
        const responses = { 200: { schema: z.object({ id: z.string() }) } };
        export const show = route.get("/", { responses, resolve: () => reply(200, { id: row.id }) });`,
      from: "{ id: row.id }",
      to: "{ ...row }",
    },
    Hono: {
      code: `
        import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
        const row = { id: "1", hash: "x" };
        const content = { "application/json": { schema: z.object({ id: z.string() }) } };
        const show = createRoute({ method: "get", path: "/", responses: { 200: { description: "", content } } });
        export const app = new OpenAPIHono().openapi(show, (c) => c.json({ id: row.id }, 200));`,
      from: "{ id: row.id }",
      to: "{ ...row }",
    },
    Elysia: {
      code: `
        import { Elysia, t } from "elysia";
        const row = { id: "1", hash: "x" };
        export const app = new Elysia().get("/", () => ({ id: row.id }), { response: t.Object({ id: t.String() }) });`,
      from: "{ id: row.id }",
      to: "{ ...row }",
    },
    oRPC: {
      code: `
        import { os } from "@orpc/server";
        import { z } from "zod";
        const row = { id: "1", hash: "x" };
        export const show = os.output(z.object({ id: z.string() })).handler(() => ({ id: row.id }));`,
      from: "{ id: row.id }",
      to: "{ ...row }",
    },
    Fastify: {
      code: `
        import Fastify from "fastify";
        import type { ZodTypeProvider } from "fastify-type-provider-zod";
        import { z } from "zod";
        const row = { id: "1", hash: "x" };
        export const app = Fastify().withTypeProvider<ZodTypeProvider>();
        const response = { 200: z.object({ id: z.string() }) };
        app.get("/", { schema: { response } }, async (_, reply) => reply.code(200).send({ id: row.id }));`,
      from: "{ id: row.id }",
      to: "{ ...row }",
    },
    tRPC: {
      code: `
        import { initTRPC } from "@trpc/server";
        import { z } from "zod";
        const t = initTRPC.create();
        const row = { id: "1", hash: "x" };
        export const show = t.procedure.output(z.object({ id: z.string() })).query(() => ({ id: row.id }));`,
      from: "{ id: row.id }",
      to: "{ ...row }",
    },
  },

  "an endpoint without a route": {
    here: {
      code: `
        import { endpoint, reply, route, setup } from "@fw/core";
        const responses = { 204: {} };
        const api = { one: endpoint.get("/1", { responses }), two: endpoint.get("/2", { responses }) };
        const one = route.on(api.one, { resolve: () => reply(204) });
        const two = route.on(api.two, { resolve: () => reply(204) });
        export const app = setup({ endpoints: api, handlers: [one, two] });`,
      from: "[one, two]",
      to: "[one]",
    },
    Hono: {
      code: `
        import { Hono } from "hono";
        import { hc } from "hono/client";
        const app = new Hono().get("/one", (c) => c.text("")).get("/two", (c) => c.text(""));
        await hc<typeof app>("http://localhost").two.$get();`,
      from: `.get("/two", (c) => c.text(""))`,
      to: "",
      reported: "client",
    },
    Elysia: {
      code: `
        import { treaty } from "@elysiajs/eden";
        import { Elysia } from "elysia";
        const app = new Elysia().get("/one", () => "").get("/two", () => "");
        await treaty<typeof app>("http://localhost").two.get();`,
      from: `.get("/two", () => "")`,
      to: "",
      reported: "client",
    },
    oRPC: {
      code: `
        import { oc } from "@orpc/contract";
        import { implement } from "@orpc/server";
        const os = implement({ one: oc, two: oc });
        export const router = os.router({ one: os.one.handler(() => {}), two: os.two.handler(() => {}) });`,
      from: ", two: os.two.handler(() => {})",
      to: "",
    },
    Fastify: undefined,
    tRPC: {
      code: `
        import { createTRPCClient } from "@trpc/client";
        import { initTRPC } from "@trpc/server";
        const t = initTRPC.create();
        const app = t.router({ one: t.procedure.query(() => ""), two: t.procedure.query(() => "") });
        await createTRPCClient<typeof app>({ links: [] }).two.query();`,
      from: `, two: t.procedure.query(() => "")`,
      to: "",
      reported: "client",
    },
  },

  "a wrong status in a client": {
    here: {
      code: `
        import { endpoint } from "@fw/core";
        import { createClient } from "@fw/core/client";
        import { z } from "zod";
        const responses = { 200: { schema: z.object({ id: z.string() }) }, 404: { schema: z.object({ why: z.string() }) } };
        const { status, body } = await createClient({ show: endpoint.get("/", { responses }) }).show();
        if (status === 404) console.log(body.why);`,
      from: "status === 404",
      to: "status === 200",
    },
    Hono: {
      code: `
        import { Hono } from "hono";
        import { hc } from "hono/client";
        const app = new Hono().get("/", (c) => Date.now() ? c.json({ id: "1" }, 200) : c.json({ why: "x" }, 404));
        const response = await hc<typeof app>("http://localhost").index.$get();
        if (response.status === 404) console.log((await response.json()).why);`,
      from: "status === 404",
      to: "status === 200",
    },
    Elysia: {
      code: `
        import { treaty } from "@elysiajs/eden";
        import { Elysia } from "elysia";
        const app = new Elysia()
          .get("/", ({ status }) => Date.now() > 2 ? status(409, { id: "1" }) : Date.now() ? "" : status(404, { why: "x" }));
        const { error } = await treaty<typeof app>("http://localhost").get();
        if (error?.status === 404) console.log(error.value.why);`,
      from: "status === 404",
      to: "status === 409",
    },
    oRPC: {
      code: `
        import { isDefinedError, safe } from "@orpc/client";
        import { createRouterClient, os } from "@orpc/server";
        import { z } from "zod";
        const why = { data: z.object({ why: z.string() }) };
        const show = os.errors({ NOT_FOUND: why, CONFLICT: {} }).handler(() => "");
        const { error } = await safe(createRouterClient({ show }).show());
        if (isDefinedError(error) && error.code === "NOT_FOUND") console.log(error.data.why);`,
      from: `error.code === "NOT_FOUND"`,
      to: `error.code === "CONFLICT"`,
    },
    Fastify: undefined,
    tRPC: {
      code: `
        import { createTRPCClient, TRPCClientError } from "@trpc/client";
        import { initTRPC } from "@trpc/server";
        const t = initTRPC.create();
        const app = t.router({ show: t.procedure.query(() => "") });
        const error = await createTRPCClient<typeof app>({ links: [] }).show.query().catch((error) => error);
        if (error instanceof TRPCClientError && error.data.code === "NOT_FOUND") console.log(error.data.why);`,
      from: `"NOT_FOUND"`,
      to: `"CONFLICT"`,
    },
  },

  "a wrong key in a client, nothing declared": {
    here: {
      code: `
        import { route } from "@fw/core";
        import { createClient } from "@fw/core/client";
        const show = route.get("/", { resolve: () => Response.json({ id: "1" }) });
        console.log((await (await createClient({ show }).show()).json()).id);`,
      from: ".id)",
      to: ".idd)",
    },
    Hono: {
      code: `
        import { Hono } from "hono";
        import { hc } from "hono/client";
        const app = new Hono().get("/", (c) => c.json({ id: "1" }));
        console.log((await (await hc<typeof app>("http://localhost").index.$get()).json()).id);`,
      from: ".id)",
      to: ".idd)",
    },
    Elysia: {
      code: `
        import { treaty } from "@elysiajs/eden";
        import { Elysia } from "elysia";
        const app = new Elysia().get("/", () => ({ id: "1" }));
        console.log((await treaty<typeof app>("http://localhost").get()).data?.id);`,
      from: "?.id)",
      to: "?.idd)",
    },
    oRPC: {
      code: `
        import { createRouterClient, os } from "@orpc/server";
        console.log((await createRouterClient({ show: os.handler(() => ({ id: "1" })) }).show()).id);`,
      from: ".id)",
      to: ".idd)",
    },
    Fastify: undefined,
    tRPC: {
      code: `
        import { createTRPCClient } from "@trpc/client";
        import { initTRPC } from "@trpc/server";
        const t = initTRPC.create();
        const app = t.router({ show: t.procedure.query(() => ({ id: "1" })) });
        console.log((await createTRPCClient<typeof app>({ links: [] }).show.query()).id);`,
      from: ".id)",
      to: ".idd)",
    },
  },

  "undeclared keys are removed at run time": {
    here: {
      run: `
        import { reply, route, setup } from "@fw/core";
        import { z } from "zod";
        const responses = { 200: { schema: z.object({ id: z.string() }) } };
        const show = route.get("/", { responses, resolve: () => reply(200, ROW) });
        const response = await setup({ handlers: [show] }).fetch(new Request("http://localhost/"));
        console.log(await response.text());`,
    },
    Hono: {
      run: `
        import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
        const content = { "application/json": { schema: z.object({ id: z.string() }) } };
        const show = createRoute({ method: "get", path: "/", responses: { 200: { description: "", content } } });
        const app = new OpenAPIHono().openapi(show, (c) => c.json(ROW, 200));
        console.log(await (await app.request("/")).text());`,
    },
    Elysia: {
      run: `
        import { Elysia, t } from "elysia";
        const app = new Elysia().get("/", () => ROW, { response: t.Object({ id: t.String() }) });
        console.log(await (await app.handle(new Request("http://localhost/"))).text());`,
    },
    oRPC: {
      run: `
        import { call, os } from "@orpc/server";
        import { z } from "zod";
        console.log(JSON.stringify(await call(os.output(z.object({ id: z.string() })).handler(() => ROW))));`,
    },
    Fastify: {
      run: `
        import Fastify from "fastify";
        const response = { 200: { type: "object", properties: { id: { type: "string" } } } };
        const app = Fastify();
        app.get("/", { schema: { response } }, async () => ROW);
        console.log((await app.inject("/")).body);`,
    },
    tRPC: {
      run: `
        import { initTRPC } from "@trpc/server";
        import { z } from "zod";
        const t = initTRPC.create();
        const app = t.router({ show: t.procedure.output(z.object({ id: z.string() })).query(() => ROW) });
        console.log(JSON.stringify(await app.createCaller({}).show()));`,
    },
  },
};
