/** What is behind the proxies of the tests: it leaves it to them to protect `/admin`. */
import process from "node:process";
import { type App, route, setup } from "../../../mod.ts";

const admin = () => new Response("ADMIN");
const other = () => new Response("other");

export const app: App = setup({
  trustUrl: process.argv.includes("--trust-url"),
  handlers: [
    ...["/admin", "/admin/secret", "/admin/*"].map((path) => route.all(path, { resolve: admin })),
    ...["/public", "/:one/:two", "/*"].map((path) => route.all(path, { resolve: other })),
  ],
});
