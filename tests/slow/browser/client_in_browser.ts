/** What the page of `client_browser_test.ts` imports, as one bundle. */
export { createClient, UnexpectedResponse } from "../../../src/client/mod.ts";
export * as api from "../../../examples/recipes/client/api.ts";
export { endpoint } from "../../../mod.ts";
