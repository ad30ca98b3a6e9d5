/** An adapter as people write it: it puts the `Host` header in front of the target. On Bun and Node.js. */
import { createServer } from "node:http";
import { app } from "./app.ts";

const server = createServer(async ({ method = "", url, headers }, response) => {
  const fields = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  try {
    const request = new Request(`http://${headers.host}${url}`, { method, headers: fields.map((field) => [...field]) });
    const answer = await app.fetch(request);
    response.writeHead(answer.status, { connection: "close" }).end(await answer.text());
  } catch {
    // `new Request` throws if the url cannot be parsed.
    response.writeHead(400, { connection: "close" }).end();
  }
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(`Listening on http://127.0.0.1:${address.port}`);
});
