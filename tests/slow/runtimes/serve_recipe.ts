/**
 * Serves a recipe on Bun or Node.js, on a free port: `node serve_recipe.mjs <module> [options of its createApp, as JSON]`.
 */
import { serve } from "@hono/node-server";
import process from "node:process";

/** As much of Bun as is used here. */
declare const Bun: {
  serve(options: { hostname: string; port: number; fetch: Fetch }): { readonly port: number };
};
type Fetch = (request: Request) => Response | Promise<Response>;

const [, , module = "", options] = process.argv;
const { default: app, createApp } = await import(module);
const { fetch }: { fetch: Fetch } = options === undefined
  ? app
  : createApp({ log: console.log, ...JSON.parse(options) });

const say = (port: number) => console.log(`Listening on http://127.0.0.1:${port}`);
if ("Bun" in globalThis) say(Bun.serve({ hostname: "127.0.0.1", port: 0, fetch }).port);
else serve({ hostname: "127.0.0.1", port: 0, fetch }, ({ port }) => say(port));
