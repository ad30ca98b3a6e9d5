/**
 * Puts real proxies in front of an app on each runtime. Each proxy answers 403 for `/admin` and below. No request may get
 * around that, whatever its target and its `Host` header are: a url that proxy and app could read in two ways matches no
 * route, or is rejected by the server or by the lines that the manual gives for the proxy.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { assertMaySkip } from "../../support/assert_may_skip.ts";
import { freePort } from "../../support/free_port.ts";
import { ROOT, type ServerProcess, startServer } from "../../support/server_process.ts";
import { BUN, bundle, findProgram } from "../runtimes/programs.ts";
import { PROXIES, type Proxy, rejectingLines, type RunningProxy, startProxy } from "./proxies.ts";

/** A server, and whether it needs the lines for the proxy. */
interface Server {
  readonly name: string;
  readonly needsLines: boolean;
  start(args: readonly string[], directory: string): Promise<ServerProcess>;
}

const startNode = (file: string): Server["start"] => async (args, directory) =>
  await startServer("node", [await bundle(`tests/slow/proxies/servers/${file}`, directory), ...args]);

const SERVERS: readonly Server[] = [
  {
    name: "Deno",
    needsLines: false,
    start: (args) =>
      startServer(Deno.execPath(), ["run", "--allow-net", "tests/slow/proxies/servers/deno.ts", ...args]),
  },
  {
    name: "Bun",
    needsLines: true,
    start: async (args) =>
      await startServer(await findProgram(BUN, "bun"), ["run", "tests/slow/proxies/servers/bun.ts", ...args]),
  },
  { name: "Node.js with @hono/node-server", needsLines: false, start: startNode("hono.ts") },
  { name: "Node.js with srvx", needsLines: false, start: startNode("srvx.ts") },
];

/**
 * What gets around a proxy if the app trusts urls: `.github/manual/deployment.md` has the same table. An invalid `Host` moves the
 * path on Deno only.
 */
const TRUSTING: Readonly<Record<string, readonly string[]>> = {
  "nginx, proxy_pass with a slash": [],
  "nginx, proxy_pass without a path": ["..%2f"],
  "nginx, a rule on $request_uri": ["#", "%2f", "%61", "..%2f"],
  "HAProxy": ["%2f", "%61", "..%2f", "Host"],
  "Varnish": ["#", "%2f", "%61", "..%2f", "Host"],
  "Caddy": ["..%2f"],
  "h2o": ["#", "..%2f", "Host"],
  "Apache": ["%2f"],
};

/** Spellings that proxies and servers have read differently, put together in all ways. */
const BETWEEN = [
  "/",
  "//",
  "/./",
  "/x/../",
  "/x//../",
  "/%2e/",
  "/x/%2e%2e/",
  "/..%2f",
  "/x%2f../",
  "%2f",
  "\\",
  "/..\\",
  "/.\\",
  "/x/..\\",
  "/x\\..\\",
  "/%2e%2e\\",
  "/.%2e/",
  "/;/",
  "/%5c",
];
const AFTER = [
  "",
  "/",
  "#",
  "#x",
  "?",
  "%20",
  "%00",
  "%23",
  "%3f",
  ";x",
  "/.",
  "/..",
  "/..%2f",
  "/..%2fx",
  "/..%5cx",
  "/%2e%2e%2fx",
]
  .concat([
    "/..%2f..%2fx",
    "/x/..%2f..%2f..%2fpublic",
    "/secret#x",
    "/secret/..%2f..%2fpublic",
    "/secret?#",
    "//..%2f..%2fpublic",
  ]);
const TARGETS = [
  ...[
    "admin",
    "%61dmin",
    "adm%69n",
    "%2561dmin",
    "ADMIN",
    "admin%2fsecret",
    "adm%69n%2Fsecret",
    "public/..%2fadmin",
    "x%2f..%2fadmin",
  ].flatMap((name) => BETWEEN.flatMap((between) => AFTER.map((after) => `${between}${name}${after}`))),
  ...["/admin", "/admin/secret", "//admin", "/x/../admin", "/x/admin", "/..\\admin", "\\admin"].flatMap((path) =>
    ["http://h", "HTTP://H", "http://h:80", "http://u@h", "http:", "http:/", "http:///", "https://h", "//h"].map((
      origin,
    ) => origin + path)
  ),
];
const HOSTS = [
  "/admin",
  "/admin/secret",
  "/admin/",
  "/x/../admin",
  "\\admin",
  ":80/admin",
  "@h/admin",
  " /admin",
  "/x/..%2fadmin",
]
  .flatMap((path) => ["", "?", "#", "?x=", "#/", "/"].flatMap((end) => [`h${path}${end}`, `[::1]${path}${end}`]));

