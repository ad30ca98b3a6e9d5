// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/hello.ts
// The smallest app: one route with one parameter. Open http://localhost:8000/hello/Ada
import { route, setup } from "@fw/core";

const app = setup({
  handlers: [
    route.get("/hello/:name", { resolve: (c) => new Response(`Hello, ${c.raw.params.name}!`) }),
  ],
});
export default app;
