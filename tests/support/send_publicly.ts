/** Sends a request to an address that is public, and prints the status, or why not. */
import { publicSender } from "../../src/webhooks/mod.ts";

const [url = ""] = Deno.args;
const send = publicSender({ http: true });
console.log(await send(new Request(url, { method: "POST" })).then(({ status }) => status, String));
