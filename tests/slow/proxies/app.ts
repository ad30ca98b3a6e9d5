/** What is behind the proxies of the tests: it leaves it to them to protect `/admin`. */
import process from "node:process";
import { route, setup } from "../../../mod.ts";

const admin = () => new Response("ADMIN");
const other = () => new Response("other");

const app = setup({
  trustUrl: process.argv.includes("--trust-url"),
  handlers: [
    ...["/admin", "/admin/secret", "/admin/*"].map((path) => route.all(path, { resolve: admin })),
    ...["/public", "/:one/:two", "/*"].map((path) => route.all(path, { resolve: other })),
  ],
});

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`),
}, app.fetch);
