/** The recipes that use web standards only, on Bun and Node.js. */
import { assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { BUN, bundle, findProgram, run } from "../../runtimes/programs.ts";
import { type ServerProcess, startServer } from "../../server_process.ts";
import { until } from "../../until.ts";
import { granted, serveWhile } from "../serve.ts";

/** A recipe, and what a client sees of it on every runtime. */
interface Portable {
  /** The file in examples/recipes/. */
  readonly file: string;
  /** The options of its `createApp`; by default, its default export is served. */
  readonly options?: object;
  /** Asks it. */
  readonly ask: (server: ServerProcess) => Promise<void>;
}

const upstream = { arrived: 0, aborted: 0, origin: "" };

const PORTABLE: readonly Portable[] = [
  {
    file: "timeouts.ts",
    get options() {
      return { upstream: upstream.origin, bound: 2000 };
    },
    ask: async ({ origin, printed }) => {
      const late = await fetch(`${origin}/size`);
      assertEquals([late.status, await late.text()], [503, "Took too long"]);
      await until(() => printed().includes(`${late.headers.get("x-request-id")} GET /size 503`), printed);
      await until(() => upstream.aborted === upstream.arrived);

      const client = new AbortController();
      const left = upstream.arrived;
      const response = fetch(`${origin}/size`, { signal: client.signal }).catch(() => {});
      await until(() => upstream.arrived > left);
      client.abort();
      await response;
      await until(() => printed().includes("GET /size 499"), printed);
      await until(() => upstream.aborted === upstream.arrived);
    },
  },
  {
    file: "compression.ts",
    ask: async ({ origin }) => {
      const numbers = async (accepted: string) => {
        const response = await fetch(`${origin}/numbers`, { headers: { "accept-encoding": accepted } });
        return [response.headers.get("etag"), response.headers.get("vary"), (await response.json()).length];
      };
      assertEquals(await numbers("gzip"), ['W/"1000"', "accept-encoding", 1000]);
      assertEquals(await numbers("identity"), ['"1000"', "accept-encoding", 1000]);
    },
  },
  {
    file: "compose_hooks.ts",
    ask: async ({ origin, printed }) => {
      const response = await fetch(`${origin}/hello`);
      const id = response.headers.get("x-request-id");
      assertEquals([await response.text(), response.headers.get("x-content-type-options")], [
        `Hello, ${id}`,
        "nosniff",
      ]);
      assertMatch(response.headers.get("server-timing") ?? "", /^app;dur=/);
      await until(() => printed().includes(`${id} GET /hello 200`), printed);
    },
  },
  { file: "mounting.ts", ask: askShop },
];

/** The app of mounting.ts under `/shop`. */
async function askShop({ origin }: ServerProcess): Promise<void> {
  const answers = await Promise.all([
    fetch(`${origin}/shop`),
    fetch(`${origin}/shop/orders/7`, { method: "POST", body: "x".repeat(100_000) }),
    fetch(`${origin}/shop/nothing`),
  ]);
  assertEquals(await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()])), [
    [200, "The shop"],
    [200, `Order 7: ${"x".repeat(100_000)}`],
    [404, ""],
  ]);
}

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("on runtimes other than Deno", () => {
  let directory = "";
  let server: Deno.HttpServer<Deno.NetAddr>;
  let launcher = "";
  let bun = "";
  before(async () => {
    directory = await Deno.makeTempDir();
    bun = await findProgram(BUN, "bun");
    launcher = await bundle("tests/examples/recipes/serve_recipe.ts", directory);
    server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ signal }) => {
      upstream.arrived++;
      return new Promise<Response>((resolve) => {
        signal.addEventListener("abort", () => {
          upstream.aborted++;
          resolve(new Response());
        });
      });
    });
    upstream.origin = `http://127.0.0.1:${server.addr.port}`;
  });
  after(async () => {
    await server.shutdown();
    await Deno.remove(directory, { recursive: true });
  });

  const use = async (program: string, args: readonly string[], ask: Portable["ask"]) => {
    const served = await startServer(program, args, { PORT: "0" });
    try {
      await ask(served);
    } finally {
      await served.stop("SIGKILL");
    }
  };

  for (const recipe of PORTABLE) {
    it(`${recipe.file} runs on Bun and Node.js`, async () => {
      const module = await bundle(`examples/recipes/${recipe.file}`, directory);
      const { options } = recipe;
      const args = [launcher, module, ...options === undefined ? [] : [JSON.stringify(options)]];
      await use("node", args, recipe.ask);
      await use(bun, ["run", ...args], recipe.ask);
    });
  }

  it("client.ts runs on Bun and Node.js", async () => {
    const module = await bundle("examples/recipes/client.ts", directory);
    await serveWhile("examples/recipes/client/app.ts", {}, async ({ origin }) => {
      const program = `
        const { addBook, createBooksClient, findTitle } = await import(${JSON.stringify(module)});
        const client = createBooksClient(${JSON.stringify(origin)});
        console.log(await findTitle(client, await addBook(client, "The Trial")), await findTitle(client, "none"));
      `;
      assertEquals(await run("node", ["--input-type=module", "--eval", program]), "The Trial undefined\n");
      assertEquals(await run(bun, ["--eval", program]), "The Trial undefined\n");
    });
  });

  it("mounting_express.ts runs on Node.js", async () => {
    await use("node", [await bundle("examples/recipes/mounting_express.ts", directory)], async (served) => {
      await askShop(served);
      assertEquals(await (await fetch(served.origin)).text(), "Express");
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":1}' };
      assertEquals(await (await fetch(`${served.origin}/legacy`, init)).json(), { a: 1 });
    });
  });
});
