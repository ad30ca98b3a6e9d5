/** A team's projects and tasks, each with an owner. 20 faults of access. */

import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { events, replyEvents } from "@fw/core/events";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import type { Has, Seeded } from "./seeded.ts";

export const TEAM: Readonly<Record<string, Seeded>> = {
  "the list has all projects": { kind: "crosses owners", at: ["GET /projects"] },
  "a project is found by its id alone": { kind: "crosses owners", at: ["GET /projects/:id"] },
  "a project is changed by its id alone": { kind: "crosses owners", at: ["PUT /projects/:id"] },
  "a project is deleted by its id alone": { kind: "crosses owners", at: ["DELETE /projects/:id"] },
  "tasks are listed by their project alone": { kind: "crosses owners", at: ["GET /projects/:id/tasks"] },
  "a task is added to any project": { kind: "crosses owners", at: ["POST /projects/:id/tasks"] },
  "a task is read through another project": { kind: "crosses owners", at: ["GET /projects/:id/tasks/:taskId"] },
  "a task is changed by its id alone": { kind: "crosses owners", at: ["PATCH /tasks/:taskId"] },
  "a task is deleted in silence": { kind: "crosses owners", at: ["DELETE /tasks/:taskId"] },
  "an invoice by the query": { kind: "crosses owners", at: ["GET /invoices"] },
  "an export by the query": { kind: "crosses owners", at: ["GET /export"] },
  "a task is moved by the body": { kind: "crosses owners", at: ["POST /tasks/move"] },
  "a cover is bytes of anybody": { kind: "crosses owners", at: ["GET /projects/:id/cover"] },
  "a stream of anybody": { kind: "crosses owners", at: ["GET /projects/:id/events"] },
  "anybody archives": { kind: "crosses owners", at: ["POST /projects/:id/archive"] },
  "a search finds all": { kind: "crosses owners", at: ["GET /search"] },
  "nobody is somebody": { kind: "needs no credentials", at: ["GET /me"] },
  "nobody adds a project": { kind: "needs no credentials", at: ["POST /projects"] },
  "nobody deletes a task": { kind: "needs no credentials", at: ["DELETE /tasks/:taskId"] },
  "nobody sees the tasks": { kind: "needs no credentials", at: ["GET /projects/:id/tasks"] },
};

export const TEAM_ACTORS = { ada: { authorization: "Bearer ada" }, bob: { authorization: "Bearer bob" } };

/** What everybody may see of any project. */
export const TEAM_SHARED = ["GET /projects/:id/badge"];

const failure = { schema: z.object({ error: z.string() }) };
const project = z.object({ id: z.int(), title: z.string(), budget: z.number(), archived: z.boolean() });
const task = z.object({ id: z.uuid(), projectId: z.int(), text: z.string(), done: z.boolean() });
type Project = z.infer<typeof project> & { readonly owner: string };
type Task = z.infer<typeof task> & { readonly owner: string };
const projectBody = z.object({ title: z.string().min(1).max(40), budget: z.number().min(0).max(1e6) });

