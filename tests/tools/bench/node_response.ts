/**
 * Installs the `Response` of the adapter for Node.js, as `serve` does. It is preloaded on Node.js only.
 *
 * Node's own `Response` with a text costs 20 times what a framework adds, mostly in streams that no server reads.
 */

import { getRequestListener } from "@hono/node-server";

getRequestListener(() => new Response());
