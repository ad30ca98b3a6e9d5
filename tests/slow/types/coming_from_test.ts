/** The samples of other frameworks in COMING_FROM.md compile against their packages, and respond as the page says. */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { ROOT } from "../../support/server_process.ts";
import { run } from "../runtimes/programs.ts";
import { compile, installPeers, type PeerProject } from "./peers.ts";
import { granted } from "../../support/granted.ts";

/** The frameworks, with what sends a request to the app of a sample and returns the status. */
const PEERS = {
  Hono: `const send = async (init, path = "/notes") => (await app.request(path, init)).status;`,
  Express: `
    const server = app.listen(0);
    await new Promise((listening) => server.once("listening", listening));
    const { port } = server.address();
    const send = async (init, path = "/notes") => (await fetch("http://localhost:" + port + path, init)).status;`,
  Fastify: `const send = async ({ method, headers, body: payload }, url = "/notes") =>
    (await app.inject({ url, method, headers, payload })).statusCode;`,
  tRPC: `
    import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
    const createContext = ({ req }) => ({ authorization: req.headers.get("authorization") ?? undefined });
    const send = async (init, path = "/notes") => {
      const url = "http://localhost/trpc" + path.replace("notes", init.method === "POST" ? "create" : "list");
      const req = new Request(url, init);
      return (await fetchRequestHandler({ endpoint: "/trpc", req, router: app, createContext })).status;
    };`,
  "ts-rest":
    `const send = async (init, path = "/notes") => (await app(new Request("http://localhost" + path, init))).status;`,
  Elysia: `const send = async (init, path = "/notes") =>
    (await app.fetch(new Request("http://localhost" + path, init))).status;`,
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

/** Four requests: without the token, with an invalid body, with a valid one, and of the list. */
const COMMON = `
  const token = { authorization: "Bearer ada" };
  const post = { method: "POST", headers: { ...token, "content-type": "application/json" } };
  const long = (characters) => JSON.stringify({ text: "x".repeat(characters) });
  const requests = [
    [{ method: "GET", headers: {} }],
    [{ ...post, body: "{}" }],
    [{ ...post, body: '{"text":"Read Emma"}' }],
    [{ method: "GET", headers: token }],
  ];`;

/** Requests that frameworks respond to differently, in the order of the table of the page. */
const DIFFERENT = `
  requests.splice(
    0,
    4,
    [{ method: "HEAD", headers: token }],
    [{ method: "GET", headers: token }, "/notes/"],
    [{ method: "GET", headers: token }, "/Notes"],
    [{ method: "OPTIONS", headers: token }],
    [{ method: "POST", headers: { ...token, "content-type": "text/plain" }, body: '{"text":"Read Emma"}' }],
    [{ ...post, body: long(150_000) }],
    [{ ...post, body: long(2_000_000) }],
  );`;

/** Prints the statuses. */
const PRINT = `
  const statuses = [];
  for (const [init, path] of requests) statuses.push(await send(init, path));
  console.log(JSON.stringify(statuses));
  Deno.exit();
`;

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("the samples of other frameworks", () => {
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
      assertEquals(await statusesOf(project, peer, send, COMMON + PRINT), [401, 400, createdBy(peer), 200]);
    });

    it(`responds to other requests as the page says: ${peer}`, async () => {
      const project = projects.get(projectOf(peer)) ?? "";
      const statuses = await statusesOf(project, peer, send, COMMON + DIFFERENT + PRINT);
      assertEquals(statuses, columnOf(page, peer));
    });
  }

  it("respond to other requests as the page says: ours", async () => {
    const project = projects.get("all") ?? "";
    const [, sample = ""] = /^```ts\n([^]*?)^const post = /m.exec(page) ?? [];
    const modules = { "@fw/core": "mod.ts", "@fw/core/standard-schema": "src/standard_schema/mod.ts" };
    let code = sample.replace(/^import .*"@std\/assert";\n/m, "");
    for (const [name, file] of Object.entries(modules)) code = code.replace(`"${name}"`, `"${new URL(file, ROOT)}"`);
    await Deno.writeTextFile(`${project}/here.ts`, `${code}\nexport { app };\n`);
    assertEquals(await statusesOf(project, "here", PEERS.Elysia, COMMON + DIFFERENT + PRINT), columnOf(page, "here"));
  });

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

/** Runs a program that sends requests to the app of a sample, and returns the statuses that it prints. */
async function statusesOf(project: string, name: string, send: string, requests: string): Promise<unknown> {
  const file = `${name}_program.js`;
  await Deno.writeTextFile(`${project}/${file}`, `import { app } from "./${name}.ts";\n${send}\n${requests}`);
  const flags = ["--quiet", "--no-check", "--node-modules-dir=manual", "--allow-all"];
  return JSON.parse(await run(Deno.execPath(), ["run", ...flags, file], project));
}

/** The statuses in a column of the table of requests that frameworks respond to differently. */
function columnOf(page: string, name: string): readonly number[] {
  const [table = ""] = /^\| request .*\n(?:\|.*\n)+/m.exec(page) ?? [];
  const [head = [], , ...rows] = table.trim().split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
  return rows.map((row) => Number(row[head.indexOf(name)]));
}

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
