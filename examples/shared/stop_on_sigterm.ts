export { stopOnSigterm } from "../service/stop_on_sigterm.ts";
