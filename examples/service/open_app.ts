import type { App } from "@fw/core";
import { chmodSync, mkdirSync } from "node:fs";
import process from "node:process";
import type { ResponseConnection } from "../static/recipient.ts";
import { createApp } from "./app.ts";
import { openStore } from "./store.ts";

/** Opens the app with what the environment variables DATA, ORIGIN and PROXIES name, on any runtime. */
export function openApp(stopping: AbortSignal): App<[ResponseConnection]> {
  const { DATA: directory = ".data", ORIGIN: origin = "http://localhost:8000", PROXIES: proxies = "0" } = process.env;
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  return createApp({
    directory,
    store: openStore(`${directory}/service.db`),
    origins: new Set([origin]),
    proxies,
    stopping,
    log: (line) => console.log(JSON.stringify(line)),
  });
}
