import type { App } from "@fw/core";
import { chmodSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import process from "node:process";
import { createApp } from "./app.ts";
import type { Connection } from "./connection.ts";
import { openStore } from "./store.ts";

/** Opens the app with what the environment variables DATA, ORIGIN and PROXIES name, on any runtime. */
export function openApp(stopping: AbortSignal): App<[Connection]> {
  const { DATA: directory = ".data", ORIGIN: origin = "http://localhost:8000", PROXIES: proxies = "0" } = process.env;
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  const store = openStore(`${directory}/service.db`);
  // A crash may have left the file of a picture that is not in the store. No other process may use this directory.
  for (const name of readdirSync(directory)) {
    if (ID.test(name) && !store.hasPicture(name)) rmSync(`${directory}/${name}`);
  }
  return createApp({
    directory,
    store,
    origins: [origin],
    proxies: Number(proxies),
    stopping,
    log: (line) => console.log(JSON.stringify(line)),
  });
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
