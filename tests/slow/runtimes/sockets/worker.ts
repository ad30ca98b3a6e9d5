import { workerSockets } from "../../../../src/sockets/mod.ts";
import { createApp, optionsFor } from "../../../support/sockets/app.ts";

const { app, onError } = createApp();
const sockets = workerSockets(optionsFor(onError));

export default { fetch: (request: Request): Response | Promise<Response> => app.fetch(request, sockets) };