/** The kind of a request that has got around a proxy. */
function kindOf(target: string, host: string): string {
  if (host !== "h") return "Host";
  if (target.includes("#")) return "#";
  if (/(?:\.|%2e){2}(?:%2f|%5c)|%2f\.\./.test(target)) return "..%2f";
  if (/(?:admin|adm%69n)%2f/i.test(target)) return "%2f";
  return /%6[19]/.test(target) ? "%61" : target;
}

const mayRun = Deno.permissions.querySync({ name: "run" }).state === "granted";

for (const server of SERVERS) {
  (mayRun ? describe : describe.skip)(`${server.name} behind a proxy`, () => {
    let document = "";
    let upstreams: readonly ServerProcess[] = [];
    before(async () => {
      document = await Deno.readTextFile(new URL(".github/manual/deployment.md", ROOT));
      const directory = await Deno.makeTempDir();
      upstreams = [await server.start([], directory), await server.start(["--trust-url"], directory)];
      await Deno.remove(directory, { recursive: true });
    });
    after(async () => {
      for (const upstream of upstreams) await upstream.stop();
    });
    for (const proxy of PROXIES) testProxy(server, proxy, () => upstreams, () => document);
  });
}

function testProxy(
  server: Server,
  proxy: Proxy,
  upstreams: () => readonly ServerProcess[],
  document: () => string,
): void {
  const [program] = proxy.command("", "", 0);
  const isInstalled = exists(program);
  if (!isInstalled) assertMaySkip(`The program ${program} of the package ${proxy.package}`);
  (isInstalled ? describe : describe.skip)(proxy.name, () => {
    let fronts: readonly RunningProxy[] = [];
    before(async () => {
      // Varnish takes `GET https://h/admin` for a path, whatever the server does.
      const lines = server.needsLines || proxy.name === "Varnish" ? rejectingLines(proxy, document()) : "";
      fronts = await Promise.all(
        upstreams().map(({ origin }) => startProxy(proxy, Number(new URL(origin).port), freePort(), lines)),
      );
    });
    after(async () => {
      for (const front of fronts) await front.stop();
    });

    it("is served what the proxy lets pass", async () => {
      for (const front of fronts) {
        assertMatch(await send(front, "/public"), /^HTTP\/1\.1 200[^]*other/);
        assertMatch(await send(front, "/admin"), /^HTTP\/1\.1 (403|302)/);
      }
    });

    it("nobody gets around the rule of the proxy", async () => {
      const found = await bypasses(fronts[0]);
      assertEquals([...found.keys()], [], [...found.values()].join("\n"));
    });

    it("only what the manual names gets around it if the app trusts urls", async () => {
      const found = await bypasses(fronts[1]);
      const named = TRUSTING[proxy.name]?.filter((kind) => kind !== "Host" || server.name === "Deno");
      assertEquals([...found.keys()].toSorted(), named, [...found.values()].join("\n"));
    });
  });
}

async function bypasses(front: RunningProxy | undefined): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const requests = [
    ...TARGETS.map((target) => [target, "h"] as const),
    ...["/public", "/", "*", "/x/y"].flatMap((target) => HOSTS.map((host) => [target, host] as const)),
  ].values();
  // The workers share one iterator.
  await Promise.all(Array.from({ length: 16 }, async () => {
    for (const [target, host] of requests) {
      if (!(await send(front, target, host)).includes("ADMIN")) continue;
      const kind = kindOf(target, host);
      if (!found.has(kind)) found.set(kind, `${target} Host: ${host}`);
    }
  }));
  return found;
}

async function send(front: RunningProxy | undefined, target: string, host = "h"): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: front?.port ?? 0 });
  const timer = setTimeout(() => connection.close(), 5_000);
  try {
    await connection.write(
      new TextEncoder().encode(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );
    return await new Response(connection.readable).text();
  } catch {
    return "closed";
  } finally {
    clearTimeout(timer);
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
