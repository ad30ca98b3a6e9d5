// deno task openapi
//
// Writes openapi.json. A change that breaks clients of that document fails a test in app_test.ts. Run this when you accept
// a change, and read what it changes in the document.

import { document } from "./document.ts";

await Deno.writeTextFile(new URL("openapi.json", import.meta.url), JSON.stringify(document, null, 2) + "\n");
