/** What the page of `streams_browser_test.ts` imports, as one bundle. */
export { createClient } from "../../../src/client/mod.ts";
export { resume } from "../../../src/events/mod.ts";
export { api } from "../runtimes/streams/app.ts";
