import { createApp } from "./app.ts";

export default createApp() satisfies Deno.ServeDefaultExport;
