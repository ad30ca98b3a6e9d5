/** The samples of other frameworks in COMING_FROM.md compile against their packages, and respond as the page says. */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { ROOT } from "../../support/server_process.ts";
import { run } from "../runtimes/programs.ts";
import { compile, installPeers, type PeerProject } from "./peers.ts";

const granted = (["env", "net", "read", "run", "write"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

/** The frameworks, with what sends a request to the app of a sample and returns the status. */
const PEERS = {
  Hono: `const send = async (init) => (await app.request("/notes", init)).status;`,
  Express: `
    const server = app.listen(0);
    await new Promise((listening) => server.once("listening", listening));
    const send = async (init) => (await fetch("http://localhost:" + server.address().port + "/notes", init)).status;`,
  Fastify: `const send = async ({ method, headers, body: payload }) =>
    (await app.inject({ url: "/notes", method, headers, payload })).statusCode;`,
  tRPC: `
    import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
    const createContext = ({ req }) => ({ authorization: req.headers.get("authorization") ?? undefined });
    const send = async (init) => {
      const req = new Request("http://localhost/trpc/" + (init.method === "GET" ? "list" : "create"), init);
      return (await fetchRequestHandler({ endpoint: "/trpc", req, router: app, createContext })).status;
    };`,
  "ts-rest": `const send = async (init) => (await app(new Request("http://localhost/notes", init))).status;`,
  Elysia: `const send = async (init) => (await app.fetch(new Request("http://localhost/notes", init))).status;`,
};
type Peer = keyof typeof PEERS;

/** What answers a `Request` in place of the app of a sample, where there is such a function. */
const HANDLERS: Partial<Record<Peer, string>> = {
  Hono: "(request) => app.fetch(request)",
  tRPC: `(req) => fetchRequestHandler({
    endpoint: "/trpc",
    req,
    router: app,
    createContext: () => ({ authorization: req.headers.get("authorization") ?? undefined }),
  })`,
  "ts-rest": "(request) => app(request)",
  Elysia: "(request) => app.fetch(request)",
};

/** Prints the statuses of four requests: without the token, with an invalid body, with a valid one, and of the list. */
const REQUESTS = `
  const token = { authorization: "Bearer ada" };
  const post = { method: "POST", headers: { ...token, "content-type": "application/json" } };
  const requests = [
    { method: "GET", headers: {} },
    { ...post, body: "{}" },
    { ...post, body: '{"text":"Read Emma"}' },
    { method: "GET", headers: token },
  ];
  const statuses = [];
  for (const init of requests) statuses.push(await send(init));
  console.log(JSON.stringify(statuses));
  Deno.exit();
`;

(granted ? describe : describe.skip)("the samples of other frameworks", () => {
  let directory = "";
  let page = "";
  const projects = new Map<PeerProject, string>();
  const errors = new Map<string, string>();

  before(async () => {
    directory = await Deno.makeTempDir();
    page = await Deno.readTextFile(new URL(".github/COMING_FROM.md", ROOT));
    const start = sampleAfter(page, "begin with these lines");
    for (const name of ["all", "ts-rest"] as const) {
      const project = await installPeers(directory, name);
      projects.set(name, project);
      const peers = Object.keys(PEERS).filter((peer) => projectOf(peer) === name);
      const modules = peers.map((peer) => [peer, `${start}\n${sampleAfter(page, `\n## ${peer}\n`)}`]);
      for (const [peer, printed] of await compile(project, Object.fromEntries(modules))) errors.set(peer, printed);
    }
  });
  after(() => Deno.remove(directory, { recursive: true }));

  for (const [peer, send] of Object.entries(PEERS)) {
    it(`compiles against the package: ${peer}`, () => assertEquals(errors.get(peer), undefined));

    it(`responds with 401, 400, ${createdBy(peer)} and 200: ${peer}`, async () => {
      const project = projects.get(projectOf(peer)) ?? "";
      const program = `import { app } from "./${peer}.ts";\n${send}\n${REQUESTS}`;
      await Deno.writeTextFile(`${project}/${peer}_program.js`, program);
      const flags = ["--quiet", "--no-check", "--node-modules-dir=manual", "--allow-all"];
      const printed = await run(Deno.execPath(), ["run", ...flags, `${peer}_program.js`], project);
      assertEquals(JSON.parse(printed), [401, 400, createdBy(peer), 200]);
    });
  }

  for (const [peer, handler] of Object.entries(HANDLERS)) {
    it(`moves one route at a time: ${peer}`, async () => {
      const project = projects.get(projectOf(peer)) ?? "";
      const path = peer === "tRPC" ? "/trpc/list" : "/notes";
      const program = `import { app } from "./${peer}.ts";
        ${peer === "tRPC" ? 'import { fetchRequestHandler } from "@trpc/server/adapters/fetch";' : ""}
        import { reply, route, setup } from "${new URL("mod.ts", ROOT)}";
        const before = ${handler};
        const moved = route.get("${path}/moved", { resolve: () => reply(200, "moved") });
        const others = route.all("/*", { resolve: (c) => before(c.request) });
        const { fetch } = setup({ handlers: [moved, others], trustUrl: true });
        const send = async (path, headers = {}) => {
          const response = await fetch(new Request("http://localhost" + path, { headers }));
          return [response.status, await response.text()];
        };
        const token = { authorization: "Bearer ada" };
        const [first, [status], [listed]] = [
          await send("${path}/moved"),
          await send("${path}"),
          await send("${path}", token),
        ];
        console.log(JSON.stringify([...first, status, listed]));
        Deno.exit();`;
      await Deno.writeTextFile(`${project}/${peer}_moved.js`, program);
      const flags = ["--quiet", "--no-check", "--node-modules-dir=manual", "--allow-all"];
      const printed = await run(Deno.execPath(), ["run", ...flags, `${peer}_moved.js`], project);
      assertEquals(JSON.parse(printed), [200, '"moved"', 401, 200]);
    });
  }

  it("have a section for each framework", () => {
    const headings = [...page.matchAll(/^## (.*)\n\n[^]*?(?=^## |(?![^]))/gm)];
    const shown = headings.filter(([section]) => section.includes("```ts ignore")).map(([, heading]) => heading);
    assertEquals(shown, Object.keys(PEERS));
  });
});

/** A call of tRPC is not told apart by its status. */
function createdBy(peer: string): number {
  return peer === "tRPC" satisfies Peer ? 200 : 201;
}

function projectOf(peer: string): PeerProject {
  return peer === "ts-rest" satisfies Peer ? peer : "all";
}

/** The first block after these words that does not run as a test of documents. */
function sampleAfter(page: string, words: string): string {
  const start = page.indexOf(words);
  assert(start >= 0, `The page must have: ${words}`);
  const [, code] = /^```ts ignore\n([^]*?)^```$/m.exec(page.slice(start)) ?? [];
  assert(code !== undefined, `The page must have a sample after: ${words}`);
  return code;
}