export function createTeam(has: Has): App {
  const projects = new Map<string, Project>();
  const tasks = new Map<string, Task>();
  let lastProject = 0;
  let lastTask = 0;
  const fail = () => reply(404, { error: "Missing" });
  const signedIn = (fault = "") =>
    beforeBody((c: Context) => {
      const user = /^Bearer (ada|bob)$/.exec(c.request.headers.get("authorization") ?? "")?.[1];
      if (user !== undefined) return allow({ user });
      return has(fault) ? allow({ user: "ada" }) : deny(reply(401, { error: "Sign in" }));
    });
  const valid = denyInvalid(() => reply(400, { error: "Invalid" }));
  const own = route.with({
    docs: { security: [{ token: [] }] },
    responses: { 400: failure, 401: failure, 404: failure },
  });
  const shownProject = ({ owner: _, ...rest }: Project) => rest;
  const shownTask = ({ owner: _, ...rest }: Task) => rest;
  const findProject = (id: string | number, user: string, fault = "") => {
    const found = projects.get(String(id));
    return found !== undefined && (found.owner === user || has(fault)) ? found : undefined;
  };
  const findTask = (id: string, user: string, fault = "") => {
    const found = tasks.get(id);
    return found !== undefined && (found.owner === user || has(fault)) ? found : undefined;
  };

  return setup({
    validator: standardSchema,
    handlers: [
      own.get("/me", {
        guards: [signedIn("nobody is somebody")],
        responses: { 200: { schema: z.object({ name: z.string() }) } },
        resolve: (c) => reply(200, { name: c.locals.user }),
      }),
      own.get("/projects", {
        guards: [signedIn()],
        responses: { 200: { schema: z.object({ data: z.array(project) }) } },
        resolve: ({ locals: { user } }) => {
          const data = [...projects.values()].filter(({ owner }) => owner === user || has("the list has all projects"));
          return reply(200, { data: data.map(shownProject) });
        },
      }),
      own.post("/projects", {
        guards: [signedIn("nobody adds a project"), valid],
        request: { body: projectBody },
        responses: { 201: { schema: project } },
        resolve: ({ input: { body }, locals: { user } }) => {
          const made = { id: ++lastProject, ...body, archived: false, owner: user };
          projects.set(String(made.id), made);
          return reply(201, shownProject(made));
        },
      }),
      own.get("/projects/:id", {
        guards: [signedIn()],
        responses: { 200: { schema: project } },
        resolve: ({ raw, locals: { user } }) => {
          const found = findProject(raw.params.id, user, "a project is found by its id alone");
          return found === undefined ? fail() : reply(200, shownProject(found));
        },
      }),
      own.put("/projects/:id", {
        guards: [signedIn(), valid],
        request: { body: projectBody },
        responses: { 200: { schema: project } },
        resolve: ({ raw, input: { body }, locals: { user } }) => {
          const found = findProject(raw.params.id, user, "a project is changed by its id alone");
          if (found === undefined) return fail();
          const next = { ...found, ...body };
          projects.set(String(found.id), next);
          return reply(200, shownProject(next));
        },
      }),
      own.delete("/projects/:id", {
        guards: [signedIn()],
        responses: { 204: {} },
        resolve: ({ raw, locals: { user } }) => {
          const found = findProject(raw.params.id, user, "a project is deleted by its id alone");
          if (found === undefined) return fail();
          projects.delete(String(found.id));
          return reply(204);
        },
      }),
      own.post("/projects/:id/archive", {
        guards: [signedIn()],
        responses: { 204: {} },
        resolve: ({ raw, locals: { user } }) => {
          const found = findProject(raw.params.id, user, "anybody archives");
          if (found === undefined) return fail();
          projects.set(String(found.id), { ...found, archived: true });
          return reply(204);
        },
      }),
      own.get("/projects/:id/cover", {
        guards: [signedIn()],
        responses: { 200: { contentType: "image/svg+xml" } },
        resolve: ({ raw, locals: { user } }) => {
          const found = findProject(raw.params.id, user, "a cover is bytes of anybody");
          if (found === undefined) return fail();
          return reply(200, new Response("<svg/>", { headers: { "content-type": "image/svg+xml" } }));
        },
      }),
      own.get("/projects/:id/badge", {
        guards: [signedIn()],
        responses: { 200: { schema: z.object({ id: z.int(), title: z.string() }) } },
        resolve: ({ raw }) => {
          const found = projects.get(raw.params.id);
          return found === undefined ? fail() : reply(200, { id: found.id, title: found.title });
        },
      }),
      own.get("/projects/:id/events", {
        guards: [signedIn()],
        responses: { 200: events({ project }) },
        resolve: ({ raw, locals: { user } }) => {
          const found = findProject(raw.params.id, user, "a stream of anybody");
          if (found === undefined) return fail();
          return replyEvents(200, async function* (signal, event) {
            yield event("project", shownProject(found));
            await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          });
        },
      }),
      own.get("/projects/:id/tasks", {
        guards: [signedIn("nobody sees the tasks")],
        responses: { 200: { schema: z.array(task) } },
        resolve: ({ raw, locals: { user } }) => {
          const mayAll = has("tasks are listed by their project alone");
          const found = [...tasks.values()].filter(({ projectId, owner }) =>
            String(projectId) === raw.params.id && (owner === user || mayAll)
          );
          return reply(200, found.map(shownTask)); // an empty list for a project of somebody else
        },
      }),
      own.post("/projects/:id/tasks", {
        guards: [signedIn(), valid],
        request: { body: z.object({ text: z.string().max(60) }) },
        responses: { 201: { schema: task } },
        resolve: ({ raw, input: { body }, locals: { user } }) => {
          const found = findProject(raw.params.id, user, "a task is added to any project");
          if (found === undefined) return fail();
          const id = `11111111-0000-4000-8000-${String(++lastTask).padStart(12, "0")}`;
          const made = { id, projectId: found.id, text: body.text, done: false, owner: user };
          tasks.set(id, made);
          return reply(201, shownTask(made));
        },
      }),
      own.get("/projects/:id/tasks/:taskId", {
        guards: [signedIn()],
        responses: { 200: { schema: task } },
        resolve: ({ raw, locals: { user } }) => {
          if (findProject(raw.params.id, user) === undefined) return fail();
          const found = findTask(raw.params.taskId, user, "a task is read through another project");
          return found === undefined ? fail() : reply(200, shownTask(found));
        },
      }),
      own.patch("/tasks/:taskId", {
        guards: [signedIn(), valid],
        request: { body: z.object({ text: z.string().max(60).optional(), done: z.boolean().optional() }) },
        responses: { 200: { schema: task } },
        resolve: ({ raw, input: { body: { text, done } }, locals: { user } }) => {
          const found = findTask(raw.params.taskId, user, "a task is changed by its id alone");
          if (found === undefined) return fail();
          const next = { ...found, text: text ?? found.text, done: done ?? found.done };
          tasks.set(found.id, next);
          return reply(200, shownTask(next));
        },
      }),
      own.get("/tasks/:taskId", {
        guards: [signedIn()],
        responses: { 200: { schema: task } },
        resolve: ({ raw, locals: { user } }) => {
          const found = findTask(raw.params.taskId, user);
          return found === undefined ? fail() : reply(200, shownTask(found));
        },
      }),
      own.delete("/tasks/:taskId", {
        guards: [signedIn("nobody deletes a task")],
        responses: { 204: {} },
        resolve: ({ raw, locals: { user } }) => {
          const found = findTask(raw.params.taskId, user, "a task is deleted in silence");
          if (found !== undefined) tasks.delete(found.id);
          return reply(204); // the same for a task that does not exist
        },
      }),
      own.post("/tasks/move", {
        guards: [signedIn(), valid],
        request: { body: z.object({ taskId: z.uuid(), projectId: z.int().min(1) }) },
        responses: { 200: { schema: task } },
        resolve: ({ input: { body: { taskId, projectId } }, locals: { user } }) => {
          const found = findTask(taskId, user, "a task is moved by the body");
          if (found === undefined || findProject(projectId, user) === undefined) return fail();
          const next = { ...found, projectId };
          tasks.set(found.id, next);
          return reply(200, shownTask(next));
        },
      }),
      own.get("/invoices", {
        guards: [signedIn(), valid],
        request: { query: z.object({ projectId: z.coerce.number().int().min(1) }) },
        responses: { 200: { schema: z.object({ total: z.number() }) } },
        resolve: ({ input: { query }, locals: { user } }) => {
          const found = findProject(query.projectId, user, "an invoice by the query");
          return found === undefined ? fail() : reply(200, { total: found.budget });
        },
      }),
      own.get("/export", {
        guards: [signedIn(), valid],
        request: { query: z.object({ taskId: z.string().max(40) }) },
        responses: { 200: { contentType: "text/csv" } },
        resolve: ({ input: { query }, locals: { user } }) => {
          const found = findTask(query.taskId, user, "an export by the query");
          if (found === undefined) return fail();
          const text = `id,text\n${found.id},${JSON.stringify(found.text)}\n`;
          return reply(200, new Response(text, { headers: { "content-type": "text/csv" } }));
        },
      }),
      own.get("/search", {
        guards: [signedIn(), valid],
        request: { query: z.object({ q: z.string().max(40) }) },
        responses: { 200: { schema: z.array(project) } },
        resolve: ({ input: { query }, locals: { user } }) => {
          const found = [...projects.values()].filter(({ title, owner }) =>
            title.includes(query.q) && (owner === user || has("a search finds all"))
          );
          return reply(200, found.map(shownProject));
        },
      }),
      route.get("/templates", {
        docs: { security: [] },
        responses: { 200: { schema: z.array(z.object({ id: z.int(), title: z.string() })) } },
        resolve: () => reply(200, [{ id: 1, title: "Empty" }, { id: 2, title: "Sprint" }]),
      }),
    ],
  });
}
