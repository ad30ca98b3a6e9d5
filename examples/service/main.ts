// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json --allow-env=DATA,ORIGIN,PROXIES,DATABASE_URL --allow-read=.data --allow-write=.data examples/service/main.ts
//
// A service to start from: people sign in at http://localhost:8000/ and keep pictures.
//
// For several instances, start each with the PostgreSQL database DATABASE_URL, a directory DATA that they share, and the
// flags --allow-env --allow-net for its driver. Otherwise, sessions and accounts are in a file of SQLite.
//
// DATA is the directory of the database and the pictures, for this process alone: other users of the machine cannot
// read it. ORIGIN is the origin of the pages, PROXIES how many proxies are in front. With OTEL_DENO=true, traces and
// metrics go to the collector at OTEL_EXPORTER_OTLP_ENDPOINT.

import { openApp } from "./open_app.ts";
import { stopOnSigterm } from "./stop_on_sigterm.ts";

export default await openApp(stopOnSigterm()) satisfies Deno.ServeDefaultExport;
