/** What the tests of sockets use in a page. */
export { connect, SocketClosed } from "../../../src/sockets/mod.ts";
export { api } from "../../support/sockets/app.ts";
