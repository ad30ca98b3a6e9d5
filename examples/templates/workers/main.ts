import { createApp } from "./app.ts";

const app = createApp();

export default { fetch: (request: Request) => app.fetch(request) };
