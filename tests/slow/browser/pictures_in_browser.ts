/** What the page of the service imports in `client_browser_test.ts`, as one bundle. */
export { addPicture, createPicturesClient, listTitles } from "../../../examples/service/client.ts";
export { UnexpectedResponse } from "../../../src/client/mod.ts";
