import type { Browser } from "playwright-core";
import { assertMaySkip } from "../../support/assert_may_skip.ts";

/** The path at which Debian installs Chromium. */
const CHROMIUM = "/usr/bin/chromium";

/** Whether all permissions are granted. */
export const granted = (["env", "net", "read", "run", "sys", "write"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

/** Whether Chromium is installed, and may be started. */
export const browses = granted && await Deno.stat(CHROMIUM).then(() => true, () => false);
if (!browses) assertMaySkip("Chromium");

/** Starts Chromium, which sends nothing of its own. */
export async function launch(): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  const args = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking " +
    "--disable-component-update --disable-sync";
  return await chromium.launch({ executablePath: CHROMIUM, args: args.split(" ") });
}

/** Serves an empty page at `/`, a module at the path of `module`, and an app at all others. */
export function servePage(
  module: { readonly path: string; readonly code: string },
  app: (request: Request) => Response | Promise<Response>,
): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
    if (pathname !== module.path) return app(request);
    return new Response(module.code, { headers: { "content-type": "text/javascript" } });
  });
}

/** Opens the page of such a server. */
export async function openPage(browser: Browser, { addr }: Deno.HttpServer<Deno.NetAddr>) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${addr.port}/`);
  return page;
}
