/**
 * Puts real proxies in front of an app on Deno. Each proxy answers 403 for `/admin` and below. No request may get around that,
 * whatever its target and its `Host` header are: a url that proxy and app could read in two ways matches no route.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { assertMaySkip } from "../../support/assert_may_skip.ts";
import { freePort } from "../../support/free_port.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { PROXIES, type RunningProxy, startProxy } from "./proxies.ts";

/** What gets around a proxy if the app trusts urls: `.github/DEPLOYMENT.md` has the same table. */
const TRUSTING: Readonly<Record<string, readonly string[]>> = {
  "nginx, proxy_pass with a slash": [],
  "nginx, proxy_pass without a path": ["..%2f"],
  "nginx, a rule on $request_uri": ["#", "..%2f"],
  "HAProxy": ["Host"],
  "Varnish": ["#", "Host", "https:"],
  "Caddy": ["..%2f"],
  "h2o": ["#", "..%2f", "Host"],
  "Apache": [],
};

/** What gets around a proxy by itself, whatever the app does: Varnish takes `GET https://h/admin` for a path. */
const OWN: Readonly<Record<string, readonly string[]>> = { "Varnish": ["https:"] };

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
  ...["admin", "%61dmin", "ADMIN", "admin%2fsecret", "public/..%2fadmin", "x%2f..%2fadmin"].flatMap((name) =>
    BETWEEN.flatMap((between) => AFTER.map((after) => `${between}${name}${after}`))
  ),
  ...["/admin", "/admin/secret", "//admin", "/x/../admin"].flatMap((path) =>
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
  if (target.startsWith("https:")) return "https:";
  if (target.includes("#")) return "#";
  return /(?:\.|%2e){2}(?:%2f|%5c)|%2f\.\./.test(target) ? "..%2f" : target;
}

for (const proxy of PROXIES) {
  const [program] = proxy.command("", "", 0);
  const isInstalled = Deno.permissions.querySync({ name: "run" }).state === "granted" && exists(program);
  if (!isInstalled) assertMaySkip(`The program ${program} of the package ${proxy.package}`);
  (isInstalled ? describe : describe.skip)(`behind ${proxy.name}`, () => {
    let servers: ServerProcess[] = [];
    let fronts: RunningProxy[] = [];
    before(async () => {
      for (const args of [[], ["--trust-url"]]) {
        const server = await startServer(Deno.execPath(), ["run", "--allow-net", "tests/slow/proxies/app.ts", ...args]);
        servers.push(server);
        fronts.push(await startProxy(proxy, Number(new URL(server.origin).port), freePort()));
      }
    });
    after(async () => {
      for (const each of [...fronts, ...servers]) await each.stop();
      [servers, fronts] = [[], []];
    });

    const send = async (front: RunningProxy | undefined, target: string, host = "h"): Promise<string> => {
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
    };
    const bypasses = async (front: RunningProxy | undefined) => {
      const found = new Map<string, string>();
      const requests = [
        ...TARGETS.map((target) => [target, "h"] as const),
        ...["/public", "/", "*", "/x/y"].flatMap((target) => HOSTS.map((host) => [target, host] as const)),
      ];
      for (const [target, host] of requests) {
        if ((await send(front, target, host)).includes("ADMIN")) {
          const kind = kindOf(target, host);
          if (!found.has(kind)) found.set(kind, `${target} Host: ${host}`);
        }
      }
      return found;
    };

    it("is served what the proxy lets pass", async () => {
      for (const front of fronts) {
        assertMatch(await send(front, "/public"), /^HTTP\/1\.1 200[^]*other/);
        assertMatch(await send(front, "/admin"), /^HTTP\/1\.1 (403|302)/);
      }
    });

    it("nobody gets around the rule of the proxy", async () => {
      const found = await bypasses(fronts[0]);
      assertEquals([...found.keys()].toSorted(), OWN[proxy.name] ?? [], [...found.values()].join("\n"));
    });

    it("only what DEPLOYMENT.md names gets around it if the app trusts urls", async () => {
      const found = await bypasses(fronts[1]);
      assertEquals([...found.keys()].toSorted(), TRUSTING[proxy.name], [...found.values()].join("\n"));
    });
  });
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
