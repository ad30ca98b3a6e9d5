import process from "node:process";
import { app } from "./app.ts";

const { HOST: hostname = "127.0.0.1", PORT: port = "8000" } = process.env;

console.log(`Listening on http://${hostname}:${port}`);

// Bun serves what the main module exports.
export default { fetch: (request: Request) => app.fetch(request), hostname, port: Number(port) };
