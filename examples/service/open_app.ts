import type { App } from "@fw/core";
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import process from "node:process";
import { createApp } from "./app.ts";
import type { Connection } from "./connection.ts";
import { openStore, type Store } from "./store.ts";

/** Opens the app with what the environment variables name, on any runtime: see main.ts. */
export async function openApp(stopping: AbortSignal): Promise<App<[Connection]>> {
  const { DATA: directory = ".data", ORIGIN: origin = "http://localhost:8000", PROXIES: proxies = "0" } = process.env;
  const { DATABASE_URL: url } = process.env;
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  // Only now: the driver reads the environment at once.
  const store = url
    ? await (await import("./postgres_store.ts")).openPostgresStore(url)
    : openStore(`${directory}/service.db`);
  await removeOrphans(directory, store, url ? 60 * 60 * 1000 : 0);
  return createApp({
    directory,
    store,
    origins: [origin],
    proxies: Number(proxies),
    stopping,
    log: (line) => console.log(JSON.stringify(line)),
  });
}

/**
 * Removes files of pictures that are not in the store, as a crash leaves them. Another instance may just have written
 * one and not yet its row, so with several instances only those of some age.
 */
async function removeOrphans(directory: string, store: Store, age: number): Promise<void> {
  for (const name of readdirSync(directory)) {
    const path = `${directory}/${name}`;
    const isOld = ID.test(name) && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) <= Date.now() - age;
    if (isOld && !await store.hasPicture(name)) rmSync(path, { force: true });
  }
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
